"""What a callback hands over runs on the loop that made the handover, in order."""

from __future__ import annotations

import asyncio
import contextvars
import threading

from askwidgets.handover import Handover


def test_what_another_thread_hands_over_runs_on_the_loop_in_order() -> None:
    async def hand_over() -> list[tuple[int, bool]]:
        ran: list[tuple[int, bool]] = []
        last = asyncio.Event()
        later = Handover()
        home = threading.current_thread()

        def note(number: int) -> None:
            ran.append((number, threading.current_thread() is home))
            if number == 2:
                last.set()

        def hand_over_all() -> None:
            for number in range(3):
                later(note, number)

        thread = threading.Thread(target=hand_over_all)
        thread.start()
        thread.join()
        await asyncio.wait_for(last.wait(), 5)
        return ran

    assert asyncio.run(hand_over()) == [(0, True), (1, True), (2, True)]


def test_it_runs_in_the_context_of_who_made_it() -> None:
    cell: contextvars.ContextVar[str] = contextvars.ContextVar("cell")

    async def hand_over() -> str:
        cell.set("the cell that asks")
        later = Handover()
        cell.set("another cell")
        seen: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        later(lambda: seen.set_result(cell.get()))
        return await asyncio.wait_for(seen, 5)

    assert asyncio.run(hand_over()) == "the cell that asks"


def test_without_a_loop_it_runs_at_once() -> None:
    ran: list[str] = []
    Handover()(ran.append, "now")
    assert ran == ["now"]


def test_after_its_loop_is_closed_nothing_runs_and_nothing_is_raised() -> None:
    ran: list[str] = []

    async def make() -> Handover:
        return Handover()

    asyncio.run(make())(ran.append, "late")
    assert ran == []
