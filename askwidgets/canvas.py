"""The part of a cell that a transcript draws in: what has changed is drawn in order, at a bearable pace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from askwidgets import markup
from askwidgets.display import Bundle, CellOutputs
from askwidgets.pace import Pace
from askwidgets.slot import Slot
from askwidgets.status_line import StatusLine

__all__ = ["Canvas", "Segment"]

_STYLE = (
    ".ask-status{opacity:.75}.ask-clock{animation:ask-s 60s steps(60) var(--ask-s) infinite,"
    "ask-m 36000s steps(600) var(--ask-s);counter-reset:m var(--ask-mm) s var(--ask-ss)}"
    '.ask-clock::after{content:counter(m)":"counter(s,decimal-leading-zero)}'
    '@property --ask-ss{syntax:"<integer>";inherits:true;initial-value:0}'
    '@property --ask-mm{syntax:"<integer>";inherits:true;initial-value:0}'
    "@keyframes ask-s{to{--ask-ss:60}}@keyframes ask-m{to{--ask-mm:600}}"
    ".ask-todo ul{list-style:none;padding:0}.ask-past{opacity:.6}.ask-now{font-weight:bold}"
)


class Segment(Protocol):
    """Something in the transcript that is drawn by itself."""

    def draw(self) -> int:
        """Show it as it stands; gives the number of characters that a later draw may send again."""


class Canvas:
    """Draws the status line and the segments that have changed."""

    def __init__(self, outputs: CellOutputs, clock: Callable[[], float]) -> None:
        self.outputs = outputs
        self.status = StatusLine(outputs, clock)
        self._style = Slot(outputs)
        self._pace = Pace(self._draw, clock)
        self._changed: dict[Segment, None] = {}
        self._is_closed = False

    def change(self, segment: Segment) -> None:
        """Draw the segment soon."""
        self._changed[segment] = None
        self._pace.want()

    def begin(self, segment: Segment) -> None:
        """Draw the segment now, below all that has changed by now.

        So the order of the outputs follows from the messages, also where a text grows by a further output later.
        """
        self.flush()
        self._changed[segment] = None
        self.flush()

    def do(self, activity: str) -> None:
        """Say soon what the agent does now."""
        self.status.activity = activity
        self._pace.want()

    def flush(self) -> None:
        """Draw what has changed, now."""
        self._pace.draw_now()

    def show(self, bundle: Bundle) -> None:
        """Draw what has changed, and below it an output that never changes."""
        self.flush()
        self.outputs.show(bundle)

    def close(self) -> None:
        """Draw what has changed for the last time, without a status line."""
        self._is_closed = True
        self.flush()

    def _draw(self) -> int:
        # An output of its own, because each change of the status line would send it again.
        self._style.draw({"text/html": f"<style>{markup.STYLE}{_STYLE}</style>", "text/plain": ""})
        sent = self.status.clear() if self._is_closed else self.status.draw()

        for segment in self._changed:
            sent += segment.draw()

        self._changed.clear()

        return sent
