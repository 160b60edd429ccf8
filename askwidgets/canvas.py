"""The part of a cell that a transcript draws in: what has changed is drawn in order, at a bearable pace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from askwidgets import markup
from askwidgets.display import Bundle, CellOutputs, Output
from askwidgets.pace import Pace
from askwidgets.slot import Slot
from askwidgets.status_line import StatusLine
from askwidgets.style_sheet import StyledOutputs, needed_rules

__all__ = ["Canvas", "Segment"]

_STYLE = (
    ".ask-todo progress{accent-color:var(--jp-brand-color1,#1976d2)}.ask-past{opacity:.6}.ask-now{font-weight:bold}"
    ".ask-todo ul{list-style:none;margin:2px 0!important;padding:0!important}"
)
_LIVE_STYLE = (
    ".ask-now{color:var(--jp-ui-font-color2,var(--vscode-descriptionForeground,#767676))}"
    ".ask-now b{color:var(--jp-ui-font-color1,inherit)}"
    '.ask-live::before{animation:ask-beat 1.6s steps(2,jump-none) infinite alternate;content:"\\25cf  "}'
    "@keyframes ask-beat{to{opacity:.3}}@media(prefers-reduced-motion){.ask-live::before{animation:none}}"
    ".ask-mode{border:1px solid;border-radius:3px;font-size:.85em;margin-left:.5em;padding:0 4px;white-space:nowrap}"
    ".ask-clock{display:inline-block;line-height:1.2}"
    ".ask-clock i{display:inline-block;font-style:normal;height:1.2em;overflow:hidden;vertical-align:bottom}"
    ".ask-clock i::before{animation:ask-roll var(--ask-each) steps(10) var(--ask-since) infinite;display:block;"
    'content:"0\\a 1\\a 2\\a 3\\a 4\\a 5\\a 6\\a 7\\a 8\\a 9";white-space:pre}'
    ".ask-clock i:nth-of-type(odd)::before{animation-timing-function:steps(6);"
    'content:"0\\a 1\\a 2\\a 3\\a 4\\a 5"}'
    "@keyframes ask-roll{to{transform:translateY(-100%)}}"
    ".jp-OutputArea:has(.ask-questions,.ask-decision) .ask-asked{display:none}"
    ".jp-OutputArea:has(.ask-asked) .jp-OutputArea-output.jupyter-widgets:not(:has(*)){display:none}"
)
"""For the status line, so not saved in the end: digits that roll by themselves, without work for page or kernel.

What was asked shows where its form does not, instead of the words in which a page says that it knows no such widget.
"""


class Segment(Protocol):
    """Something in the transcript that is drawn by itself."""

    @property
    def is_behind(self) -> bool:
        """Whether the latest draw left something to a further one."""

    def draw(self) -> int:
        """Show it as it stands; gives the number of characters that a later draw may send again."""


class Canvas:
    """Draws the status line and the segments that have changed."""

    def __init__(self, outputs: CellOutputs, clock: Callable[[], float]) -> None:
        self.outputs: StyledOutputs = StyledOutputs(outputs)
        self.status: StatusLine = StatusLine(outputs, clock)
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

    def set_mode(self, mode: str) -> None:
        """Say soon which permission mode it works in."""
        self.status.mode = mode
        self._pace.want()

    def flush(self) -> None:
        """Draw what has changed, now."""
        self._pace.draw_now()

        if self._changed:
            self._pace.draw_now()

    def show(self, bundle: Bundle) -> Output:
        """Draw what has changed, and below it an output that is not drawn here."""
        self.flush()

        return self.outputs.show(bundle)

    def close(self, footer: Bundle | None) -> Output | None:
        """Draw what has changed for the last time, without a status line and with the styles that are of use."""
        self._is_closed = True
        self.flush()
        output = None if footer is None else self.outputs.show(footer)
        self._draw_style(needed_rules(_style(), self.outputs.names()))

        return output

    def _draw(self) -> int:
        if not self._is_closed or not self._style.is_shown:
            # An output of its own, because each change of the status line would send it again.
            self._draw_style(f"{_style()}{_LIVE_STYLE}")

        sent = self.status.clear() if self._is_closed else self.status.draw()

        for segment in self._changed:
            sent += segment.draw()

        self._changed = {segment: None for segment in self._changed if segment.is_behind}

        if self._changed:
            self._pace.want()

        return sent

    def _draw_style(self, css: str) -> None:
        self._style.draw({"text/html": f"<style>{css}</style>", "text/plain": ""})


def _style() -> str:
    return markup.STYLE + _STYLE
