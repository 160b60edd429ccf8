"""A turn in a cell of a real kernel: answered while the cell runs, stopped, killed, reached without await."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.agent import ASKS, GREETS, scripted_model
from tests.cell import Cell
from tests.environments import Environment
from tests.kernel import Kernel
from tests.scripted_kernel import NEWEST, OLDEST, answer, choices, cli_pids, scripted_kernel, ways

pytestmark = pytest.mark.kernel

SCRIPT = ASKS + GREETS

READ = 'Your questions have been answered: "Which store should hold sessions?"="SQLite"'
ASK = "%%claude --into turn\nPlease ask me."
GREET = "%%claude --into greeting\nPlease greet me."


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """Give the kernel of the tests that leave it as good as new."""
    with scripted_kernel(tmp_path_factory.mktemp("kernel"), SCRIPT) as kernel:
        yield kernel


@pytest.fixture
def own_kernel(tmp_path: Path) -> Iterator[Kernel]:
    """Give a kernel to a test that ends it."""
    with scripted_kernel(tmp_path, SCRIPT) as kernel:
        yield kernel


def processes(kernel: Kernel) -> list[psutil.Process]:
    return list(map(psutil.Process, cli_pids(kernel)))


def wait_for_question(kernel: Kernel) -> Cell:
    """Run the cell that asks and wait until its form stands there."""
    cell = kernel.execute(ASK)
    choices(kernel)
    return cell


@pytest.mark.parametrize("way", ways(NEWEST, OLDEST))
def test_a_question_is_answered_while_its_cell_runs_and_the_next_cell_uses_the_answer(way: str, tmp_path: Path) -> None:
    """B37, B38, B39."""
    with scripted_kernel(tmp_path, SCRIPT, way) as kernel:
        asking = kernel.execute(ASK)
        following = kernel.execute("print(turn.text)")
        answer(kernel)

        assert kernel.finish(asking).status == "ok", asking.text
        assert READ in kernel.finish(following).text
        assert "Answered" in asking.text
        assert "SQLite" in asking.html
        assert asking.view_ids == []
        kernel.wait_until(lambda: not any(widget.open for widget in kernel.widgets.values()), "the form to close")

        again = kernel.execute(ASK)
        answer(kernel)
        assert kernel.finish(again).status == "ok", again.text
        assert READ in kernel.value("turn.text")
        assert len(cli_pids(kernel)) == 1


@pytest.mark.parametrize("way", ways(NEWEST, OLDEST))
def test_the_stop_button_ends_a_waiting_question_and_the_session_goes_on(way: str, tmp_path: Path) -> None:
    """B27, B41, B62."""
    with scripted_kernel(tmp_path, SCRIPT, way) as kernel:
        asking = wait_for_question(kernel)
        clis = cli_pids(kernel)
        kernel.interrupt()

        assert kernel.finish(asking, timeout=5).status == "error"
        assert "KeyboardInterrupt" in asking.text
        assert "Interrupted" in asking.text
        assert kernel.shown() == []
        # ipykernel 6 still aborts what comes a moment after an error.
        kernel.wait_until(lambda: kernel.run(GREET).status == "ok", "the next cell")
        assert kernel.value("greeting.text") == "'Hello there.'"
        assert len(clis) == 1
        assert cli_pids(kernel) == clis


def test_two_interrupts_in_a_row_are_one(kernel: Kernel) -> None:
    """B41 (d)."""
    asking = wait_for_question(kernel)
    kernel.interrupt()
    kernel.interrupt()

    assert "KeyboardInterrupt" in kernel.finish(asking, timeout=5).text
    assert kernel.run(GREET).status == "ok"


def test_a_prompt_right_behind_an_interrupt_waits_for_the_turn_to_end(kernel: Kernel) -> None:
    kernel.run(ASK.replace("--into", "-b --into"))
    choices(kernel)
    kernel.execute("%claude interrupt")
    greeting = kernel.run(GREET)

    assert greeting.status == "ok", greeting.text


def test_a_killed_kernel_leaves_no_cli_behind(own_kernel: Kernel) -> None:
    """B34."""
    wait_for_question(own_kernel)
    clis = processes(own_kernel)
    assert len(clis) == 1
    own_kernel.kill()

    assert psutil.wait_procs(clis, timeout=5)[1] == []


def test_a_terminated_kernel_leaves_no_cli_behind(own_kernel: Kernel) -> None:
    """B34."""
    wait_for_question(own_kernel)
    clis = processes(own_kernel)
    assert len(clis) == 1
    own_kernel.terminate()

    assert psutil.wait_procs(clis, timeout=5)[1] == []


def test_unloading_ends_the_cli_and_takes_the_magics_away(kernel: Kernel) -> None:
    """B34."""
    assert kernel.run(GREET).status == "ok"
    clis = processes(kernel)
    kernel.run("%unload_ext askwidgets")

    assert psutil.wait_procs(clis, timeout=5)[1] == []
    assert "claude" in kernel.run("%%claude\nhello").text
    assert kernel.run("%load_ext askwidgets\n%claude demo script.yaml").status == "ok"
    assert kernel.run(GREET).status == "ok"
    assert len(cli_pids(kernel)) == 1


def test_with_nobody_there_a_question_fails_its_cell_at_once(kernel: Kernel) -> None:
    """B45."""
    asking = kernel.run(ASK, allow_stdin=False)

    assert asking.status == "error"
    assert "Which store should hold sessions?" in asking.text
    assert "Redis" in asking.text
    assert "Traceback" not in asking.text


def test_answers_given_beforehand_need_nobody(kernel: Kernel) -> None:
    """B45."""
    kernel.run("answers = {'Which store*': 'SQLite'}")
    asking = kernel.run(ASK.replace("--into", "--answers answers --into"), allow_stdin=False)

    assert asking.status == "ok", asking.text
    assert READ in kernel.value("turn.text")


NESTED = {
    "%%time": "%%time\n{cell}",
    "%%capture": "%%capture captured\n{cell}",
    "a function": "def run():\n    get_ipython().run_cell_magic('claude', '--into turn', 'Please ask me.')\nrun()",
    "%autoawait off": "{cell}",
}


def answer_through_input(kernel: Kernel, cell: str) -> Cell:
    asking = kernel.execute(cell)
    kernel.wait_until(lambda: asking.stdin_prompts, "a question on stdin")
    kernel.reply_to_stdin("2")

    return kernel.finish(asking)


@pytest.mark.parametrize("way", ways("7.4.0 plain"))
def test_where_a_cell_cannot_await_the_question_is_asked_through_input(way: str, tmp_path: Path) -> None:
    with scripted_kernel(tmp_path, SCRIPT, way) as kernel:
        for name, code in NESTED.items():
            kernel.run(f"turn = None\n{name if code == '{cell}' else ''}")
            asking = answer_through_input(kernel, code.format(cell=ASK))

            assert asking.status == "ok", asking.text
            assert "never awaited" not in asking.text
            assert READ in kernel.value("turn.text"), name


def test_the_cli_is_started_with_the_extension_where_that_is_wanted(tmp_path: Path) -> None:
    with scripted_model(SCRIPT) as server:
        environment = server.env(tmp_path / "claude")
        with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path, environment=environment) as kernel:
            kernel.run("get_ipython().config.ClaudeMagics.start_cli = True\n%load_ext askwidgets")
            kernel.wait_until(lambda: len(cli_pids(kernel)) == 1, "the CLI")
            started = cli_pids(kernel)

            assert kernel.run(GREET).status == "ok"
            assert kernel.value("greeting.text") == "'Hello there.'"
            assert cli_pids(kernel) == started
