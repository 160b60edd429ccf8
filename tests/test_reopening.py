"""A question of the past is asked again, or at last, in a real kernel with the real CLI."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cell import Cell
from tests.environments import Environment
from tests.kernel import Kernel
from tests.old_cli import old_cli, without_callback

pytestmark = pytest.mark.kernel

STORE = (
    '{questions: [{question: "Which store?", header: Store, multiSelect: false, '
    "options: [{label: Redis, description: in memory}, {label: SQLite, description: one file}]}]}"
)
SCRIPT = f"""
- when: "ask and work*"
  steps:
    - ask: {STORE}
    - use: {{tool: Write, input: {{file_path: "made.txt", content: "made"}}}}
    - say: "Read: {{last_result}}"
- when: "work on"
  steps:
    - use: {{tool: Read, input: {{file_path: "old.txt"}}}}
    - use: {{tool: Edit, input: {{file_path: "old.txt", old_string: before, new_string: after}}}}
    - say: "Done."
- when: "*nobody could answer*"
  steps:
    - say: "Read as a prompt."
- when: "ask*"
  steps:
    - ask: {STORE}
    - say: "Read: {{last_result}}"
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    (tmp_path / "script.yaml").write_text(SCRIPT)

    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path) as kernel:
        assert kernel.run("%load_ext askwidgets\n%claude demo script.yaml").status == "ok"
        yield kernel


def answer(kernel: Kernel, cell: Cell, index: int) -> None:
    """Pick an option in the form that stands in the cell, and submit."""
    kernel.wait_until(lambda: cell.view_ids, "a form")
    radios = kernel.widget(lambda widget: "Redis" in "".join(widget.state.get("_options_labels", ())))
    kernel.set_state(radios, index=index)
    kernel.click(kernel.widget(description="Submit answers", disabled=False))


def asked(kernel: Kernel, prompt: str = "ask", options: str = "--into turn") -> Cell:
    """Run a turn whose question is answered with Redis."""
    cell = kernel.execute(f"%%claude {options}\n{prompt}")
    answer(kernel, cell, 0)
    assert kernel.finish(cell).status == "ok", cell.text

    return cell


def test_a_second_thought_branches_at_the_question_and_leaves_the_old_branch(kernel: Kernel) -> None:
    first = asked(kernel)
    assert '"Which store?"="Redis"' in kernel.value("turn.text")

    reopened = kernel.run("%claude reopen")
    assert "main~2" in reopened.text
    radios = kernel.widget(lambda widget: "Redis" in "".join(widget.state.get("_options_labels", ())))
    assert radios.state["index"] == 0
    answer(kernel, reopened, 1)
    kernel.run("branch = await __import__('askwidgets').wait('main~2')")

    assert '"Which store?"="SQLite"' in kernel.value("branch.text")
    assert "Answered, reopened, in the branch main~2" in reopened.text
    assert "Redis" in first.text
    assert kernel.value("branch.session_id") != kernel.value("turn.session_id")
    assert "main~2" in kernel.run("%claude sessions").text

    closed = kernel.run("%claude reopen")
    kernel.run("%claude close main~3")
    kernel.wait_until(lambda: not closed.view_ids, "the form of the closed branch to end")
    assert "Interrupted" in closed.text


