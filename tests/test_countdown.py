"""A countdown ends once, after the time that nobody was at it."""

from __future__ import annotations

import asyncio

import pytest

from askwidgets.countdown import Countdown
from tests.skipping_loop import run


@pytest.mark.parametrize("timeout", [0.0, 0.3, 1.0, 61.5])
def test_it_ends_once_after_its_time(timeout: float) -> None:
    ended: list[float] = []

    async def main() -> None:
        time = asyncio.get_running_loop().time
        begin = time()
        countdown = Countdown(timeout, show=lambda _: None, ended=lambda: ended.append(time() - begin))
        countdown.start()
        countdown.start()
        await asyncio.sleep(200)

    run(main())
    assert ended == [pytest.approx(timeout, abs=0.01)]


def test_it_shows_minutes_and_seconds() -> None:
    shown: list[str] = []

    async def main() -> None:
        Countdown(62, show=shown.append, ended=lambda: shown.append("over")).start()
        await asyncio.sleep(100)

    run(main())
    assert shown[:4] == ["1:02 left", "1:01 left", "1:00 left", "0:59 left"]
    assert shown[-1] == "over"


def test_a_pause_takes_no_time_off() -> None:
    async def main() -> float:
        ended = asyncio.Event()
        countdown = Countdown(30, show=lambda _: None, ended=ended.set)
        countdown.start()
        begin = asyncio.get_running_loop().time()
        await asyncio.sleep(5)
        countdown.pause()
        await asyncio.sleep(3)
        countdown.pause()
        await ended.wait()
        return asyncio.get_running_loop().time() - begin

    assert run(main()) == pytest.approx(30 + 13, abs=0.1)


def test_stopped_it_never_ends() -> None:
    ended: list[bool] = []

    async def main() -> None:
        countdown = Countdown(30, show=lambda _: None, ended=lambda: ended.append(True))
        countdown.stop()
        countdown.start()
        countdown.pause()
        countdown.stop()
        await asyncio.sleep(100)

    run(main())
    assert ended == []
