"""What loading the extension costs in a fresh kernel."""

from __future__ import annotations

from collections.abc import Sequence

from tests.benchmarks.figure import Figure, Size, paired
from tests.benchmarks.stage import bare_kernel

__all__ = ["measure"]

TIMED = "import time\nbegin = time.perf_counter()\n{}\nseconds = time.perf_counter() - begin"


def measure(size: Size) -> Sequence[Figure]:
    """Time ``%load_ext`` and the import of ipywidgets, each in a kernel of its own."""
    pairs = paired(size.runs, lambda: _seconds("%load_ext askwidgets"), lambda: _seconds("import ipywidgets"))
    name, against = "%load_ext askwidgets in a fresh kernel", "import ipywidgets"
    return [Figure(name=name, against=against, unit="s", limit=1.3, pairs=pairs)]


def _seconds(code: str) -> float:
    with bare_kernel() as kernel:
        cell = kernel.run(TIMED.format(code))
        assert cell.status == "ok", cell.text
        return float(kernel.value("seconds"))
