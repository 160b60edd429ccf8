"""What the model reads when nothing was chosen."""

from __future__ import annotations

import pytest

from askwidgets.denial import denial
from askwidgets.question_values import Answer, Option, Outcome, Question, QuestionRequest

PLAN = Question(text="How?", options=(Option(label="Rewrite (Recommended)"), Option(label="Patch, small")))
TITLE = Question(text="Title?", kind="text")
REQUEST = QuestionRequest(questions=(PLAN, TITLE), input={})


def test_a_declined_question_says_that_nothing_was_chosen_and_asks_to_rephrase() -> None:
    """B03, B58."""
    assert denial(REQUEST, Outcome(kind="declined")).splitlines() == [
        "The user declined to answer these questions. No option was chosen.",
        "The questions were:",
        '- "How?" (options: Rewrite (Recommended), "Patch, small")',
        '- "Title?"',
        "Rephrase the questions, or ask what the user would like to clarify.",
    ]


def test_the_persons_words_are_quoted() -> None:
    """B58, B59."""
    message = denial(REQUEST, Outcome(kind="declined", words="The premise is wrong."))

    assert 'They wrote: "The premise is wrong."' in message.splitlines()
    assert "Rephrase the questions with that in mind" in message


def test_what_had_been_picked_is_listed_as_not_submitted() -> None:
    answers = {"How?": Answer(labels=("Patch, small",), notes="maybe"), "Title?": Answer(notes="none yet")}
    lines = denial(REQUEST, Outcome(kind="declined", answers=answers)).splitlines()
    start = lines.index("Picked by then, but not submitted:")

    assert lines[start + 1 : start + 3] == [
        '- "How?"="Patch, small" notes: maybe',
        '- "Title?"=(no option selected) notes: none yet',
    ]


def test_a_timeout_says_that_nobody_answered() -> None:
    """B23."""
    message = denial(REQUEST, Outcome(kind="timed_out", answers={"Title?": Answer(other="Sales")}))

    assert message.startswith("Nobody answered in time. No option was chosen.")
    assert '- "Title?"="Sales"' in message
    assert "Rephrase" not in message


@pytest.mark.parametrize("words", ["lone \ud800 surrogate", "日本", "two\nlines"])
def test_any_words_can_be_sent(words: str) -> None:
    assert denial(REQUEST, Outcome(kind="declined", words=words)).encode()
