"""Joins the parts in which a text arrives: thousands of a few characters each, of which a draw shows many at once.

Events: https://docs.claude.com/en/docs/build-with-claude/streaming#event-types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from claude_agent_sdk.types import StreamEvent

__all__ = ["joined_deltas"]


def joined_deltas(messages: Iterable[object]) -> Iterator[object]:
    """Give the SDK's messages in order, the deltas that follow each other in one text as one."""
    for block, group in groupby(messages, _text_block):
        if block is None:
            yield from group
            continue

        events = cast("list[StreamEvent]", list(group))
        last = events[-1]
        text = "".join(event.event["delta"]["text"] for event in events)
        yield replace(last, event={**last.event, "delta": {**last.event["delta"], "text": text}})


def _text_block(message: object) -> tuple[object, object] | None:
    """Name the text block that a delta adds to; ``None`` for every other message."""
    event = getattr(message, "event", None)
    delta = event.get("delta") if isinstance(event, dict) else None

    is_text = isinstance(delta, dict) and delta.get("type") == "text_delta" and isinstance(delta.get("text"), str)

    return (getattr(message, "parent_tool_use_id", None), event.get("index")) if event and is_text else None
