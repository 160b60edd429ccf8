"""What the kernel's processor does while six sessions wait for the person."""

from __future__ import annotations

import time
from collections.abc import Sequence

import psutil

from tests.benchmarks.figure import Figure, Pair, Size
from tests.benchmarks.stage import bare_kernel, processor_seconds, run, scripted_kernel
from tests.kernel import Kernel

__all__ = ["measure"]

SESSIONS = 6
SCRIPT = """
- when: "*ask*"
  steps:
    - ask:
        questions:
          - {question: "Which store?", header: Store, multiSelect: false, options: [{label: Redis}, {label: SQLite}]}
"""


def measure(size: Size) -> Sequence[Figure]:
    """Watch a kernel with six questions pending and one that does nothing, at the same time."""
    with scripted_kernel(SCRIPT) as kernel, bare_kernel() as idle:
        for number in range(SESSIONS):
            run(kernel, f"%%claude -b -s session{number}\nask")

        kernel.wait_until(lambda: _forms(kernel) == SESSIONS, "the questions of all sessions", timeout=120)
        for quiet in (kernel, idle):
            quiet.settle()

        time.sleep(size.idle_seconds)
        pairs = [_watched(kernel, idle, size.idle_seconds) for _ in range(size.runs)]

    name, against = "six sessions with a question pending", "an idle kernel"
    return [Figure(name=name, against=against, unit="ms/s", limit=2, pairs=pairs, is_difference=True)]


def _forms(kernel: Kernel) -> int:
    return len([widget for widget in kernel.widgets.values() if widget.state.get("description") == "Submit answers"])


def _watched(kernel: Kernel, idle: Kernel, seconds: float) -> Pair:
    """Give the milliseconds of processor time that both kernels take in a second."""
    processes = [psutil.Process(kernel.pid), psutil.Process(idle.pid)]
    before = [processor_seconds(process) for process in processes]
    time.sleep(seconds)
    ours, theirs = [
        1000 * (processor_seconds(process) - start) / seconds for process, start in zip(processes, before, strict=True)
    ]
    return Pair(ours=ours, theirs=theirs)
