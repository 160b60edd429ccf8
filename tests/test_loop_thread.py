"""The thread of a session runs nothing but asyncio, and says so; busy, it seldom looks at files."""

from __future__ import annotations

import asyncio
import selectors
import socket

import pytest
import sniffio

from askwidgets.loop_thread import LoopThread, SparingSelector
from tests.clock import Clock


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


def test_a_busy_loop_looks_at_files_once_in_six_milliseconds() -> None:
    clock = Clock()
    ours, theirs = socket.socketpair()

    with ours, theirs, SparingSelector(clock) as selector:
        selector.register(ours, selectors.EVENT_READ)
        theirs.send(b"word")
        seen = []

        for now in (0.0, 0.0055, 0.006, 0.0115):
            clock.now = now
            seen.append(len(selector.select(0)))

    assert seen == [1, 0, 1, 0]


@pytest.mark.parametrize("timeout", [None, 60.0])
def test_a_loop_with_nothing_to_do_looks_at_once(timeout: float | None) -> None:
    clock = Clock()
    ours, theirs = socket.socketpair()

    with ours, theirs, SparingSelector(clock) as selector:
        selector.register(ours, selectors.EVENT_READ)
        theirs.send(b"word")
        selector.select(0)
        assert len(selector.select(timeout)) == 1


def test_a_session_that_is_always_busy_hears_a_file_but_looks_seldom() -> None:
    thread = LoopThread("tested")

    async def rounds() -> int:
        """Count the rounds of callbacks until what was sent is heard."""
        loop = asyncio.get_running_loop()
        heard = loop.create_future()
        ours, theirs = socket.socketpair()
        count = 0

        with ours, theirs:
            loop.add_reader(ours, lambda: heard.set_result(ours.recv(4)))
            theirs.send(b"word")

            while not heard.done():
                count += 1
                await asyncio.sleep(0)

            loop.remove_reader(ours)

        return count

    try:
        # One alone may come late on a machine with much to do, when the next look is due already.
        assert max(thread.start(rounds()).result(10) for _ in range(20)) > 10
    finally:
        thread.stop()
