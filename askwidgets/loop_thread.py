"""An event loop in a thread of its own, so that neither a busy kernel nor another cell can starve it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import selectors
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from typing import TypeVar

import sniffio

__all__ = ["LoopThread", "SparingSelector"]

_SHORTEST = 0.006
"""Seconds between two looks at the files while callbacks wait to run.

Longer than the interpreter's switch interval, 5 ms: a thread that waits for it asks for its turn after that long, and
each look lets it begin to wait anew.
"""

T = TypeVar("T")


class SparingSelector(selectors.DefaultSelector):
    """Looks at the files at most once in 6 ms while callbacks wait to run.

    asyncio looks before each round of callbacks, and anyio needs a round for each message. A look lets go of the
    interpreter, which a main thread that draws then keeps for 5 ms: a message each.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._due = clock()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Give the files that are ready; asked not to wait, it may say that none is until the next look."""
        if timeout is not None and timeout <= 0 and self._clock() < self._due:
            return []

        ready = super().select(timeout)
        self._due = self._clock() + _SHORTEST

        return ready


class LoopThread:
    """Runs coroutines for other threads.

    The thread is a daemon: a kernel must be able to end while a turn runs, and a pool's thread would be joined.
    """

    def __init__(self, name: str) -> None:
        self._loop = _new_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        # Otherwise anyio looks before each message which library runs: a tenth of reading one before Python 3.12.
        sniffio.thread_local.name = "asyncio"
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(_finish())
        self._loop.close()

    @property
    def is_alive(self) -> bool:
        """Whether coroutines can still be started."""
        return self._thread.is_alive()

    def start(self, coroutine: Coroutine[object, object, T]) -> concurrent.futures.Future[T]:
        """Start a coroutine from any thread; cancelling the future cancels it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def stop(self) -> None:
        """End the thread once what is running now has yielded."""
        if self.is_alive:
            self._loop.call_soon_threadsafe(self._loop.stop)
            # A thread that does not end must not keep the kernel from ending: it is a daemon.
            self._thread.join(timeout=5.0)


async def _finish() -> None:
    """Cancel what is left, so that whoever waits for it in another thread is told."""
    left = asyncio.all_tasks() - {asyncio.current_task()}

    for task in left:
        task.cancel()

    await asyncio.gather(*left, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()


def _new_loop() -> asyncio.AbstractEventLoop:
    # Windows kernels set a policy of selector loops, which cannot start processes.
    if sys.platform == "win32":
        return asyncio.ProactorEventLoop()
    else:  # noqa: RET505 - mypy knows by it what is checked on which platform
        loop = asyncio.new_event_loop()

        # With the policy of uvloop, which has no child watcher, only its own loops can start processes.
        if type(loop) is not asyncio.SelectorEventLoop:
            return loop

        loop.close()

        return asyncio.SelectorEventLoop(SparingSelector())
