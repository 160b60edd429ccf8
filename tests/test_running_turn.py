"""A running turn passes messages from the session's thread to the loop that awaits it."""

from __future__ import annotations

import asyncio

from askwidgets.loop_thread import LoopThread
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Outcome, QuestionRequest
from askwidgets.running_turn import Callbacks, RunningTurn
from askwidgets.turn_record import TurnRecord


async def ask(_: QuestionRequest) -> Outcome:
    """Nothing is asked here."""
    raise AssertionError


async def permit(_: PermissionRequest) -> Decision:
    """Nothing is to be permitted here."""
    raise AssertionError


def test_parts_come_home_soon_and_together_and_before_what_follows_them() -> None:
    seen: list[str] = []
    rounds: set[int] = set()
    thread = LoopThread("session")

    async def turn() -> None:
        loop = asyncio.get_running_loop()
        seen_all = asyncio.Event()
        passed = 0

        def see(message: object) -> None:
            seen.append(str(message))
            rounds.add(passed)
            if len(seen) in {200, 202}:
                seen_all.set()

        def next_round() -> None:
            nonlocal passed
            passed += 1
            loop.call_soon(next_round)

        loop.call_soon(next_round)
        running = RunningTurn(TurnRecord("Go"), Callbacks(ask=ask, permit=permit, on_message=see))

        async def deliver(*parts: str) -> None:
            for part in parts:
                running.deliver_part(part)
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop))

        await asyncio.wrap_future(thread.start(deliver(*map(str, range(200)))))
        await asyncio.wait_for(seen_all.wait(), 10)
        seen_all.clear()

        async def end() -> None:
            running.deliver_part("200")
            running.deliver("whole")

        await asyncio.wrap_future(thread.start(end()))
        await asyncio.wait_for(seen_all.wait(), 10)

    asyncio.run(turn())
    thread.stop()

    assert seen == [*map(str, range(201)), "whole"]
    assert len(rounds) < 100
