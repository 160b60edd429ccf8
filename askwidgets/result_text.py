"""What the model reads of an answer that goes back late, in the words of the tool itself.

The CLI writes this sentence when it answers in time; of a late answer the host has to write it
(specification: the CLI's own results of AskUserQuestion, as they stand in the request to the model).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from askwidgets.questions import Outcome, QuestionRequest, denial, updated_input

__all__ = ["result_text"]

_GO_ON = "You can now continue with these answers in mind."
_AGAIN = "Call AskUserQuestion again with what is still open."


def result_text(request: QuestionRequest, outcome: Outcome) -> str:
    """Give the tool result of an outcome, whichever kind it is."""
    if outcome.kind in {"declined", "timed_out"}:
        return denial(request, outcome)

    sent = updated_input(request, outcome)
    response = sent.get("response")

    if outcome.kind == "replied":
        return f"The user responded: {response}"

    pairs = ", ".join(_pairs(request, _mapping(sent.get("answers")), _mapping(sent.get("annotations"))))

    if outcome.kind == "answered":
        return f"Your questions have been answered: {pairs}. {_GO_ON}"

    wrote = f' They also wrote: "{response}".' if response else ""

    return f"The user asked for more questions before you proceed. So far they answered: {pairs}.{wrote} {_AGAIN}"


def _pairs(request: QuestionRequest, answers: Mapping[str, object], annotations: Mapping[str, object]) -> Iterator[str]:
    for question in request.questions:
        annotation = _mapping(annotations.get(question.text))
        notes, preview = annotation.get("notes"), annotation.get("preview")
        answer = answers.get(question.text)

        if answer is None and notes is None:
            continue

        given = "(no option selected)" if answer is None else f'"{answer}"'
        words = [f'"{question.text}"={given}']
        words += [f"selected preview:\n{preview}"] if preview else []
        words += [f"notes: {notes}"] if notes else []

        yield " ".join(words)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
