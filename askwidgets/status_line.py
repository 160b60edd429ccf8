"""The line on top of a running turn: what the agent does now, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from askwidgets.display import Bundle, CellOutputs
from askwidgets.markup import text_html
from askwidgets.mode_chip import mode_chip_html
from askwidgets.slot import Slot

if TYPE_CHECKING:
    from claude_agent_sdk import RateLimitInfo

__all__ = ["StatusLine", "rate_limit_text", "retry_text", "status_text"]

_DIGITS = "{}{}:{}{}".format(*(f'<i style="--ask-each:{seconds}s"></i>' for seconds in (3600, 600, 60, 10)))
"""Tens and ones of the minutes and seconds, each with the time that it takes to come round."""
_EMPTY = {"text/html": '<div role="status"></div>', "text/plain": ""}
_LIVE = '<div class="ask-now ask-live">'


class StatusLine:
    """Draws what goes on now; empty once the turn is over.

    The seconds are counted by the style sheet, so an idle kernel sends nothing, and a screen reader hears only
    what changes.
    """

    def __init__(self, outputs: CellOutputs, clock: Callable[[], float]) -> None:
        self._slot = Slot(outputs)
        self._clock = clock
        self._began = clock()
        self.told = ""
        """What the cell says of itself; stands before what the messages tell."""
        self.asked = ""
        """What waits, for a page that cannot show the form: its kernel is gone, or widgets are unknown there."""
        self.activity = "Starting"
        """What the messages tell of the agent."""
        self.mode = ""
        """The permission mode; empty while it is not known."""
        self._drawn = ("", "", "")

    @property
    def text(self) -> str:
        """What stands there."""
        return self.told or self.activity

    def draw(self) -> int:
        """Show the line, where it has changed."""
        if (self.text, self.mode, self.asked) == self._drawn:
            return 0

        self._drawn = (self.text, self.mode, self.asked)
        seconds = int(self._clock() - self._began)
        # The digits roll by CSS, so that the page counts and the kernel need not send a message a second.
        clock = f'<span class="ask-clock" aria-hidden="true" style="--ask-since:-{seconds}s">{_DIGITS}</span>'
        text = f"<b>{text_html(self.told)}</b>" if self.told else text_html(self.activity)
        asked = f'<div class="ask-asked" dir="auto">Asked: {text_html(self.asked)}</div>' if self.asked else ""
        html = f'{_LIVE}<span role="status">{text}</span> {clock} {mode_chip_html(self.mode)}{asked}</div>'
        plain = f"{self.text} (mode {self.mode})" if self.mode else self.text

        return self._slot.draw({"text/html": html, "text/plain": plain})

    def clear(self) -> int:
        """Leave an empty line."""
        return self._slot.draw(_EMPTY)


def status_text(bundle: Bundle) -> str | None:
    """Give what an output says if it is the status line, empty once the turn is over; ``None`` for any other."""
    html = bundle.get("text/html")
    is_status = html == _EMPTY["text/html"] or (isinstance(html, str) and html.startswith(_LIVE))

    return str(bundle.get("text/plain", "")) if is_status else None


def retry_text(data: Mapping[str, object]) -> str:
    """Say of an ``api_retry`` message which attempt follows and why."""
    cause = str(data.get("error") or "").replace("_", " ").strip()
    status = data.get("error_status")
    parts = [part for part in (cause if cause != "unknown" else "", f"HTTP {status}" if status else "") if part]
    reason = f": {', '.join(parts)}" if parts else ": no connection"
    delay = data.get("retry_delay_ms")
    soon = f", next try in {delay / 1000:.0f} s" if isinstance(delay, (int, float)) else ""

    return f"Retrying, attempt {data.get('attempt', '?')} of {data.get('max_retries', '?')}{reason}{soon}"


def rate_limit_text(info: RateLimitInfo) -> str:
    """Say how near the account is to its limit."""
    window = f" ({info.rate_limit_type.replace('_', ' ')})" if info.rate_limit_type else ""

    if info.status == "rejected":
        return f"The rate limit is reached{window}"

    used = f": {info.utilization:.0%} used" if info.utilization is not None else ""

    return f"Near the rate limit{window}{used}"
