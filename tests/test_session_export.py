"""The file that a session's transcript is written to."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from claude_agent_sdk import AssistantMessage, TextBlock, ToolUseBlock

from askwidgets.errors import OptionError
from askwidgets.questions import Answer, Outcome, parse_question_request
from askwidgets.session_export import export_session
from askwidgets.turn import AskedQuestion, ToolUse, Turn
from askwidgets.turn_record import TurnRecord

STORE = "Which store should hold sessions?"
ASKED = {"questions": [{"question": STORE, "header": "Store", "options": [{"label": "Redis"}, {"label": "SQLite"}]}]}
READ = ToolUseBlock("r", "Read", {"file_path": "notes.txt"})
TURNS = [
    Turn(
        prompt="Plan the\nsessions.",
        text="Let me **ask**.\n\n<img src=x onerror=alert(1)>\n\nSo it is.",
        questions=(
            AskedQuestion(
                request=parse_question_request(ASKED, tool_use_id="q"),
                outcome=Outcome(kind="answered", answers={STORE: Answer(labels=("SQLite",))}),
            ),
        ),
        tool_uses=(
            ToolUse(id="q", name="AskUserQuestion", input=ASKED, text_before=15),
            ToolUse(id="b", name="Read", input={"file_path": "no`tes.txt"}, is_error=True, text_before=45),
            ToolUse(id="c", name="Read", input={"file_path": "within.txt"}, parent="b", text_before=45),
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
    expected = ["Let me **ask**.", "Answered", "SQLite", "<img", "- ✗ `read notes.txt`", "So it is.", "> Go on."]
    places = [text.index(words) for words in [*expected, "Half", "*Interrupted*"]]

    assert places == sorted(places)
    assert "within.txt" not in text


def test_a_turn_knows_what_was_said_before_each_use() -> None:
    record = TurnRecord("Plan.")

    for block in (TextBlock("One."), ToolUseBlock("q", "AskUserQuestion", ASKED), TextBlock("Two."), READ):
        record.add(AssistantMessage(content=[block], model="scripted"))

    turn = record.turn()
    assert [turn.text[: use.text_before] for use in turn.tool_uses] == ["One.", "One.\n\nTwo."]


def test_a_notebook_is_valid_and_runs_the_prompts_again(tmp_path: Path) -> None:
    """B48."""
    path = tmp_path / "session.ipynb"
    export_session(path, "plots", TURNS)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    first, second = notebook.cells

    assert first.source == "%%claude -s plots\nPlan the\nsessions."
    assert "onerror" not in first.outputs[2].data["text/html"].replace("&lt;img src=x onerror", "")
    shown = [output.data["text/plain"].split("\n")[0] for output in first.outputs]
    assert shown == ["Let me **ask**.", "Answered", "<img src=x onerror=alert(1)>", "- ✗ `read notes.txt`", "So it is."]
    assert second.source == "%%claude -s plots\nGo on."


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"\.ipynb"):
        export_session(tmp_path / "session.pdf", "main", TURNS)


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="can be written"):
        export_session(tmp_path / "missing" / "session.md", "main", TURNS)
