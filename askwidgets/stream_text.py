"""Text of the agent as it grows in the cell: finished chunks stay, only the open one is drawn again."""

from __future__ import annotations

from collections import deque

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
        self.is_behind: bool = False
        """Whether the latest draw left the open chunk to the next one."""

    def append(self, text: str) -> None:
        """Add text that arrived."""
        self._cutter.append(text)

    def replace(self, text: str) -> None:
        """Let other text stand in the outputs: the agent's service failed midway and starts over."""
        self._cutter = ChunkCutter()
        self._cutter.append(text)
        self._finished.clear()
        self._drawn = 0

    def end(self) -> None:
        """Let the next draw show everything as it stays: no text comes any more."""
        self._finished.extend(self._cutter.take())
        rest = self._cutter.rest

        if _shows(rest):
            self._finished.append(rest)

        self._cutter = ChunkCutter()

    def draw(self) -> int:
        """Show the chunks that are finished, or else the open one; gives how many of its characters were sent.

        They are sent again with the next draw, so the open chunk waits while others are finished: where text arrives
        that fast, it may be finished by then.
        """
        self._finished.extend(self._cutter.take())
        rest = self._cutter.rest
        is_open = _shows(rest)
        self.is_behind = is_open and bool(self._finished)

        self._settle()
        is_drawn = is_open and not self.is_behind
        # Without text/plain: the source follows once, when the chunk is final.
        sent = self._slot().draw({"text/html": _html(rest)}) if is_drawn else 0

        # A text that started over may need fewer outputs than it had, and none can be taken away.
        for slot in self._slots[self._drawn + is_drawn :]:
            slot.draw({"text/html": "", "text/plain": ""})

        return sent

    def _settle(self) -> None:
        """Show the finished chunks as they stay.

        All are rendered before: the first that is sent wakes the kernel's thread that sends it, which then takes
        turns with this one.
        """
        for bundle in [_final(chunk) for chunk in self._finished]:
            self._slot().draw(bundle)
            self._finished.popleft()
            self._drawn += 1

    def _slot(self) -> Slot:
        if self._drawn == len(self._slots):
            self._slots.append(Slot(self._outputs))

        return self._slots[self._drawn]


def _shows(chunk: Chunk) -> bool:
    """Whether there is more in it than blank lines."""
    return chunk.source.strip() != ""


def _final(chunk: Chunk) -> Bundle:
    return {"text/html": _html(chunk), "text/plain": chunk.source}


def _html(chunk: Chunk) -> str:
    return _TEXT.format(joined_html(markdown_html(chunk.markdown)))
