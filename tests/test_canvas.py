"""What a draw leaves over is drawn by itself, and at once where something else is to stand below it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from askwidgets.canvas import Canvas
from tests.clock import Clock
from tests.recorded_outputs import RecordedOutputs


@dataclass(eq=False)
class Steps:
    """Shows one of its words with each draw."""

    outputs: RecordedOutputs
    words: list[str]
    shown: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_behind(self) -> bool:
        """Whether there is a word left."""
        return bool(self.words)

    def draw(self) -> int:
        """Show the next word."""
        self.outputs.show({"text/plain": self.words.pop(0)})

        if not self.words:
            self.shown.set()

        return 0


def test_what_a_draw_leaves_over_is_drawn_by_itself() -> None:
    async def plain() -> str:
        outputs = RecordedOutputs()
        canvas = Canvas(outputs, Clock())
        steps = Steps(outputs, ["one", "two", "three"])
        canvas.change(steps)
        await asyncio.wait_for(steps.shown.wait(), 10)

        return outputs.plain

    assert asyncio.run(plain()).split()[-3:] == ["one", "two", "three"]


def test_what_is_shown_below_stands_below_all_of_it() -> None:
    outputs = RecordedOutputs()
    canvas = Canvas(outputs, Clock())
    canvas.change(Steps(outputs, ["one", "two"]))
    canvas.show({"text/plain": "below"})
    assert outputs.plain.split()[-3:] == ["one", "two", "below"]
