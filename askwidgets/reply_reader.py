"""The Messages API, read back: the reply that a stream of events, or a plain message, carried.

Specification: https://docs.claude.com/en/api/messages-streaming.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from askwidgets.reply import Block, Reply, Text, Thinking, TokenCount, ToolUse

__all__ = ["ReplyReader"]

_DELTA_FIELDS = ("text", "thinking", "partial_json")


class ReplyReader:
    """Reads a response as it passes by.

    ::

        reader = ReplyReader()
        for chunk in response:
            reader.feed(chunk)

        reader.reply    # None while it is not whole
    """

    def __init__(self, *, plain: bool = False) -> None:
        self._plain = plain
        self._rest = b""
        self._blocks: dict[int, dict[str, object]] = {}
        self._texts: dict[int, list[str]] = {}
        self._usage: dict[str, object] = {}
        self._reply: Reply | None = None

    @property
    def reply(self) -> Reply | None:
        """The reply, once its last event was read; ``None`` after an error or a break."""
        return self._reply

    def feed(self, chunk: bytes) -> None:
        """Read on; a chunk may end anywhere."""
        if self._plain:
            self._rest += chunk
            return

        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self._read_event(_object(line.removeprefix(b"data:")))

    def finish(self) -> None:
        """Say that nothing more comes: a plain message is whole only then."""
        message = _object(self._rest) if self._plain else {}
        content = message.get("content")
        if message.get("type") != "message" or not isinstance(content, list):
            return

        self._take_usage(message.get("usage"))
        self._blocks = {place: block for place, block in enumerate(content) if isinstance(block, dict)}
        self._reply = self._whole()

    def _read_event(self, event: Mapping[str, object]) -> None:
        kind = event.get("type")
        index = event.get("index")
        block, delta, message = event.get("content_block"), event.get("delta"), event.get("message")
        if kind == "message_start" and isinstance(message, Mapping):
            self._take_usage(message.get("usage"))
        elif kind == "content_block_start" and isinstance(index, int) and isinstance(block, dict):
            self._blocks[index] = block
        elif kind == "content_block_delta" and isinstance(index, int) and isinstance(delta, Mapping):
            texts = (delta[field] for field in _DELTA_FIELDS if field in delta)
            self._texts.setdefault(index, []).extend(map(str, texts))
        elif kind == "message_delta":
            self._take_usage(event.get("usage"))
        elif kind == "message_stop":
            self._reply = self._whole()

    def _take_usage(self, usage: object) -> None:
        if isinstance(usage, Mapping):
            self._usage.update({name: count for name, count in usage.items() if isinstance(count, int)})

    def _count(self, name: str) -> int:
        count = self._usage.get(name, 0)
        return count if isinstance(count, int) else 0

    def _whole(self) -> Reply:
        blocks = (self._block(block, "".join(self._texts.get(place, ()))) for place, block in self._blocks.items())
        usage = TokenCount(
            input_tokens=self._count("input_tokens"),
            output_tokens=self._count("output_tokens"),
            cache_read_input_tokens=self._count("cache_read_input_tokens"),
        )
        return Reply(blocks=tuple(block for block in blocks if block is not None), usage=usage)

    def _block(self, block: Mapping[str, object], text: str) -> Block | None:
        kind = block.get("type")
        if kind == "text":
            return Text(text=f"{block.get('text', '')}{text}")

        if kind == "thinking":
            return Thinking(text=f"{block.get('thinking', '')}{text}")

        if kind == "tool_use":
            given = block.get("input")
            whole = given if isinstance(given, dict) and given else _object(text.encode())
            return ToolUse(tool=str(block.get("name", "")), input=whole)

        # What the service's own tools did stays with the service.
        return None


def _object(text: bytes) -> dict[str, object]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}

    return value if isinstance(value, dict) else {}
