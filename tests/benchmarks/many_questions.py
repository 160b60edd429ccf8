"""Whether a kernel stays as quick and as small when it has asked hundreds of questions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

from tests.benchmarks.figure import Figure, Pair, Size
from tests.benchmarks.stage import PATIENCE, newest, scripted_kernel
from tests.cell import Cell
from tests.kernel import Kernel

__all__ = ["measure"]

QUESTION = '    - ask: {{questions: [{{question: "Which store, {}?", header: Store, multiSelect: false, {}}}]}}\n'
OPTIONS = "options: [{label: Redis, description: in memory}, {label: SQLite, description: one file}]"
ASK = "%%claude --new\nask"
WIDGETS = "len(__import__('ipywidgets').widgets.widget._instances)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One kernel that has asked all questions."""

    seconds: Sequence[float]
    """Of each cell."""
    widgets: int
    """How many more are alive than before."""
    megabytes: float
    """How much more memory the kernel takes."""


def measure(size: Size) -> Sequence[Figure]:
    """Ask in some cells one after another, each a conversation of its own, and answer every question."""
    runs = [_run(size) for _ in range(size.runs)]
    name = f"{size.asking_cells * size.questions} questions: "
    last, first = f"the last {size.questions}", f"the first {size.questions}"
    times = [Pair(ours=run.seconds[-1], theirs=run.seconds[0]) for run in runs]
    widgets = [Pair(ours=run.widgets, theirs=0) for run in runs]
    memory = [Pair(ours=run.megabytes, theirs=0) for run in runs]
    return [
        Figure(name=name + last, against=first, unit="s", limit=1.2, pairs=times),
        Figure(name=name + "live widgets", against="before", unit="", limit=0, pairs=widgets, is_difference=True),
        Figure(name=name + "memory", against="before", unit="MB", limit=30, pairs=memory, is_difference=True),
    ]


def _run(size: Size) -> _Run:
    asks = "".join(QUESTION.format(number, OPTIONS) for number in range(size.questions))
    with scripted_kernel(f'- when: "*ask*"\n  steps:\n{asks}') as kernel:
        # The first cell loads all there is to load.
        _answered_cell(kernel, size.questions)
        process = psutil.Process(kernel.pid)
        before, widgets = process.memory_info().rss, int(kernel.value(WIDGETS))
        seconds = [_answered_cell(kernel, size.questions) for _ in range(size.asking_cells)]
        return _Run(
            seconds=seconds,
            widgets=int(kernel.value(WIDGETS)) - widgets,
            megabytes=(process.memory_info().rss - before) / 1e6,
        )


def _answered_cell(kernel: Kernel, questions: int) -> float:
    """Run a cell that asks, pick an option of each question and submit it; give the seconds from the first form on."""
    cell = kernel.execute(ASK)
    begin = 0.0
    for number in range(questions):
        radios = newest(kernel, cell, _model_name="RadioButtonsModel")
        begin = begin or time.monotonic()
        kernel.set_state(radios, index=number % 2)
        submit = newest(kernel, cell, description="Submit answers", disabled=False)
        (view,) = cell.view_ids
        kernel.click(submit)
        submit.open = radios.open = False
        _wait_for_receipt(kernel, cell, view)

    kernel.finish(cell, timeout=PATIENCE)
    assert cell.status == "ok", cell.text
    seconds = time.monotonic() - begin
    for widget in [widget for widget in kernel.widgets.values() if not widget.open]:
        # What this process keeps must not slow down its side.
        del kernel.widgets[widget.comm_id]

    return seconds


def _wait_for_receipt(kernel: Kernel, cell: Cell, view: str) -> None:
    kernel.wait_until(lambda: view not in cell.view_ids, "the receipt")
