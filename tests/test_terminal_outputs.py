"""A transcript in a terminal: each piece printed once, when it is final."""

from __future__ import annotations

import pytest

from askwidgets.status_line import StatusLine
from askwidgets.terminal_outputs import TerminalOutputs
from askwidgets.transcript import Transcript
from tests.messages import event, result, said, streamed, used


def test_text_rows_and_the_footer_are_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    transcript = Transcript(TerminalOutputs())
    transcript.feed(said("First I look."))
    transcript.feed(used("b", "Bash", {"command": "ls"}))
    assert "ls" not in capsys.readouterr().out

    transcript.feed(result("b", "notes.txt"))
    transcript.flush()
    assert capsys.readouterr().out.count("Bash: ls") == 1

    transcript.feed(said("There are notes."))
    transcript.finish("Interrupted")
    out = capsys.readouterr().out
    assert out.count("There are notes.") == 1
    assert out.count("Interrupted") == 1
    assert "Bash" not in out


def test_a_text_whose_end_starts_over_is_not_printed_again(capsys: pytest.CaptureFixture[str]) -> None:
    start = event({"type": "message_start"})
    transcript = Transcript(TerminalOutputs())

    for message in (
        *streamed(["One line of many.\n\n" * 300]),
        *(start, *streamed(["Half of"], whole=False)),
        *(start, *streamed(["All of it"])),
    ):
        transcript.feed(message)
        transcript.flush()

    transcript.finish()
    out = capsys.readouterr().out
    assert out.count("One line of many.") == 300
    assert out.count("All of it") == 1


def test_what_changes_after_it_was_printed_adds_its_new_lines(capsys: pytest.CaptureFixture[str]) -> None:
    output = TerminalOutputs().show({"text/plain": "- [ ] one\n- [ ] two"})
    output.update({"text/plain": "- [x] one\n- [ ] two"})
    output.update({"text/html": "only a look"})

    assert capsys.readouterr().out == "- [ ] one\n- [ ] two\n\n- [x] one\n\n"


def test_a_status_is_not_printed_where_lines_cannot_be_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    status = StatusLine(TerminalOutputs(), clock=lambda: 0.0)
    status.draw()
    status.clear()

    assert capsys.readouterr().out == ""


def test_nothing_that_is_printed_commands_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """B48."""
    TerminalOutputs().show({"text/plain": "a\x1b]0;stolen\x07b\x1b[2Jc"})

    assert capsys.readouterr().out == "abc\n\n"
