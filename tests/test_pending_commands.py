"""What waits is found again and answered by keyboard, in a real kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cell import Cell
from tests.kernel import Kernel
from tests.scripted_kernel import renew, scripted_kernel

pytestmark = pytest.mark.kernel

SCRIPT = """
- when: "*two*"
  steps:
    - ask:
        questions:
          - {question: "Which port?", header: Port, multiSelect: false, options: [{label: "80"}, {label: "443"}]}
          - {question: "Which checks?", header: CI, multiSelect: true, options: [{label: lint}, {label: types}]}
    - say: "Read: {last_result}"
- when: "*permission*"
  steps:
    - use: {tool: Bash, input: {command: "echo hello > made.txt"}}
    - say: "Read: {last_result}"
- when: "*odd*"
  steps:
    - ask:
        questions:
          - {question: "Which way?", header: Way, multiSelect: false, options: [{label: "C"}, {label: "C # fast"}]}
    - say: "Read: {last_result}"
- when: "*"
  steps:
    - ask:
        questions:
          - {question: "Which store?", header: Store, multiSelect: false, options: [{label: Redis}, {label: SQLite}]}
    - say: "Read: {last_result}"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernel")


@pytest.fixture(scope="module")
def shared_kernel(folder: Path) -> Iterator[Kernel]:
    with scripted_kernel(folder, SCRIPT, "7.4.0 plain") as kernel:
        yield kernel


@pytest.fixture
def kernel(shared_kernel: Kernel) -> Kernel:
    renew(shared_kernel)
    return shared_kernel


def asking(kernel: Kernel, prompt: str, options: str = "-b --into turn") -> Cell:
    """Run a turn and wait until its form stands in the cell."""
    cell = kernel.execute(f"%%claude {options}\n{prompt}")
    kernel.wait_until(lambda: cell.view_ids, "a form")

    return cell


def test_what_waits_is_listed_and_its_form_shown_again_with_its_draft(kernel: Kernel) -> None:
    cell = asking(kernel, "ask")
    draft = kernel.widget(placeholder="Your own answer")
    kernel.set_state(draft, value="a file")
    again = kernel.run("%claude pending")

    assert "#1 main: Which store?" in again.text
    assert again.view_ids == cell.view_ids

    kernel.click(kernel.widget(description="Submit answers", disabled=False))
    kernel.run("%claude wait")

    assert "a file" in kernel.value("turn.text")
    assert again.view_ids == cell.view_ids == []
    assert "Answered" in again.text
    assert "Answered" in cell.text


def test_a_question_is_answered_by_keyboard_from_another_cell(kernel: Kernel) -> None:
    cell = asking(kernel, "ask")
    answered = kernel.run("%claude answer SQLite")
    kernel.run("%claude wait")

    assert "Answered: Which store?" in answered.text
    assert '"Which store?"="SQLite"' in kernel.value("turn.text")
    assert "Answered elsewhere by %claude answer" in cell.text
    assert "Nothing waits for you." in kernel.run("%claude pending").text


def test_a_question_is_answered_over_a_subshell_while_its_cell_runs(kernel: Kernel) -> None:
    cell = asking(kernel, "ask", "--into turn")
    answered = kernel.execute("%claude answer SQLite", subshell_id=kernel.create_subshell())
    kernel.finish(answered)

    assert answered.status == "ok", answered.text
    assert kernel.finish(cell).status == "ok"
    assert '"Which store?"="SQLite"' in kernel.value("turn.text")


def test_a_label_is_taken_whole_though_yaml_sees_a_comment_in_it(kernel: Kernel) -> None:
    asking(kernel, "odd")
    kernel.run("%claude answer C # fast")
    kernel.run("%claude wait")

    assert '"Which way?"="C # fast"' in kernel.value("turn.text")
    assert "Nothing waits for you." in kernel.run("%claude answer C").text


def test_an_answer_that_does_not_fit_changes_nothing(kernel: Kernel) -> None:
    asking(kernel, "ask")

    for given in ["[Redis, SQLite]", "[Redis", "{'Which shop?': Redis}"]:
        wrong = kernel.run(f"%claude answer {given}")
        assert wrong.status == "error"
        assert "Traceback" not in wrong.text

    assert "#1 main: Which store?" in kernel.run("%claude pending").text


def test_without_an_answer_it_asks_for_one_here(kernel: Kernel) -> None:
    asking(kernel, "two")
    answering = kernel.execute("%claude answer")

    for count, reply in enumerate(["2", "1, 2"], start=1):
        kernel.wait_until(lambda count=count: len(answering.stdin_prompts) == count, "a prompt")  # type: ignore[misc]
        kernel.reply_to_stdin(reply)

    assert kernel.finish(answering).status == "ok", answering.text
    kernel.run("%claude wait")
    assert '"Which port?"="443", "Which checks?"="lint, types"' in kernel.value("turn.text")


def test_several_wait_at_once_and_are_answered_in_any_order(kernel: Kernel) -> None:
    asking(kernel, "ask", "-b -s one --into one")
    asking(kernel, "two", "-b -s two --into two")
    listed = kernel.run("%claude pending").text

    assert "#1 one: Which store?" in listed
    assert "#2 two: Which port? / Which checks?" in listed

    answered = kernel.run("%claude answer #2 {'Which port?': '443', 'Which checks?': [types]}")
    assert answered.status == "ok", answered.text
    assert kernel.run("%claude answer Redis").status == "ok"
    kernel.run("%claude wait one\n%claude wait two")

    assert '"Which store?"="Redis"' in kernel.value("one.text")
    assert '"Which port?"="443", "Which checks?"="types"' in kernel.value("two.text")


@pytest.mark.parametrize(("words", "is_made"), [("yes", True), ("no not today, $In {1 + 1}?", False)])
def test_a_permission_is_given_by_keyboard(kernel: Kernel, folder: Path, words: str, *, is_made: bool) -> None:
    (folder / "made.txt").unlink(missing_ok=True)
    asking(kernel, "permission")
    kernel.run(f"%claude answer {words}")
    kernel.run("%claude wait")

    assert (folder / "made.txt").exists() == is_made
    assert is_made or "not today, $In {1 + 1}?" in kernel.value("turn.text")


def test_a_number_that_is_not_listed_is_said(kernel: Kernel) -> None:
    asking(kernel, "ask")
    wrong = kernel.run("%claude answer #3 SQLite")

    assert "#3" in wrong.text
    assert "%claude pending" in wrong.text
