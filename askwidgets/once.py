"""A value that is settled once: the first one to settle it wins, from whatever thread.

What a form, a command and an interrupt race for. It belongs to no loop: whoever waits is woken on
the loop that it waits in. To run more than this on the form's own loop, see ``askwidgets/handover.py``.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Generic, TypeVar

__all__ = ["Once"]

T = TypeVar("T")


class Once(Generic[T]):
    """One value, settled by the first who tries and awaited by any number.

    ::

        decision: Once[str] = Once()
        button.on_click(lambda _: decision.settle("allow"))  # may run on another thread
        await decision.wait()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._settled: list[T] = []
        self._waiting: list[asyncio.Future[T]] = []

    @property
    def done(self) -> bool:
        """Whether it is settled."""
        return bool(self._settled)

    @property
    def value(self) -> T | None:
        """What it was settled with; ``None`` until then."""
        return self._settled[0] if self._settled else None

    def settle(self, value: T) -> bool:
        """Settle it and wake who waits; false, and nothing changes, when it was settled before."""
        # Whoever comes first may be a click, a command in a subshell's thread, or an interrupt.
        with self._lock:
            if self._settled:
                return False

            self._settled.append(value)
            waiting, self._waiting = self._waiting, []

        for future in waiting:
            # A loop that is closed by now has nobody left to wake.
            with suppress(RuntimeError):
                future.get_loop().call_soon_threadsafe(_wake, future, value)

        return True

    async def wait(self) -> T:
        """Give the value as soon as there is one; cancelling this settles nothing."""
        with self._lock:
            if self._settled:
                return self._settled[0]

            future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)

        try:
            return await future
        finally:
            with self._lock, suppress(ValueError):
                self._waiting.remove(future)


def _wake(future: asyncio.Future[T], value: T) -> None:
    """Resolve the future unless whoever awaited it was cancelled meanwhile."""
    if not future.done():
        future.set_result(value)
