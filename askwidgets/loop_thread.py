"""An event loop in a thread of its own, so that neither a busy kernel nor another cell can starve it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import sys
import threading
from collections.abc import Coroutine
from typing import TypeVar

import sniffio

__all__ = ["LoopThread"]

T = TypeVar("T")


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
        return asyncio.new_event_loop()
