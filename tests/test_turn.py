"""A turn as a value: its text, its code, and how a cell shows it."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any, cast

import yaml

from askwidgets.markdown_text import CodeBlock, MarkdownText
from askwidgets.questions import Answer, Outcome, parse_question_request
from askwidgets.turn import AskedQuestion, ToolUse, Turn
from tests.agent import QUESTION

TEXT = """Here:

```python title="a"
x = 1
```

- or
  ```
  y
  ```

<img src=x onerror=alert(1)>
"""

ASKED = AskedQuestion(
    request=parse_question_request(yaml.safe_load(QUESTION)),
    outcome=Outcome(kind="answered", answers={"Which store should hold sessions?": Answer(labels=("SQLite",))}),
)
TURN = Turn(
    prompt="Plan it.\nNow.",
    text=MarkdownText(TEXT),
    questions=(ASKED,),
    tool_uses=(
        ToolUse(id="1", name="AskUserQuestion", input={}),
        ToolUse(id="2", name="Bash", input={"command": "ls"}, is_error=True),
    ),
)


def shown(value: object) -> dict[str, object]:
    bundle: dict[str, object] = cast("Any", value)._repr_mimebundle_(include=None, exclude=None)

    return bundle


def test_code_blocks_are_found_wherever_they_stand() -> None:
    assert TURN.code_blocks == (CodeBlock(language="python", code="x = 1\n"), CodeBlock(language="", code="y\n"))
    assert str(TURN.code_blocks[0]) == "x = 1\n"


def test_the_text_is_a_string_that_a_cell_shows_rendered() -> None:
    text = MarkdownText("**bold**")

    assert text == "**bold**"
    assert repr(text) == "'**bold**'"
    assert "<strong>bold</strong>" in str(shown(text)["text/html"])
    assert copy.deepcopy(pickle.loads(pickle.dumps(text))) == text  # noqa: S301 - made above


def test_labels_are_given_by_themselves_also_those_with_commas() -> None:
    options = [{"label": label} for label in ("Auth, SSO", "Logs", "Costs")]
    kept, size = "Which features?", "How many users?"
    request = parse_question_request(
        {"questions": [{"question": kept, "multiSelect": True, "options": options}, {"question": size}]}
    )
    given = {kept: Answer(labels=("Logs", "Auth, SSO"), other="and mail"), size: Answer(other="a few")}
    asked = AskedQuestion(request=request, outcome=Outcome(kind="answered", answers=given))
    declined = AskedQuestion(request=ASKED.request, outcome=replace(ASKED.outcome, kind="declined"))

    assert replace(TURN, questions=(asked, declined)).picked == {kept: ("Auth, SSO", "Logs"), size: ()}
    assert TURN.picked == {"Which store should hold sessions?": ("SQLite",)}


def test_a_turn_is_a_document() -> None:
    document = TURN.to_markdown()

    assert str(TURN) == document

    assert document.startswith("> Plan it.\n> Now.\n\nHere:")
    assert "- Which store should hold sessions?: **SQLite**" in document
    assert document.endswith("### Tools\n\n- Bash (failed)\n")
    assert "AskUserQuestion" not in document


def test_what_a_cell_shows_runs_nothing_and_is_no_second_receipt() -> None:
    for value in (TURN, TURN.text, TURN.code_blocks[0], ASKED):
        bundle = shown(value)

        assert set(bundle) == {"text/html", "text/plain"}
        assert "<img" not in str(bundle["text/html"])

    assert "SQLite" in str(shown(ASKED)["text/plain"])
