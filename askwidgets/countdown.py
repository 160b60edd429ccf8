"""The time that a form may still wait, which does not run while the person is at it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["Countdown"]

QUIET = 10.0
"""Seconds after the last keystroke or click until time runs on."""


SHORTEST = 0.001
"""Seconds that count as none, since a clock may not tell them apart."""


class Countdown:
    """Counts down on the running loop, a second at a time; one that is never started never ends.

    ::

        countdown = Countdown(60, show=print, ended=lambda: print("over"))
        countdown.start()
        countdown.pause()  # the person types
    """

    def __init__(self, timeout: float, *, show: Callable[[str], object], ended: Callable[[], object]) -> None:
        self._left = timeout
        self._show = show
        self._ended = ended
        self._counted_to = 0.0
        self._paused_until = 0.0
        self._has_begun = False
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin, unless it has begun or was stopped."""
        if not self._has_begun:
            self._has_begun = True
            self._counted_to = asyncio.get_running_loop().time()
            self._tick()

    def pause(self) -> None:
        """Stand still for a while; called on the loop whenever the person does something."""
        if self._handle is not None:
            self._count()
            self._paused_until = asyncio.get_running_loop().time() + QUIET

    def stop(self) -> None:
        """End without calling anything."""
        self._has_begun = True
        if self._handle is not None:
            self._handle.cancel()

    def _count(self) -> bool:
        """Take off what has passed; whether time runs."""
        now = asyncio.get_running_loop().time()
        # Only what lies behind the pause counts.
        begin = max(self._counted_to, min(now, self._paused_until))
        self._left -= now - begin
        self._counted_to = now
        return now >= self._paused_until

    def _tick(self) -> None:
        runs = self._count()
        if self._left < SHORTEST:
            self._ended()
            return

        # Rounded up, so that it never says 0:00 while there is time.
        left = int(self._left + 0.999)
        self._show(f"{left // 60}:{left % 60:02} left" if runs else "Time stands still while you are at it")
        pause = min(1.0, self._left) if runs else 1.0
        self._handle = asyncio.get_running_loop().call_later(pause, self._tick)
