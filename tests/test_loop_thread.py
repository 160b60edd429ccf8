"""The thread of a session runs nothing but asyncio, and says so."""

from __future__ import annotations

import asyncio

import sniffio

from askwidgets.loop_thread import LoopThread


def test_whoever_asks_in_the_thread_is_told_asyncio_also_outside_of_a_task() -> None:
    thread = LoopThread("tested")

    async def asked() -> str:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()
        loop.call_soon(lambda: answer.set_result(sniffio.current_async_library()))

        return await answer

    try:
        assert thread.start(asked()).result(10) == "asyncio"
    finally:
        thread.stop()
