"""One answer in words: what of it is sent as the answer and what as notes, and why it cannot be sent.

Specification: how the Claude Code CLI reads answers; it takes one string for each question and,
of several labels, one string joined with ``, `` in which a label that would fall apart is quoted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from askwidgets.plain_json import encodable, is_blank, is_finite, number_text, utf16_length
from askwidgets.question_values import Answer, Kind, Question

__all__ = [
    "ANSWER_LIMIT",
    "NOTES_LIMIT",
    "answer_notes",
    "answer_problem",
    "answer_text",
    "is_empty",
    "quoted_item",
]

ANSWER_LIMIT = 32_768
"""Characters of one answer or response, counted as JavaScript does (UTF-16)."""

NOTES_LIMIT = 8_192
"""Characters of the notes on one question."""

_NOTHING_GIVEN: Mapping[Kind, str] = {
    "choice": "Pick an option, or write your own answer or a note.",
    "text": "Write an answer or a note.",
    "number": "Give a number or a note.",
}

_NOTES_ONLY = "(notes only)"
"""The CLI takes an answer of exactly these words for none."""


def answer_problem(question: Question, answer: Answer) -> str | None:
    """Say why the answer cannot be sent, in words for the person; ``None`` when it can."""
    if is_empty(answer):
        return None if answer.skipped else _NOTHING_GIVEN[question.kind]

    problem = _labels_problem(question, answer) or _number_problem(question, answer)
    if problem:
        return problem

    if utf16_length(answer_notes(question, answer)) > NOTES_LIMIT:
        return f"The notes are longer than {NOTES_LIMIT:,} characters."

    if utf16_length(answer_text(question, answer)) > ANSWER_LIMIT:
        return f"The answer is longer than {ANSWER_LIMIT:,} characters."

    return None


def answer_text(question: Question, answer: Answer) -> str:
    """Give the answer as the tool takes it: one string, empty when nothing but notes was given."""
    if answer.skipped:
        return ""

    picked = [option.label for option in question.options if option.label in answer.labels]
    words = "" if is_blank(answer.other) else encodable(answer.other)
    if question.multi_select and picked:
        sent = ", ".join(quoted_item(text) for text in [*picked, words] if text)
    elif picked:
        sent = picked[0]
    else:
        sent = words if answer.number is None else number_text(answer.number)

    return json.dumps(sent) if sent == _NOTES_ONLY else sent


def answer_notes(question: Question, answer: Answer) -> str:
    """Give the notes, led by one's own words where those cannot be the answer."""
    displaced = answer.skipped or answer.number is not None or (answer.labels and not question.multi_select)
    texts = [answer.other if displaced else "", answer.notes]
    return "\n".join(encodable(text) for text in texts if not is_blank(text))


def is_empty(answer: Answer) -> bool:
    """Tell whether nothing at all was given, also when it was skipped."""
    return not answer.labels and answer.number is None and is_blank(answer.other) and is_blank(answer.notes)


def quoted_item(text: str) -> str:
    """Quote what would not stay one item of a joined list."""
    return json.dumps(text, ensure_ascii=False) if ", " in text or '"' in text else text


def _labels_problem(question: Question, answer: Answer) -> str | None:
    labels = [option.label for option in question.options]
    unknown = [label for label in answer.labels if label not in labels]
    if unknown:
        return f"{unknown[0]!r} is not among the options: {', '.join(labels) or 'there are none'}."

    if len(set(answer.labels)) > 1 and not question.multi_select:
        return "Only one option can be picked."

    return None


def _number_problem(question: Question, answer: Answer) -> str | None:
    number = answer.number
    if number is None:
        return None

    if question.kind != "number" or not is_finite(number):
        return "This question does not take a number." if question.kind != "number" else "That is not a number."

    if question.minimum is not None and number < question.minimum:
        return f"The number is under {number_text(question.minimum)}."

    if question.maximum is not None and number > question.maximum:
        return f"The number is over {number_text(question.maximum)}."

    return None
