"""The figures as a table to read and as JSON to keep."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from statistics import median

from tests.benchmarks.figure import Figure

__all__ = ["figure_json", "figure_line", "heading", "machine_json"]

_LINE = "{:<62} {:>10} {:>10} {:<6} {:>8} {:>8} {:>8}  {}"
_PACKAGES = ("askwidgets", "claude-agent-sdk", "ipykernel", "ipywidgets")


def heading() -> str:
    """Give the table's first line."""
    return _LINE.format("what / against", "ours", "theirs", "", "min", "median", "max", "to reach")


def figure_line(figure: Figure) -> str:
    """Give a figure's line: the medians of both sides, and the spread of what the runs gave."""
    ours = median(pair.ours for pair in figure.pairs)
    theirs = median(pair.theirs for pair in figure.pairs)
    values = figure.values
    wanted = f"{figure.limit:g} {figure.unit}" if figure.is_difference else f"{figure.limit:g} times"
    return _LINE.format(
        f"{figure.name} / {figure.against}",
        _number(ours),
        _number(theirs),
        figure.unit,
        _number(min(values)),
        _number(median(values)),
        _number(max(values)),
        wanted if figure.is_reached else f"{wanted}  MISSED",
    )


def figure_json(figure: Figure) -> Mapping[str, object]:
    """Give all that is known of a figure."""
    values = figure.values
    return {
        "name": figure.name,
        "against": figure.against,
        "unit": figure.unit,
        "kind": "difference" if figure.is_difference else "ratio",
        "limit": figure.limit,
        "reached": figure.is_reached,
        "min": min(values),
        "median": median(values),
        "max": max(values),
        "ours": [pair.ours for pair in figure.pairs],
        "theirs": [pair.theirs for pair in figure.pairs],
    }


def machine_json(figures: Sequence[Figure]) -> Mapping[str, object]:
    """Give the figures, and on what they were taken."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "packages": {name: version(name) for name in _PACKAGES},
        "figures": [figure_json(figure) for figure in figures],
    }


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"
