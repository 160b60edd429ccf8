"""The figures are no timed tests; here they are only seen to be taken. Only sizes are the same on every machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.benchmarks import saved_size
from tests.benchmarks.__main__ import BENCHMARKS, main
from tests.benchmarks.figure import Figure, Pair, Size, paired
from tests.benchmarks.report import figure_json, figure_line
from tests.browser import chromium_program


@pytest.mark.ci
@pytest.mark.kernel
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [name for name in BENCHMARKS if name not in {"browser", "saved"}])
def test_every_figure_can_be_taken(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    take(name, tmp_path, capsys)


@pytest.mark.ci
@pytest.mark.kernel
@pytest.mark.timeout(120)
def test_a_run_of_thirty_questions_saves_in_three_times_the_bytes_of_its_text() -> None:
    """The same as a notebook of ten cells takes a little more: the frame of each adds to it."""
    one_cell, ten_cells = saved_size.measure(Size(runs=1))
    assert one_cell.is_reached, figure_line(one_cell)
    assert max(ten_cells.values) < 3.2, figure_line(ten_cells)


@pytest.mark.ci
@pytest.mark.browser
@pytest.mark.timeout(300)
@pytest.mark.skipif(chromium_program() is None, reason="no Chromium")
def test_the_figure_of_the_browser_can_be_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    take("browser", tmp_path, capsys)


def take(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Take a figure at its smallest, and compare the table with what is written."""
    written = tmp_path / "figures.json"
    assert main(["--small", "--only", name, "--json", str(written)]) == 0

    figures = json.loads(written.read_text())["figures"]
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith(figure["name"]) for line, figure in zip(lines[1:], figures, strict=True))
    assert all(figure["min"] <= figure["median"] <= figure["max"] for figure in figures)


def figure(values: Sequence[tuple[float, float]], limit: float, *, is_difference: bool = False) -> Figure:
    pairs = [Pair(ours=ours, theirs=theirs) for ours, theirs in values]
    return Figure(name="a", against="b", unit="s", limit=limit, pairs=pairs, is_difference=is_difference)


def test_the_median_of_the_runs_is_what_counts() -> None:
    assert figure([(1, 1), (2, 1), (9, 1)], limit=2).is_reached
    assert not figure([(1, 1), (3, 1), (9, 1)], limit=2).is_reached
    assert "MISSED" in figure_line(figure([(3, 1)], limit=2))


def test_each_run_is_compared_with_its_own_other_side() -> None:
    assert figure_json(figure([(1, 2), (8, 4)], limit=2))["max"] == 2
    assert figure_json(figure([(1, 2), (8, 4)], limit=2, is_difference=True))["min"] == -1


def test_sides_take_turns_in_going_first() -> None:
    order: list[str] = []

    def side(name: str) -> float:
        order.append(name)
        return 1.0

    paired(2, lambda: side("ours"), lambda: side("theirs"))
    assert order == ["theirs", "ours", "ours", "theirs"]
