"""Questions asked line by line, typed into a standard input of the test's own."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from askwidgets.interrupt import PromptInterrupt
from askwidgets.line_form import prompted_decision, prompted_outcome
from askwidgets.permissions import PermissionRequest
from askwidgets.questions import Answer, parse_question_request

STORE = {"question": "Which store?", "options": [{"label": "Redis", "preview": "import redis"}, {"label": "SQLite"}]}
CHECKS = {"question": "Which checks?", "options": [{"label": "lint"}, {"label": "types"}], "multiSelect": True}
BINS = {"question": "How many bins?", "kind": "number", "min": 10, "max": 50, "unit": "bins"}


def prompted(monkeypatch: pytest.MonkeyPatch, lines: str, *questions: object) -> dict[str, Answer]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    outcome = prompted_outcome(parse_question_request({"questions": list(questions)}))
    assert outcome.kind == "answered"

    return dict(outcome.answers)


def test_numbers_pick_options_and_other_lines_are_ones_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = prompted(monkeypatch, "2\n2, 1\n", STORE, CHECKS)

    assert outcome == {"Which store?": Answer(labels=("SQLite",)), "Which checks?": Answer(labels=("types", "lint"))}
    assert prompted(monkeypatch, "a file\n", STORE) == {"Which store?": Answer(other="a file")}
    assert prompted(monkeypatch, "3\n", STORE) == {"Which store?": Answer(other="3")}


def test_what_cannot_be_sent_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prompted(monkeypatch, "5\n60\n\n30\n", BINS) == {"How many bins?": Answer(number=30)}
    assert "The number is under 10." in capsys.readouterr().out


def test_a_note_goes_along_and_a_question_among_others_can_be_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = prompted(monkeypatch, "/skip\n/notes keep it small\n1\n", STORE, CHECKS)

    assert answers == {
        "Which store?": Answer(skipped=True),
        "Which checks?": Answer(labels=("lint",), notes="keep it small"),
    }


@pytest.mark.parametrize(("line", "kind"), [("/reply use what is there", "replied"), ("/discuss why?", "declined")])
def test_the_ways_out_keep_what_was_answered_by_then(line: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"1\n{line}\n"))
    outcome = prompted_outcome(parse_question_request({"questions": [STORE, CHECKS]}))

    assert (outcome.kind, outcome.words) == (kind, line.split(" ", 1)[1])
    assert outcome.answers == {"Which store?": Answer(labels=("Redis",))}


def test_an_empty_reply_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert prompted(monkeypatch, "/reply\n1\n", STORE) == {"Which store?": Answer(labels=("Redis",))}


def test_model_text_is_printed_plain_and_previews_below_their_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """B48."""
    prompted(monkeypatch, "1\n", STORE | {"question": "Which \x1b]0;stolen\x07store?"})
    out = capsys.readouterr().out

    assert "Which store?" in out
    assert "\x1b" not in out
    assert out.index("1. Redis") < out.index("     import redis") < out.index("2. SQLite")


def test_the_end_of_input_and_ctrl_c_are_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)

    with pytest.raises(PromptInterrupt):
        prompted(monkeypatch, "", STORE)

    read, _write = os.pipe()

    with os.fdopen(read) as waiting:
        monkeypatch.setattr(sys, "stdin", waiting)
        threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()

        with pytest.raises(PromptInterrupt):
            prompted_outcome(parse_question_request({"questions": [STORE]}))

    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("line", "allowed", "reason"), [("yes", True, ""), ("n", False, ""), ("later", False, "later")]
)
def test_a_permission_takes_yes_no_or_a_reason(
    line: str,
    allowed: bool,  # noqa: FBT001 - a row of the table
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{line}\n"))
    decision = prompted_decision(PermissionRequest(tool_name="Bash", input={"command": "rm -r build"}))

    assert (decision.allow, decision.reason) == (allowed, reason)
    assert "rm -r build" in capsys.readouterr().out


def test_what_is_allowed_stands_there_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """B65."""
    (tmp_path / "a.py").write_text("port = 1\n")
    edit = {"file_path": "a.py", "old_string": "port = 1", "new_string": "port = 2"}
    code = {"code": "\n".join(f"line{number} = {number}" for number in range(50))}

    for tool_name, tool_input in (("Edit", edit), ("mcp__kernel__run_python", code)):
        monkeypatch.setattr(sys, "stdin", io.StringIO("no\n"))
        prompted_decision(PermissionRequest(tool_name=tool_name, input=tool_input, cwd=str(tmp_path)))

    shown = capsys.readouterr().out
    assert "-port = 1\n+port = 2\n" in shown
    assert "line0 = 0\n" in shown
    assert "line49 = 49\n" in shown


def test_a_plan_that_is_not_there_cannot_be_approved(monkeypatch: pytest.MonkeyPatch) -> None:
    """B68."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n"))

    assert not prompted_decision(PermissionRequest(tool_name="ExitPlanMode", input={})).allow
