"""The first to settle wins, from any thread, and everybody who waits is woken."""

from __future__ import annotations

import asyncio
import threading

import pytest

from askwidgets.once import Once


def test_the_first_value_wins_and_later_ones_change_nothing() -> None:
    """B20."""
    once: Once[str] = Once()
    assert (once.done, once.value) == (False, None)
    assert once.settle("allow")
    assert not once.settle("deny")
    assert once.done
    assert once.value == "allow"


def test_none_is_a_value_too() -> None:
    once: Once[None] = Once()
    assert once.settle(None)
    assert once.done
    assert not once.settle(None)


def test_waiting_ends_when_another_thread_settles() -> None:
    async def wait_for_thread() -> str:
        once: Once[str] = Once()
        waiting = asyncio.create_task(once.wait())
        await asyncio.sleep(0)
        thread = threading.Thread(target=once.settle, args=("allow",))
        thread.start()
        thread.join()
        return await asyncio.wait_for(waiting, 5)

    assert asyncio.run(wait_for_thread()) == "allow"


def test_everybody_who_waits_gets_the_value_also_afterwards() -> None:
    async def wait_thrice() -> list[str]:
        once: Once[str] = Once()
        waiting = [asyncio.create_task(once.wait()) for _ in range(2)]
        await asyncio.sleep(0)
        once.settle("allow")
        return [*await asyncio.gather(*waiting), await once.wait()]

    assert asyncio.run(wait_thrice()) == ["allow"] * 3


def test_a_cancelled_wait_settles_nothing() -> None:
    """B27."""

    async def cancel() -> bool:
        once: Once[str] = Once()
        waiting = asyncio.create_task(once.wait())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

        return once.settle("later")

    assert asyncio.run(cancel())


def test_settling_after_the_loop_of_who_waits_is_closed_raises_nothing() -> None:
    once: Once[str] = Once()
    loop = asyncio.new_event_loop()
    waiting = loop.create_task(once.wait())
    loop.run_until_complete(asyncio.sleep(0))
    waiting.cancel()
    loop.run_until_complete(asyncio.gather(waiting, return_exceptions=True))
    loop.close()
    assert once.settle("late")


def test_only_one_of_many_threads_wins() -> None:
    """B21."""
    once: Once[int] = Once()
    barrier = threading.Barrier(8)
    won: list[int] = []

    def race(number: int) -> None:
        barrier.wait(5)
        if once.settle(number):
            won.append(number)

    threads = [threading.Thread(target=race, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()

    for thread in threads:
        thread.join()

    assert won == [once.value]
