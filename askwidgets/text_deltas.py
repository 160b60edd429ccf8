"""Joins the parts in which a text arrives: thousands of a few characters each, of which a draw shows many at once.

Events: https://docs.claude.com/en/docs/build-with-claude/streaming#event-types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claude_agent_sdk.types import StreamEvent

__all__ = ["joined_deltas"]


def joined_deltas(events: Iterable[StreamEvent]) -> Iterator[StreamEvent]:
    """Give the events in order, those that follow each other in one text as one."""
    for block, group in groupby(events, _text_block):
        if block is None:
            yield from group
            continue

        *before, last = group
        delta = last.event["delta"]
        text = "".join(event.event["delta"]["text"] for event in (*before, last))
        yield replace(last, event={**last.event, "delta": {**delta, "text": text}})


def _text_block(event: StreamEvent) -> tuple[str | None, object] | None:
    """Name the text block that the event adds to; ``None`` where it adds to none."""
    delta = event.event.get("delta")
    is_text = isinstance(delta, dict) and delta.get("type") == "text_delta" and isinstance(delta.get("text"), str)

    return (event.parent_tool_use_id, event.event.get("index")) if is_text else None
