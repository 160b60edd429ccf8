"""The Messages API, outward: the model's next message, and the events that carry it.

Specification: https://docs.claude.com/en/api/messages-streaming.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from askwidgets.conversation import Conversation

__all__ = [
    "Block",
    "Failure",
    "Player",
    "Reply",
    "Text",
    "Thinking",
    "TokenCount",
    "ToolUse",
    "reply_events",
    "reply_message",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCount:
    """What a reply says that it used."""

    input_tokens: int = 10
    output_tokens: int | None = None
    """``None`` counts about four characters as one."""
    cache_read_input_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text block of a reply."""

    text: str
    pace: float | None = None
    """Seconds between deltas; ``None`` leaves it to the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinking:
    """A thinking block of a reply."""

    text: str
    pace: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A tool use block of a reply."""

    tool: str
    input: Mapping[str, object]
    pace: float | None = None


Block = Text | Thinking | ToolUse
"""A content block of a reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One message of the model."""

    blocks: tuple[Block, ...] = ()
    usage: TokenCount = TokenCount()

    @property
    def stop_reason(self) -> str:
        """``tool_use`` when the model waits for results, else ``end_turn``."""
        return "tool_use" if any(isinstance(block, ToolUse) for block in self.blocks) else "end_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """The service says no."""

    status: int
    """An HTTP status from 400 up."""
    message: str


class Player(Protocol):
    """Whatever can answer for the model: a script, a recording."""

    @property
    def mismatches(self) -> tuple[str, ...]:
        """What came otherwise than expected, in words."""

    def respond(self, conversation: Conversation, /) -> Reply | Failure:
        """Give the model's next message; the same for the same conversation."""


def reply_message(reply: Reply, conversation: Conversation) -> dict[str, object]:
    """Give the reply as the plain JSON of a request that does not stream."""
    seed = _seed(conversation)
    message = _message(reply, conversation, seed)
    message["content"] = [_whole_block(block, seed, index) for index, block in enumerate(reply.blocks)]
    message["stop_reason"] = reply.stop_reason
    return message


def reply_events(reply: Reply, conversation: Conversation) -> Iterator[tuple[str, float | None]]:
    """Give the reply as server-sent events, each with the pace to keep after it (zero but for deltas)."""
    seed = _seed(conversation)
    message = _message(reply, conversation, seed)
    yield _event({"type": "message_start", "message": message}), 0.0
    for index, block in enumerate(reply.blocks):
        start = _empty_block(block, seed, index)
        yield _event({"type": "content_block_start", "index": index, "content_block": start}), 0.0
        for event in _deltas(block, index):
            yield event, block.pace

        yield _event({"type": "content_block_stop", "index": index}), 0.0

    delta = {"stop_reason": reply.stop_reason, "stop_sequence": None}
    yield _event({"type": "message_delta", "delta": delta, "usage": message["usage"]}), 0.0
    yield _event({"type": "message_stop"}), 0.0


def _event(data: Mapping[str, object]) -> str:
    return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n"


def _seed(conversation: Conversation) -> str:
    """Give what the ids are made from: the same for a retry, another for each session and position."""
    position = [conversation.session_id, conversation.prompts, conversation.replies]
    return sha256(json.dumps(position).encode()).hexdigest()


def _message(reply: Reply, conversation: Conversation, seed: str) -> dict[str, object]:
    length = sum(len(_text_of(block)) for block in reply.blocks)
    usage = reply.usage
    return {
        "id": f"msg_{seed[:24]}",
        "type": "message",
        "role": "assistant",
        "model": conversation.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": max(1, length // 4) if usage.output_tokens is None else usage.output_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": usage.cache_read_input_tokens,
        },
    }


def _text_of(block: Block) -> str:
    return json.dumps(block.input) if isinstance(block, ToolUse) else block.text


def _empty_block(block: Block, seed: str, index: int) -> dict[str, object]:
    if isinstance(block, ToolUse):
        digest = sha256(f"{seed} {index}".encode()).hexdigest()
        return {"type": "tool_use", "id": f"toolu_{digest[:24]}", "name": block.tool, "input": {}}

    if isinstance(block, Thinking):
        return {"type": "thinking", "thinking": "", "signature": ""}

    return {"type": "text", "text": ""}


def _whole_block(block: Block, seed: str, index: int) -> dict[str, object]:
    whole = _empty_block(block, seed, index)
    if isinstance(block, ToolUse):
        whole["input"] = block.input
    elif isinstance(block, Thinking):
        whole |= {"thinking": block.text, "signature": _SIGNATURE}
    else:
        whole["text"] = block.text

    return whole


_PIECES = re.compile(r"\S{1,16}\s{0,4}|\s{1,16}")
_SIGNATURE = "c2NyaXB0ZWQ="
_DELTA_FIELDS = {Text: ("text_delta", "text"), Thinking: ("thinking_delta", "thinking")}


def _deltas(block: Block, index: int) -> Iterator[str]:
    kind, field = _DELTA_FIELDS.get(type(block), ("input_json_delta", "partial_json"))
    # Written out, because a long reply has tens of thousands of these.
    head = f'event: content_block_delta\ndata: {{"type": "content_block_delta", "index": {index}, "delta": '
    for piece in _PIECES.findall(_text_of(block)):
        yield f'{head}{{"type": "{kind}", "{field}": {json.dumps(piece)}}}}}\n\n'

    if isinstance(block, Thinking):
        yield f'{head}{{"type": "signature_delta", "signature": "{_SIGNATURE}"}}}}\n\n'
