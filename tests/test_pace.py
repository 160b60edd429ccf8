"""Draws come at most ten times a second, and less often the more they send."""

from __future__ import annotations

import asyncio

from askwidgets.pace import Pace
from tests.clock import Clock


class Drawing:
    """Counts its draws, each of which sends as much."""

    def __init__(self, size: int = 0) -> None:
        self.size = size
        self.count = 0
        self.drawn = asyncio.Event()

    def __call__(self) -> int:
        """Draw."""
        self.count += 1
        self.drawn.set()

        return self.size


def test_without_a_loop_nothing_is_drawn_until_it_is_said() -> None:
    drawing = Drawing()
    pace = Pace(drawing, Clock())
    pace.want()
    assert drawing.count == 0
    pace.draw_now()
    assert drawing.count == 1


def test_many_wishes_in_a_row_are_one_draw() -> None:
    """B47."""

    async def wish() -> int:
        drawing = Drawing()
        pace = Pace(drawing, Clock())

        for _ in range(1_000):
            pace.want()

        await asyncio.wait_for(drawing.drawn.wait(), 5)

        return drawing.count

    assert asyncio.run(wish()) == 1


def test_a_draw_of_a_large_block_puts_the_next_one_off() -> None:
    """B47."""
    clock = Clock()
    pauses = []

    for size in (100, 20_000, 60_000):
        pace = Pace(Drawing(size), clock)
        pace.draw_now()
        pauses.append(pace.pause)

    assert pauses == [0.1, 1.0, 7.0]


def test_a_small_draw_behind_a_large_one_leaves_the_next_put_off() -> None:
    """B47."""
    clock = Clock()
    drawing = Drawing(20_000)
    pace = Pace(drawing, clock)
    pace.draw_now()
    drawing.size = 0
    clock.now += 0.25
    pace.draw_now()
    assert pace.pause == 0.75


def test_a_draw_that_wants_a_further_one_waits_for_it_like_all_others() -> None:
    """B47."""
    count = 0

    async def run() -> None:
        def draw() -> int:
            nonlocal count
            count += 1
            pace.want()

            return 60_000

        pace = Pace(draw, Clock())
        pace.draw_now()

        for _ in range(5):
            await asyncio.sleep(0)

        pace.rest()

    asyncio.run(run())
    assert count == 1


def test_what_is_sent_again_stays_bounded_in_time() -> None:
    """B47."""
    clock = Clock()
    pace = Pace(Drawing(2_000), clock)
    sent = 0

    while clock.now < 100:
        pace.draw_now()
        sent += 2_000
        clock.now += pace.pause

    assert sent < 32_000 + 100 * 4_000 + 4_000


def test_drawing_is_at_most_a_third_of_the_work_and_half_of_the_time() -> None:
    """On a machine where a draw takes long; that it waited for another thread or a terminal is not its work."""
    clock, work = Clock(), Clock()
    pauses = []

    for lasted, worked in ((0.4, 0.15), (0.6, 0.01)):

        def draw(lasted: float = lasted, worked: float = worked) -> int:
            clock.now += lasted
            work.now += worked

            return 0

        pace = Pace(draw, clock, work)
        pace.draw_now()
        pauses.append(round(pace.pause, 9))

    assert pauses == [0.5, 0.6]
