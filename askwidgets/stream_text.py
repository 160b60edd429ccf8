"""Text of the agent as it grows in the cell: finished chunks stay, only the open one is drawn again."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from askwidgets.display import Bundle, CellOutputs
from askwidgets.markup import joined_html, markdown_html
from askwidgets.slot import Slot
from askwidgets.text_chunks import Chunk, ChunkCutter

__all__ = ["StreamText"]

_TEXT = '<div class="ask-text">{}</div>'


class StreamText:
    """A run of text with no tool use or form between its parts."""

    def __init__(self, outputs: CellOutputs) -> None:
        self._outputs = outputs
        self._cutter = ChunkCutter()
        self._slots: list[Slot] = []
        self._finished: deque[Chunk] = deque()
        """Chunks that are still to be drawn for the last time."""
        self._drawn = 0
        """How many chunks are final."""

    def append(self, text: str) -> None:
        """Add text that arrived."""
        self._cutter.append(text)

    def replace(self, text: str) -> None:
        """Let other text stand here: the agent's service failed midway and starts over."""
        self._cutter = ChunkCutter()
        self._cutter.append(text)
        self._finished.clear()
        self._drawn = 0

    def draw(self) -> int:
        """Show what has arrived; gives the number of characters sent for the open chunk, which are sent again."""
        self._finished.extend(self._cutter.take())
        rest = self._cutter.rest
        finished = [_final(chunk) for chunk in self._finished]
        growing = _html(rest) if rest.source.strip() else ""
        self._settle(finished)

        # Without text/plain: the source follows once, when the chunk is final.
        return self._slot().draw({"text/html": growing}) if growing else 0

    def close(self) -> None:
        """Show the last chunk as it stays."""
        self._finished.extend(self._cutter.take())
        rest = self._cutter.rest

        if rest.source.strip():
            self._finished.append(rest)

        self._settle([_final(chunk) for chunk in self._finished])

        # A text that started over may need fewer outputs than it had, and none can be taken away.
        for slot in self._slots[self._drawn :]:
            slot.draw({"text/html": "", "text/plain": ""})

    def _settle(self, bundles: Sequence[Bundle]) -> None:
        """Show the finished chunks as they stay.

        All are rendered before: the first that is sent wakes the kernel's thread that sends it, which then takes
        turns with this one.
        """
        for bundle in bundles:
            self._slot().draw(bundle)
            self._finished.popleft()
            self._drawn += 1

    def _slot(self) -> Slot:
        if self._drawn == len(self._slots):
            self._slots.append(Slot(self._outputs))

        return self._slots[self._drawn]


def _final(chunk: Chunk) -> Bundle:
    return {"text/html": _html(chunk), "text/plain": chunk.source}


def _html(chunk: Chunk) -> str:
    return _TEXT.format(joined_html(markdown_html(chunk.markdown)))
