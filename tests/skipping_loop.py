"""An event loop whose clock jumps to the next timer instead of waiting for it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import TypeVar

__all__ = ["run"]

T = TypeVar("T")


class _SkippingSelector(selectors.SelectSelector):
    """Waits only for other threads and files, never for time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(None if timeout is None else 0)
        if not ready and timeout is not None and timeout > 0:
            self.now += timeout

        return ready


class _SkippingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._clock = _SkippingSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


def run(main: Coroutine[object, object, T]) -> T:
    """Run ``main`` as ``asyncio.run`` does, in no time."""
    loop = _SkippingLoop()
    try:
        return loop.run_until_complete(main)
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
