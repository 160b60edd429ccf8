"""What it costs to show a form, and to take the click that settles it, beside bare widgets."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.benchmarks.figure import Figure, Size, paired
from tests.benchmarks.stage import IopubMeter, bare_kernel, newest, run
from tests.cell import Cell
from tests.kernel import Kernel

__all__ = ["measure_click", "measure_question"]

SETUP = """
from tests.benchmarks.asking import Asker, Bare, question_input

asked = question_input({questions}, previews=True)
asker, bare = Asker(get_ipython()), Bare(asked)
"""
ASK = "await asker.ask(asked)"
WIDGET_MESSAGES = frozenset({"comm_open", "comm_msg", "display_data"})


def measure_question(size: Size) -> Sequence[Figure]:
    """Take the time from the callback's call to the last widget message: 4 questions of 4 options with previews."""
    with _asking_kernel(questions=4) as kernel, IopubMeter.listening(kernel) as meter:

        def ours() -> float:
            cell = kernel.execute(ASK)
            discuss = newest(kernel, cell, description="Discuss instead")
            kernel.settle()
            clicked = time.time()
            kernel.click(discuss)
            kernel.finish(cell)
            return _last_widget_message(meter, before=clicked) - float(kernel.value("asker.called"))

        def theirs() -> float:
            run(kernel, "bare.show()")
            last = _last_widget_message(meter, before=time.time())
            run(kernel, "bare.close()")
            return last - float(kernel.value("bare.called"))

        for take in (ours, theirs):
            take()

        pairs = paired(size.runs, ours, theirs)

    name, against = "a question: 4 of 4 options with previews", "as many bare ipywidgets"
    return [Figure(name=name, against=against, unit="s", limit=1.5, pairs=pairs)]


def measure_click(size: Size) -> Sequence[Figure]:
    """Take the time from the click at the frontend to what waits for it in another thread of the kernel."""
    with _asking_kernel(questions=1) as kernel:

        def ours() -> float:
            cell = kernel.execute(ASK)
            kernel.set_state(newest(kernel, cell, _model_name="RadioButtonsModel"), index=0)
            clicked = _click(kernel, cell, description="Submit answers", disabled=False)
            return 1000 * (float(kernel.value("asker.resolved")) - clicked)

        def theirs() -> float:
            cell = kernel.execute("await bare.wait_for_click()")
            clicked = _click(kernel, cell, description="Bare")
            return 1000 * (float(kernel.value("bare.resolved")) - clicked)

        for take in (ours, theirs):
            take()

        pairs = paired(size.runs, ours, theirs)

    name, against = "a click to the resolved callback", "a bare button to a future of another thread"
    return [Figure(name=name, against=against, unit="ms", limit=5, pairs=pairs, is_difference=True)]


@contextmanager
def _asking_kernel(*, questions: int) -> Iterator[Kernel]:
    with bare_kernel() as kernel:
        run(kernel, SETUP.format(questions=questions))
        yield kernel


def _last_widget_message(meter: IopubMeter, *, before: float) -> float:
    return max(message.date for message in meter.heard() if message.kind in WIDGET_MESSAGES and message.date < before)


def _click(kernel: Kernel, cell: Cell, **state: object) -> float:
    """Click the button once it is there, wait until its cell has ended, and give the time of the click."""
    button = newest(kernel, cell, **state)
    kernel.settle()
    clicked = time.time()
    kernel.click(button)
    kernel.finish(cell)
    return clicked
