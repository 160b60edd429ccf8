"""Messages on their way from one thread to another; a text that arrives in thousands of parts becomes a few.

Events: https://docs.claude.com/en/docs/build-with-claude/streaming#event-types.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from claude_agent_sdk.types import StreamEvent

__all__ = ["Inbox"]


class Inbox:
    """Keeps messages in order until they are taken; deltas that continue another one become one.

    One thread puts in, another one takes out. Of a delta that continues the one before it only its id and its text
    are kept: thousands of small objects that stand for a tenth of a second make Python look through all objects of
    the kernel for garbage, which takes as long.
    """

    def __init__(self) -> None:
        self._arrived: deque[object] = deque()
        """Messages, and pairs of uuid and text that continue the delta before them."""
        self._text_block: tuple[object, object] | None = None
        """What the latest message that was put in adds to."""
        self._continued: StreamEvent | None = None
        """The delta that such pairs at the beginning of what arrived continue."""

    def put(self, message: Any) -> None:  # noqa: ANN401 - one of the SDK's, or one of ours
        """Add a message."""
        text_block = _text_block(message)

        if text_block is not None and text_block == self._text_block:
            self._arrived.append((message.uuid, message.event["delta"]["text"]))
        else:
            self._arrived.append(message)
            self._text_block = text_block

    def take(self) -> list[object]:
        """Take out all that is there."""
        taken: list[object] = []
        arrived = [self._arrived.popleft() for _ in range(len(self._arrived))]

        for is_continuation, group in groupby(arrived, _is_continuation):
            if is_continuation:
                uuids, texts = zip(*cast("list[tuple[str, str]]", list(group)), strict=True)
                taken.append(_with_text(cast("StreamEvent", self._continued), "".join(texts), uuids[-1]))
            else:
                taken.extend(group)
                latest: Any = taken[-1]
                # A copy: whoever gets the message may change it.
                self._continued = None if _text_block(latest) is None else _with_text(latest, "", "")

        return taken


def _is_continuation(arrived: object) -> bool:
    return isinstance(arrived, tuple)


def _text_block(message: object) -> tuple[object, object] | None:
    """Name the text that a delta adds to; ``None`` for every other message."""
    event = getattr(message, "event", None)
    delta = event.get("delta") if isinstance(event, dict) else None
    is_text = isinstance(delta, dict) and delta.get("type") == "text_delta" and isinstance(delta.get("text"), str)

    return (getattr(message, "parent_tool_use_id", None), event.get("index")) if event and is_text else None


def _with_text(part: StreamEvent, text: str, uuid: str) -> StreamEvent:
    return replace(part, uuid=uuid, event={**part.event, "delta": {**part.event["delta"], "text": text}})
