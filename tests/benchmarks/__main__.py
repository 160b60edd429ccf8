"""Takes the figures: ``python -m tests.benchmarks [--small] [--only NAME] [--json FILE]``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks import browser_click, form_cost, idle, loading, many_questions, saved_size, stream, warm_turn
from tests.benchmarks.figure import Benchmark, Figure, Size
from tests.benchmarks.report import figure_line, heading, machine_json

__all__ = ["BENCHMARKS", "main"]

BENCHMARKS: Mapping[str, Benchmark] = {
    "load": loading.measure,
    "turn": warm_turn.measure,
    "question": form_cost.measure_question,
    "click": form_cost.measure_click,
    "browser": browser_click.measure,
    "stream": stream.measure,
    "many": many_questions.measure,
    "saved": saved_size.measure,
    "idle": idle.measure,
}
"""By the name that ``--only`` takes."""
SMALL = Size(runs=1, deltas=500, questions=2, asking_cells=2, saved_bytes=5_000, idle_seconds=0.5)
"""To see that everything runs; the figures say nothing."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the figures named, all by default, print each as soon as it is known, and give 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--small", action="store_true", help="only see that everything runs")
    parser.add_argument("--only", action="append", choices=sorted(BENCHMARKS), help="take this one; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was measured there")
    given = parser.parse_args(arguments)
    size = SMALL if given.small else Size()

    print(heading(), flush=True)  # noqa: T201 - a script reports to its terminal
    figures: list[Figure] = []
    for name, measure in BENCHMARKS.items():
        if name in (given.only or BENCHMARKS):
            for figure in measure(size):
                figures.append(figure)
                print(figure_line(figure), flush=True)  # noqa: T201

    if given.json is not None:
        given.json.write_text(json.dumps(machine_json(figures), indent=2))

    return 0


if __name__ == "__main__":
    sys.exit(main())
