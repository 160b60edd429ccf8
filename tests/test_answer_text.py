"""One answer in words: what is sent, and why something cannot be."""

from __future__ import annotations

import math

import pytest

from askwidgets.answer_text import ANSWER_LIMIT, NOTES_LIMIT, answer_notes, answer_problem, answer_text
from askwidgets.question_values import Answer, Option, Question

STORE = Question(text="Which store?", options=(Option(label="Redis"), Option(label="SQLite")))
CHECKS = Question(
    text="Which checks?",
    multi_select=True,
    options=(Option(label="lint"), Option(label='types, "strict"'), Option(label="unit")),
)
BINS = Question(text="How many?", kind="number", minimum=1, maximum=9.5)
TITLE = Question(text="Title?", kind="text")


@pytest.mark.parametrize(
    ("question", "answer", "sent"),
    [
        (STORE, Answer(labels=("SQLite",)), "SQLite"),
        (STORE, Answer(other="  two\nlines"), "  two\nlines"),
        (STORE, Answer(other=" \n"), ""),
        (STORE, Answer(other="(notes only)"), '"(notes only)"'),
        (CHECKS, Answer(labels=("unit", "lint")), "lint, unit"),
        (CHECKS, Answer(labels=('types, "strict"', "lint")), r'lint, "types, \"strict\""'),
        (CHECKS, Answer(labels=("lint",), other="a, b"), 'lint, "a, b"'),
        (CHECKS, Answer(labels=("lint",), other="a b"), "lint, a b"),
        (CHECKS, Answer(other="a, b"), "a, b"),
        (BINS, Answer(number=3.0), "3"),
        (BINS, Answer(other="about three"), "about three"),
        (TITLE, Answer(other="Sales"), "Sales"),
        (TITLE, Answer(other="Sales", skipped=True), ""),
        (STORE, Answer(notes="only a note"), ""),
    ],
)
def test_an_answer_is_one_string(question: Question, answer: Answer, sent: str) -> None:
    assert answer_text(question, answer) == sent


@pytest.mark.parametrize(
    ("question", "answer", "notes"),
    [
        (STORE, Answer(labels=("SQLite",), other="typed", notes="noted"), "typed\nnoted"),
        (STORE, Answer(other="typed", notes="noted"), "noted"),
        (CHECKS, Answer(labels=("lint",), other="typed"), ""),
        (BINS, Answer(number=3, other="typed"), "typed"),
        (TITLE, Answer(other="typed", skipped=True), "typed"),
    ],
)
def test_typed_words_that_cannot_be_the_answer_become_the_note(question: Question, answer: Answer, notes: str) -> None:
    assert answer_notes(question, answer) == notes


@pytest.mark.parametrize(
    ("question", "answer", "problem"),
    [
        (STORE, Answer(), "Pick an option"),
        (TITLE, Answer(other=" \n\t"), "Write an answer"),
        (BINS, Answer(), "Give a number"),
        (STORE, Answer(labels=("Mongo",)), "'Mongo' is not among the options: Redis, SQLite."),
        (TITLE, Answer(labels=("Mongo",)), "'Mongo' is not among the options: there are none."),
        (STORE, Answer(labels=("Redis", "SQLite")), "Only one option"),
        (BINS, Answer(number=0), "The number is under 1."),
        (BINS, Answer(number=9.75), "The number is over 9.5."),
        (BINS, Answer(number=math.nan), "That is not a number."),
        (BINS, Answer(number=math.inf), "That is not a number."),
        (STORE, Answer(number=1), "does not take a number"),
        (TITLE, Answer(other="x" * (ANSWER_LIMIT + 1)), "The answer is longer than 32,768 characters."),
        (TITLE, Answer(notes="x" * (NOTES_LIMIT + 1)), "The notes are longer than 8,192 characters."),
        (STORE, Answer(labels=("Redis",), other="x" * (NOTES_LIMIT + 1)), "The notes are longer"),
    ],
)
def test_what_cannot_be_sent_is_told_in_words(question: Question, answer: Answer, problem: str) -> None:
    assert problem in (answer_problem(question, answer) or "")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (STORE, Answer(labels=("Redis",))),
        (STORE, Answer(skipped=True)),
        (STORE, Answer(notes="only a note")),
        (CHECKS, Answer(labels=("lint", "unit"))),
        (BINS, Answer(number=1)),
        (BINS, Answer(number=9.5)),
        (BINS, Answer(other="about three")),
        (TITLE, Answer(other="x" * ANSWER_LIMIT, notes="x" * NOTES_LIMIT)),
    ],
)
def test_what_can_be_sent_has_no_problem(question: Question, answer: Answer) -> None:
    assert answer_problem(question, answer) is None
