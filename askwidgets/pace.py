"""How often a cell is drawn: soon after something changed, but never so often that it floods the page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

__all__ = ["Pace"]

_SHORTEST = 0.1
"""Seconds between two draws: ten a second look alive."""
_FASTEST = 20_000
"""Characters a second: a block that is large, and so is sent whole again, is drawn less often."""
_BUSIEST = 0.3
"""Of the time, how much work drawing may be: the kernel reads the messages meanwhile, on another thread."""
_ALLOWANCE = 32_000
_SUSTAINED = 4_000
"""Characters a second once the allowance is used up, so that what is sent stays in proportion to the text."""


class Pace:
    """Calls ``draw`` on the running loop when it is due; ``draw`` gives the number of characters sent in vain.

    In vain is what a later draw sends again. Without a running loop nothing is called. ``work`` tells the processor
    time of this thread, in seconds: while another thread has the interpreter, a draw waits and does not work.
    """

    def __init__(
        self, draw: Callable[[], int], clock: Callable[[], float], work: Callable[[], float] = time.thread_time
    ) -> None:
        self._draw = draw
        self._clock = clock
        self._work = work
        self._timer: asyncio.TimerHandle | None = None
        self._due = clock()
        self._began = clock()
        self._sent = 0
        self.pause: float = 0.0
        """Seconds from the last draw to the next one that may come."""

    def want(self) -> None:
        """Say that something is to be drawn."""
        if self._timer is not None:
            return

        try:
            loop = asyncio.get_running_loop()
        # Fed without a loop, it is drawn once, when it is finished.
        except RuntimeError:
            return

        self._timer = loop.call_later(max(0.0, self._due - self._clock()), self.draw_now)

    def draw_now(self) -> None:
        """Draw at once; the next draw is due later the more this one sent, and after no less than it took."""
        self.rest()
        began, began_work = self._clock(), self._work()
        sent = self._draw()
        self._sent += sent
        worked = self._work() - began_work
        now = self._clock()
        over = self._sent - _ALLOWANCE - _SUSTAINED * (now - self._began)
        pause = max(_SHORTEST, sent / _FASTEST, over / _SUSTAINED, worked / _BUSIEST, now - began)
        # One that did little, right behind one that did much, brings the next no nearer.
        self._due = max(self._due, now + pause)
        self.pause = self._due - now

        # Wanted by the draw itself, before it was known when the next one may come.
        if self._timer is not None:
            self.rest()
            self.want()

    def rest(self) -> None:
        """Let a draw that is due not happen."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
