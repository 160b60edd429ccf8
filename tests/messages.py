"""Messages of the SDK, as the CLI has it send them."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from claude_agent_sdk import (
    AssistantMessage,
    ResultMessage,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)
from claude_agent_sdk.types import StreamEvent

__all__ = ["IMAGE", "PIXEL", "delta", "ended", "event", "result", "said", "streamed", "system", "thought", "used"]

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 40).decode()
IMAGE: dict[str, object] = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": PIXEL},
}
"""A content block of an image, and its data."""

MODEL = "claude-test-1"


def event(event: Mapping[str, object], parent: str | None = None) -> StreamEvent:
    """Make a stream event."""
    return StreamEvent(uuid="u", session_id="s", event=dict(event), parent_tool_use_id=parent)


def delta(text: str, index: int = 0, parent: str | None = None) -> StreamEvent:
    """Make a part of a text block."""
    part = {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}

    return event(part, parent)


def streamed(deltas: Sequence[str], *, whole: bool = True) -> list[object]:
    """Make the messages of a text block that arrives in deltas, and then whole."""
    block = {"type": "text", "text": ""}
    start = [event({"type": "content_block_start", "content_block": block}), *map(delta, deltas)]
    stop = event({"type": "content_block_stop"})

    return [*start, said("".join(deltas)), stop] if whole else list(start)


def said(text: str, parent: str | None = None) -> AssistantMessage:
    """Make a message that holds a text."""
    return AssistantMessage(content=[TextBlock(text)], model=MODEL, parent_tool_use_id=parent)


def thought(text: str) -> AssistantMessage:
    """Make a message that holds a thought."""
    return AssistantMessage(content=[ThinkingBlock(text, "signature")], model=MODEL)


def used(
    tool_use_id: str, name: str, tool_input: Mapping[str, object] | None = None, parent: str | None = None
) -> AssistantMessage:
    """Make a message that holds a tool use."""
    block = ToolUseBlock(tool_use_id, name, dict(tool_input or {}))

    return AssistantMessage(content=[block], model=MODEL, parent_tool_use_id=parent)


def result(
    tool_use_id: str,
    content: str | list[dict[str, object]] | None,
    *,
    is_error: bool = False,
    parent: str | None = None,
) -> UserMessage:
    """Make a message that holds a tool result."""
    return UserMessage(content=[ToolResultBlock(tool_use_id, content, is_error)], parent_tool_use_id=parent)


def system(subtype: str, **data: object) -> SystemMessage:
    """Make a system message."""
    return SystemMessage(subtype=subtype, data=data)


def ended(
    *,
    is_error: bool = False,
    text: str | None = None,
    denials: Sequence[Mapping[str, object]] = (),
    cost: float | None = 0.0123,
) -> ResultMessage:
    """Make the message that ends a turn."""
    return ResultMessage(
        subtype="success",
        duration_ms=4321,
        duration_api_ms=4000,
        is_error=is_error,
        num_turns=1,
        session_id="0b5d-session-id",
        total_cost_usd=cost,
        usage={"input_tokens": 10, "cache_read_input_tokens": 1200, "output_tokens": 34},
        result=text,
        permission_denials=list(denials),
    )
