"""A turn in a cell of a real kernel: answered while the cell runs, stopped, killed, reached without await."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.cell import Cell
from tests.environments import Environment
from tests.kernel import Kernel, Widget

pytestmark = pytest.mark.kernel

SCRIPT = """
- when: "*ask*"
  steps:
    - say: "Let me ask first."
    - ask:
        questions:
          - question: "Which store should hold sessions?"
            header: Store
            multiSelect: false
            options:
              - {label: Redis, description: in memory}
              - {label: SQLite, description: one file}
    - expect: "Your questions have been answered"
    - say: "The model read: {last_result}"
- when: "*greet*"
  steps:
    - say: "Hello there."
"""

READ = 'Your questions have been answered: "Which store should hold sessions?"="SQLite"'
ASK = "%%claude --into turn\nPlease ask me."
GREET = "%%claude --into greeting\nPlease greet me."

WAYS = ["7.4.0 plain", "7.4.0 subshell", "7.2.0 plain", "7.2.0 subshell", "6.29.5 plain"]


@contextmanager
def demo_kernel(folder: Path, way: str = "7.4.0 subshell") -> Iterator[Kernel]:
    """Start a kernel in which the scripted model answers; comms go the way named."""
    version, comms = way.split()
    (folder / "script.yaml").write_text(SCRIPT)
    interpreter = Environment(ipykernel=version).interpreter()
    with Kernel.started(interpreter, folder, over_subshell=comms == "subshell") as kernel:
        started = kernel.run("%load_ext askwidgets\n%claude demo script.yaml")
        assert started.status == "ok", started.text
        yield kernel


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    with demo_kernel(tmp_path) as kernel:
        yield kernel


def choices(kernel: Kernel) -> Widget:
    """Wait for the options of the question."""
    return kernel.widget(lambda widget: any("SQLite" in label for label in widget.state["_options_labels"]))


def answer(kernel: Kernel) -> None:
    """Pick SQLite and submit, as soon as that can be done."""
    kernel.set_state(choices(kernel), index=1)
    kernel.click(kernel.widget(description="Submit answers", disabled=False))


def cli_processes(kernel: Kernel) -> list[psutil.Process]:
    return [process for process in kernel.children() if "_bundled" in " ".join(process.cmdline())]


def wait_for_question(kernel: Kernel) -> Cell:
    """Run the cell that asks and wait until its form stands there."""
    cell = kernel.execute(ASK)
    choices(kernel)
    return cell


@pytest.mark.parametrize("way", WAYS)
def test_a_question_is_answered_while_its_cell_runs_and_the_next_cell_uses_the_answer(way: str, tmp_path: Path) -> None:
    """B37, B38, B39."""
    with demo_kernel(tmp_path, way) as kernel:
        asking = kernel.execute(ASK)
        following = kernel.execute("print(turn.text)")
        answer(kernel)

        assert kernel.finish(asking).status == "ok", asking.text
        assert READ in kernel.finish(following).text
        assert "Answered" in asking.text
        assert "SQLite" in asking.html
        assert asking.view_ids == []
        kernel.wait_until(lambda: not any(widget.open for widget in kernel.widgets.values()), "the form to close")


@pytest.mark.parametrize("way", WAYS)
def test_the_next_turn_asks_again(way: str, tmp_path: Path) -> None:
    with demo_kernel(tmp_path, way) as kernel:
        for _ in range(2):
            asking = kernel.execute(ASK)
            answer(kernel)
            assert kernel.finish(asking).status == "ok", asking.text
            assert READ in kernel.value("turn.text")

        assert len(cli_processes(kernel)) == 1


@pytest.mark.parametrize("way", WAYS)
def test_the_stop_button_ends_a_waiting_question_and_the_session_goes_on(way: str, tmp_path: Path) -> None:
    """B27, B41, B62."""
    with demo_kernel(tmp_path, way) as kernel:
        asking = wait_for_question(kernel)
        (cli,) = cli_processes(kernel)
        kernel.interrupt()

        assert kernel.finish(asking, timeout=5).status == "error"
        assert "KeyboardInterrupt" in asking.text
        assert "Interrupted" in asking.text
        assert kernel.shown() == []
        assert kernel.run(GREET).status == "ok"
        assert kernel.value("greeting.text") == "'Hello there.'"
        assert [process.pid for process in cli_processes(kernel)] == [cli.pid]


def test_two_interrupts_in_a_row_are_one(kernel: Kernel) -> None:
    """B41 (d)."""
    asking = wait_for_question(kernel)
    kernel.interrupt()
    kernel.interrupt()

    assert "KeyboardInterrupt" in kernel.finish(asking, timeout=5).text
    assert kernel.run(GREET).status == "ok"


def test_a_killed_kernel_leaves_no_cli_behind(kernel: Kernel) -> None:
    """B34."""
    wait_for_question(kernel)
    processes = cli_processes(kernel)
    assert len(processes) == 1
    kernel.kill()

    assert psutil.wait_procs(processes, timeout=5)[1] == []


def test_a_terminated_kernel_leaves_no_cli_behind(kernel: Kernel) -> None:
    """B34."""
    wait_for_question(kernel)
    processes = cli_processes(kernel)
    kernel.terminate()

    assert psutil.wait_procs(processes, timeout=5)[1] == []


def test_unloading_ends_the_cli_and_takes_the_magics_away(kernel: Kernel) -> None:
    """B34."""
    assert kernel.run(GREET).status == "ok"
    processes = cli_processes(kernel)
    kernel.run("%unload_ext askwidgets")

    assert psutil.wait_procs(processes, timeout=5)[1] == []
    assert "claude" in kernel.run("%%claude\nhello").text
    assert kernel.run("%load_ext askwidgets\n%claude demo script.yaml").status == "ok"
    assert kernel.run(GREET).status == "ok"
    assert len(cli_processes(kernel)) == 1


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
    "time": "%%time\n{cell}",
    "capture": "%%capture captured\n{cell}",
    "function": "def run():\n    get_ipython().run_cell_magic('claude', '--into turn', 'Please ask me.')\nrun()",
    "autoawait off": "{cell}",
}


@pytest.mark.parametrize("version", ["7.4.0", "7.2.0", "6.29.5"])
@pytest.mark.parametrize("way", NESTED)
def test_where_a_cell_cannot_await_the_question_is_asked_through_input(way: str, version: str, tmp_path: Path) -> None:
    with demo_kernel(tmp_path, f"{version} plain") as kernel:
        if way == "autoawait off":
            kernel.run("%autoawait off")

        asking = kernel.execute(NESTED[way].format(cell=ASK))
        kernel.wait_until(lambda: asking.stdin_prompts, "a question on stdin")
        kernel.reply_to_stdin("2")
        kernel.finish(asking)

        assert asking.status == "ok", asking.text
        assert "never awaited" not in asking.text
        assert READ in kernel.value("turn.text")
