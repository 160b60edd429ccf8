"""Saying no to a question so that the model can go on: what was asked, what had been picked, and the person's words."""

from __future__ import annotations

from askwidgets.answer_text import answer_notes, answer_text, quoted_item
from askwidgets.plain_json import encodable, is_blank
from askwidgets.question_values import Answer, Outcome, QuestionRequest

__all__ = ["denial", "picked_lines"]

_AFTER_TIMEOUT = "Do not take silence for consent. Ask again when the answer is still needed."
_AFTER_WORDS = "Rephrase the questions with that in mind, or ask what the user would like to clarify."
_AFTER_DECLINE = "Rephrase the questions, or ask what the user would like to clarify."


def denial(request: QuestionRequest, outcome: Outcome) -> str:
    """Say to the model that nothing was chosen, with all that the person had picked and said."""
    timed_out = outcome.kind == "timed_out"
    lines = [
        "Nobody answered in time. No option was chosen."
        if timed_out
        else "The user declined to answer these questions. No option was chosen."
    ]
    if not is_blank(outcome.words):
        lines.append(f'They wrote: "{encodable(outcome.words)}"')

    lines.append("The questions were:")
    for question in request.questions:
        options = ", ".join(quoted_item(option.label) for option in question.options)
        lines.append(f'- "{question.text}"' + (f" (options: {options})" if options else ""))

    picked = picked_lines(request, outcome)
    if picked:
        lines += ["Picked by then, but not submitted:", *(f"- {line}" for line in picked)]

    after_decline = _AFTER_DECLINE if is_blank(outcome.words) else _AFTER_WORDS
    lines.append(_AFTER_TIMEOUT if timed_out else after_decline)
    return "\n".join(lines)


def picked_lines(request: QuestionRequest, outcome: Outcome) -> list[str]:
    """Quote each question that had something picked or written, with what that was."""
    lines: list[str] = []
    for question in request.questions:
        answer = outcome.answers.get(question.text, Answer())
        sent, notes = answer_text(question, answer), answer_notes(question, answer)
        if sent or notes:
            lines.append(f'"{question.text}"="{sent}"' if sent else f'"{question.text}"=(no option selected)')
            lines[-1] += f" notes: {notes}" if notes else ""

    return lines
