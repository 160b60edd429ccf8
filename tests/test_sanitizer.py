"""The sanitizer file lets pass what may differ between two runs, and nothing else."""

from __future__ import annotations

import re

import pytest
from nbval.plugin import get_sanitize_patterns

import askwidgets
from askwidgets.footer import Footer
from askwidgets.permission_receipt import permission_receipt
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Answer, Outcome, parse_question_request
from askwidgets.receipt import question_receipt

REQUEST = parse_question_request({"questions": [{"question": "Which?", "options": ["A", "B"]}]})
BASH = PermissionRequest(tool_name="Bash", input={"command": "ls"})


def sanitized(text: object) -> str:
    text = str(text)
    for pattern, replacement in get_sanitize_patterns(askwidgets.nbval_sanitize().read_text(encoding="utf-8")):
        text = re.sub(pattern, replacement, text)

    return text


def receipt(label: str, by: str) -> dict[str, object]:
    outcome = Outcome(kind="answered", answers={"Which?": Answer(labels=(label,))}, by=by)
    return question_receipt(REQUEST, outcome).bundle()


@pytest.mark.parametrize("mime_type", ["text/html", "text/plain"])
def test_it_makes_no_difference_who_answered(mime_type: str) -> None:
    answered = {sanitized(receipt("A", by)[mime_type]) for by in ("person", "script", "%claude answer")}
    allowed = {
        sanitized(permission_receipt(BASH, Decision(allow=True, by=by)).bundle()[mime_type])
        for by in ("person", "script")
    }

    assert (len(answered), len(allowed)) == (1, 1)


def test_another_answer_is_a_difference() -> None:
    assert sanitized(receipt("A", "script")["text/plain"]) != sanitized(receipt("B", "script")["text/plain"])
    denied = permission_receipt(BASH, Decision(allow=False, message="no", by="script")).bundle()
    allowed = permission_receipt(BASH, Decision(allow=True, by="script")).bundle()
    assert sanitized(denied["text/plain"]) != sanitized(allowed["text/plain"])


@pytest.mark.parametrize("mime_type", ["text/html", "text/plain"])
def test_the_footer_of_another_run_is_the_same(mime_type: str) -> None:
    """B46."""
    first = Footer(model="claude-opus-9-1", duration=1.5, session_id="0b5d", show_costs=True).bundle()
    second = Footer(model="claude-sonnet-5-20260101", duration=3.0, cost_usd=0.1, show_costs=True).bundle()
    assert first is not None
    assert second is not None

    assert sanitized(first[mime_type]) == sanitized(second[mime_type])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Recording to a.yaml, in conversations that start afresh.\n", "Replaying a.yaml, since it says so.\n"),
        (
            "main  ready  3  $0.0123  0b5d7f00-1111-4222-8333-123456789abc",
            "main  ready  3  $1.2300  ffffffff-1111-4222-8333-123456789abc",
        ),
        ("it took 4.3 s", "it took 12.9 s"),
        ("1,210 tokens in", "9 tokens in"),
    ],
)
def test_what_people_ask_for_may_differ_too(one: str, other: str) -> None:
    assert sanitized(one) == sanitized(other)


@pytest.mark.parametrize(
    "text", ["Answered by whom", "The price is $12", "<table><tr><td>4</td></tr></table>", "claude-code", "3 s"]
)
def test_what_a_notebook_says_itself_stays(text: str) -> None:
    assert sanitized(f"x {text}") == f"x {text}"
