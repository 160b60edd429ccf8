"""The stop button in every phase of a turn: the real signal to the real process group of the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agent import ASKS, GREETS, RUNS, WRITES
from tests.cell import Cell
from tests.kernel import Kernel
from tests.scripted_kernel import NEWEST, choices, cli_pids, faulty_cli, scripted_kernel, ways

pytestmark = pytest.mark.kernel

SCRIPT = ASKS + WRITES + RUNS + GREETS
SOON = 1.0
"""Seconds within which a cell has to end."""


@pytest.fixture(params=ways(NEWEST))
def kernel(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kernel]:
    setup = "permits = {'allow': ['Bash']}"

    with scripted_kernel(tmp_path, SCRIPT, request.param, setup=setup) as kernel:
        assert kernel.run("%%claude\nPlease greet me.").status == "ok"
        yield kernel


def interrupt(kernel: Kernel, cell: Cell) -> None:
    """Press stop; the cell has to end soon, as interrupted."""
    kernel.interrupt()
    kernel.finish(cell, timeout=SOON)
    assert cell.status == "error"
    assert cell.text.splitlines()[-1].startswith("KeyboardInterrupt: the turn was interrupted")
    assert cell.text.count("KeyboardInterrupt") == 1
    assert "Traceback" not in cell.text
    assert "Interrupted" in cell.html


def wait_for_start(kernel: Kernel, folder: Path, started: str) -> None:
    """Wait until the stand-in for the CLI was started that often."""
    starts = folder / "starts"
    kernel.wait_until(lambda: starts.exists() and starts.read_text() == started, "the start of the CLI")


def test_in_every_phase_of_a_warm_session_the_cell_ends_soon_and_the_same_cli_goes_on(
    kernel: Kernel, tmp_path: Path
) -> None:
    """B27, B41 (a) (b) (d), B62."""
    pids = cli_pids(kernel)
    assert len(pids) == 1

    cell = kernel.execute("%%claude --into turn\nPlease write a tale.")
    kernel.wait_until(lambda: "Once upon a time" in cell.html, "the first words")
    interrupt(kernel, cell)
    assert "Once upon a time" in cell.text
    assert kernel.value("'turn' in globals()") == "False"

    cell = kernel.execute("%%claude\nPlease ask me.")
    choices(kernel)
    interrupt(kernel, cell)
    kernel.wait_until(lambda: not kernel.find(description="Submit answers"), "no form")
    assert "Let me ask first." in cell.text

    cell = kernel.execute("%%claude --answers permits\nPlease run it.")
    kernel.wait_until((tmp_path / "began").exists, "the tool at work")
    interrupt(kernel, cell)

    cell = kernel.execute("%%claude\nPlease ask me.")
    choices(kernel)
    kernel.interrupt()
    interrupt(kernel, cell)

    greeting = kernel.run("%%claude\nPlease greet me.")
    assert greeting.status == "ok", greeting.text
    assert "Hello there." in greeting.text
    assert cli_pids(kernel) == pids
    assert "ready" in kernel.run("%claude status").text


@pytest.mark.parametrize("way", ways(NEWEST))
def test_run_all_stops_at_an_interrupted_cell(way: str, tmp_path: Path) -> None:
    """B41."""
    with scripted_kernel(tmp_path, SCRIPT, way) as kernel:
        cell = kernel.execute("%%claude\nPlease ask me.")
        following = [kernel.execute("ran = True"), kernel.execute("ran = True")]
        choices(kernel)
        interrupt(kernel, cell)

        assert [kernel.finish(cell).status for cell in following] == ["aborted", "aborted"]
        # For a moment the kernel aborts whatever comes.
        kernel.wait_until(lambda: kernel.run("1").status == "ok", "a cell that runs")
        assert kernel.value("'ran' in globals()") == "False"


@pytest.mark.parametrize("way", ways(NEWEST))
def test_while_the_cli_starts_the_cell_ends_soon_and_the_next_one_starts_it(way: str, tmp_path: Path) -> None:
    """B41 (c), B70."""
    cli = faulty_cli(tmp_path, "stuck", "stuck")

    with scripted_kernel(tmp_path, SCRIPT, way, setup=f"%config ClaudeMagics.cli_path = {str(cli)!r}") as kernel:
        for started in ("x", "xx"):
            cell = kernel.execute("%%claude\nPlease greet me.")
            wait_for_start(kernel, tmp_path, started)
            assert "Starting" in cell.text
            interrupt(kernel, cell)

        greeting = kernel.run("%%claude\nPlease greet me.")
        assert greeting.status == "ok", greeting.text
        assert len(cli_pids(kernel)) == 1


def test_an_interrupt_while_a_turn_of_the_background_runs_stops_only_the_cell(tmp_path: Path) -> None:
    with scripted_kernel(tmp_path, SCRIPT) as kernel:
        asking = kernel.run("%%claude -s other -b\nPlease ask me.")
        choices(kernel)
        busy = kernel.execute("import time; open('busy', 'w').close(); time.sleep(60)")
        kernel.wait_until((tmp_path / "busy").exists, "the cell at work")
        kernel.interrupt()

        assert kernel.finish(busy).status == "error"
        assert "Interrupted" not in asking.text
        assert "waits for your answer" in kernel.run("%claude status").text
