"""The file that a session's transcript is written to."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from askwidgets.errors import OptionError
from askwidgets.questions import Answer, Outcome, parse_question_request
from askwidgets.session_export import export_session
from askwidgets.turn import AskedQuestion, ToolUse, Turn

STORE = "Which store should hold sessions?"
ASKED = {"questions": [{"question": STORE, "header": "Store", "options": [{"label": "Redis"}, {"label": "SQLite"}]}]}
TURNS = [
    Turn(
        prompt="Plan the\nsessions.",
        text="Let me **ask**.\n\n<img src=x onerror=alert(1)>",
        questions=(
            AskedQuestion(
                request=parse_question_request(ASKED, tool_use_id="q"),
                outcome=Outcome(kind="answered", answers={STORE: Answer(labels=("SQLite",))}),
            ),
        ),
        tool_uses=(
            ToolUse(id="q", name="AskUserQuestion", input=ASKED),
            ToolUse(id="b", name="Read", input={"file_path": "no`tes.txt"}, is_error=True),
        ),
    ),
    Turn(prompt="Go on.", text="Half", interrupted=True),
]


def test_markdown_holds_prompts_words_tools_and_receipts(tmp_path: Path) -> None:
    path = tmp_path / "session.md"
    export_session(path, "main", TURNS)
    text = path.read_text()

    assert text.startswith("# Session main\n")
    assert "> Plan the\n> sessions.\n" in text
    assert "Let me **ask**." in text
    assert "Answered" in text
    assert "SQLite" in text
    assert "- ✗ `read notes.txt`" in text
    assert text.index("Answered") < text.index("> Go on.") < text.index("*Interrupted*")


def test_a_notebook_is_valid_and_runs_the_prompts_again(tmp_path: Path) -> None:
    """B48."""
    path = tmp_path / "session.ipynb"
    export_session(path, "plots", TURNS)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    first, second = notebook.cells

    assert first.source == "%%claude -s plots\nPlan the\nsessions."
    assert "onerror" not in first.outputs[0].data["text/html"].replace("&lt;img src=x onerror", "")
    assert "Answered" in first.outputs[1].data["text/plain"]
    assert second.source == "%%claude -s plots\nGo on."


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"\.ipynb"):
        export_session(tmp_path / "session.pdf", "main", TURNS)


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="can be written"):
        export_session(tmp_path / "missing" / "session.md", "main", TURNS)