def test_reopening_says_what_is_not_undone_and_puts_files_back_where_copies_were_kept(
    kernel: Kernel, tmp_path: Path
) -> None:
    made, old = tmp_path / "made.txt", tmp_path / "old.txt"
    old.write_text("before")
    asked(kernel, "ask and work", "--mode acceptEdits --into turn")
    reopened = kernel.run("%claude reopen")
    notice = kernel.widget(lambda widget: "is not undone" in str(widget.state.get("value", "")))
    assert "made.txt" in notice.state["value"]
    assert "--rewind" not in notice.state["value"]
    kernel.run("%claude interrupt main~2")
    kernel.wait_until(lambda: "Interrupted" in reopened.text, "the end of the form")
    assert "set ClaudeMagics.file_checkpoints = True" in kernel.run("%claude reopen --rewind").text

    made.unlink()
    kernel.run("%config ClaudeMagics.file_checkpoints = True")
    asked(kernel, "ask and work", "--new --mode acceptEdits --into turn")
    kernel.run("%%claude --into turn\nwork on")
    assert (made.exists(), old.read_text()) == (True, "after")
    kernel.run("%claude reopen")
    offer = kernel.widget(lambda widget: "With --rewind" in str(widget.state.get("value", "")))
    assert "made.txt; edit old.txt" in offer.state["value"]
    kernel.run("%claude interrupt main~3")

    reopened = kernel.run("%claude reopen --rewind")
    kernel.widget(lambda widget: "first puts files back" in str(widget.state.get("value", "")))
    assert made.exists()
    answer(kernel, reopened, 1)
    kernel.run("branch = await __import__('askwidgets').wait('main~4')")
    assert "Answered, reopened, in the branch main~4" in reopened.text
    assert "File created" in kernel.value("branch.text")
    assert old.read_text() == "before"


def test_a_place_that_holds_no_question_is_said(kernel: Kernel) -> None:
    assert kernel.run("%%claude -s quiet\nnobody could answer").status == "ok"
    assert "wanted one that has asked something" in kernel.run("%claude reopen quiet").text
    asked(kernel)

    assert "one of the 1 questions" in kernel.run("%claude reopen 7").text
    assert "Traceback" not in kernel.run("%claude reopen 7").text


def answered_late(kernel: Kernel, options: str) -> str:
    """Ask where the tool answers itself: the answer is its real result, or a prompt where the agent has gone on.

    Gives what the tool said.
    """
    cell = kernel.run(f"%%claude {options} --into turn\nask")
    assert cell.status == "ok", cell.text
    answer(kernel, cell, 1)
    kernel.run("late = await __import__('askwidgets').wait()")

    assert 'Your questions have been answered: "Which store?"="SQLite"' in kernel.value("late.text")
    assert "Answered, as a follow-up" in cell.text
    assert "<b>AskUserQuestion</b>" not in cell.html
    refusal = str(ast.literal_eval(kernel.value("turn.tool_uses[0].result")))
    assert cell.text.count(refusal) == cell.text.count(f"Read: {refusal}") == 1

    went_on = kernel.run(f"%%claude {options} --into turn\nask and work")
    answer(kernel, went_on, 1)
    kernel.run("late = await __import__('askwidgets').wait()")

    assert kernel.value("late.text") == "'Read as a prompt.'"
    assert "Which store?" in kernel.value("late.prompt")
    assert "SQLite" in kernel.value("late.prompt")
    assert kernel.value("late.session_id") == kernel.value("turn.session_id")

    return refusal


def test_a_question_that_the_tool_answered_itself_is_asked_after_the_turn(kernel: Kernel) -> None:
    answered_late(kernel, "--mode dontAsk")


@pytest.mark.matrix
@pytest.mark.parametrize(
    ("options", "said"),
    [("--mode dontAsk", "Permission to use AskUserQuestion has been denied"), ("", "Answer questions?")],
)
def test_so_it_is_with_an_old_cli_also_without_a_callback(
    kernel: Kernel, tmp_path: Path, options: str, said: str
) -> None:
    cli = old_cli("2.1.175")
    kernel.run(f"%config ClaudeMagics.cli_path = {str(cli if options else without_callback(cli, tmp_path))!r}")

    assert answered_late(kernel, options).startswith(said)
    assert any("claude-2.1.175" in " ".join(process.cmdline()) for process in kernel.children())


def test_a_new_prompt_goes_before_a_question_that_was_not_heard(kernel: Kernel) -> None:
    first = kernel.run("%%claude --mode dontAsk --into turn\nask")
    kernel.wait_until(lambda: first.view_ids, "a form")
    second = kernel.run("%%claude\nask again")

    assert second.status == "ok"
    assert "Interrupted" in first.text
    assert first.view_ids == []
