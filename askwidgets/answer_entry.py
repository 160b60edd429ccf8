"""One entry of answers given beforehand: what is to be sent to the questions that its pattern matches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from askwidgets.errors import AnswerError
from askwidgets.plain_json import is_blank, number_text
from askwidgets.questions import Answer, OutcomeKind, Question, answer_problem

__all__ = ["AnswerEntry", "example_line", "parse_entry"]

_SETTLING: Mapping[str, OutcomeKind] = {"decline": "declined", "response": "replied", "ask_more": "asked_more"}
_KEYS = ("answer", "other", "notes", "skip", "first", *_SETTLING)

_BOOLEAN_LABELS = {True: ("yes", "true", "on"), False: ("no", "false", "off")}
"""What a label may have been before YAML or Python made a boolean of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEntry:
    """What a pattern's questions get."""

    pattern: str
    """A question's text, or a pattern with ``*``."""
    place: str
    """Where it stands, for errors."""
    given: tuple[str | float, ...] = ()
    """Labels, a number or a text, as they were written."""
    is_first: bool = False
    """The first option is picked."""
    other: str = ""
    """One's own words."""
    notes: str = ""
    """A note, which may stand alone."""
    skipped: bool = False
    """The question is left out on purpose."""
    kind: OutcomeKind = "answered"
    """What becomes of the whole request."""
    words: str = ""
    """The reason, the reply or the remark."""

    def answer(self, question: Question) -> Answer:
        """Give what this entry says to a question.

        Raises:
            AnswerError: it does not fit; lists the options and the line to write.
        """
        labels: tuple[str, ...] = ()
        number, other = None, self.other
        if question.kind == "choice":
            labels = tuple(self._label(question, given) for given in self._picked(question))
        elif self.given or self.is_first:
            number, text = self._typed(question)
            other = other or text

        answer = Answer(labels=labels, other=other, number=number, notes=self.notes, skipped=self.skipped)
        problem = None if answer == Answer() and self.kind != "answered" else answer_problem(question, answer)
        if problem:
            raise self._misfit(question, problem)

        return answer

    def _picked(self, question: Question) -> tuple[str | float, ...]:
        labels = [option.label for option in question.options]
        is_first = self.is_first or (self.given == ("first",) and "first" not in labels)
        return tuple(labels[:1]) if is_first else self.given

    def _label(self, question: Question, given: str | float) -> str:
        labels = [option.label for option in question.options]
        spellings: tuple[str, ...] = (_text(given),)
        if isinstance(given, bool):
            spellings = tuple(label for label in labels if label.casefold() in _BOOLEAN_LABELS[given])

        if len(spellings) != 1 or spellings[0] not in labels:
            raise self._misfit(question, f"{_text(given)!r} is not among the options ({', '.join(labels)}).")

        return spellings[0]

    def _typed(self, question: Question) -> tuple[float | None, str]:
        """Give the number, or else the text, for a question without options."""
        if self.is_first or self.given == ("first",):
            given: str | float | None = question.default if question.default is not None else question.minimum
        else:
            given = self.given[0] if len(self.given) == 1 else None

        if given is None:
            raise self._misfit(question, f"The question takes one {question.kind} and has no options.")

        if question.kind == "text":
            return None, _text(given)

        try:
            return _number(_text(given)), ""
        except ValueError:
            raise self._misfit(question, f"{_text(given)!r} is not a number.") from None

    def _misfit(self, question: Question, problem: str) -> AnswerError:
        key = json.dumps(self.pattern, ensure_ascii=False)
        return AnswerError(
            f"{self.place}: the entry {key} does not fit {question.text!r}. {problem}\n"
            f"Change the line, for example: {key}: {example_line(question)}"
            + (", or one's own words: {other: ...}" if question.kind == "choice" else "")
        )


def parse_entry(pattern: str, given: object, place: str) -> AnswerEntry:
    """Parse one entry in any of its forms.

    Raises:
        AnswerError: it has none of them.
    """
    if not isinstance(pattern, str):
        raise AnswerError(f"{place}: {pattern!r} is no question's text.")

    if not isinstance(given, Mapping):
        return AnswerEntry(pattern=pattern, place=place, given=_given(pattern, given, place))

    unknown = [str(key) for key in given if key not in _KEYS]
    settling = [key for key in _SETTLING if key in given]
    if unknown or len(settling) > 1 or not given:
        found = f"the key {unknown[0]!r}" if unknown else " and ".join(settling) or "nothing"
        raise AnswerError(f"{place}: the entry {pattern!r} holds {found}; wanted {', '.join(_KEYS)}.")

    entry = AnswerEntry(
        pattern=pattern,
        place=place,
        given=_given(pattern, given["answer"], place) if "answer" in given else (),
        is_first=_is_true(given.get("first")),
        other=_words(given.get("other")),
        notes=_words(given.get("notes")),
        skipped=_is_true(given.get("skip")),
        kind=_SETTLING[settling[0]] if settling else "answered",
        words=_words(given[settling[0]]) if settling else "",
    )
    if entry.kind == "replied" and is_blank(entry.words):
        raise AnswerError(f"{place}: the entry {pattern!r} has an empty response; write what to reply.")

    return entry


def example_line(question: Question) -> str:
    """Write what could stand in an entry for a question."""
    if question.options:
        label = json.dumps(question.options[0].label, ensure_ascii=False)
        return f"[{label}]" if question.multi_select else label

    if question.kind == "number":
        numbers = (question.default, question.minimum, question.maximum, 1)
        return next(number_text(number) for number in numbers if isinstance(number, int | float))

    return '{other: "..."}'


def _given(pattern: str, given: object, place: str) -> tuple[str | float, ...]:
    values = tuple(given) if isinstance(given, list | tuple) else (given,)
    if not values or any(not isinstance(value, str | int | float) or value == "" for value in values):
        raise AnswerError(
            f"{place}: the entry {pattern!r} is {given!r}; wanted a label, a list of labels, a number, "
            f"or a mapping with {', '.join(_KEYS)}."
        )

    return values


def _text(given: str | float) -> str:
    return given if isinstance(given, str) else str(given) if isinstance(given, bool) else number_text(given)


def _number(given: str) -> float:
    number = float(given)
    return int(number) if number.is_integer() else number


def _words(given: object) -> str:
    return "" if given in (None, True) or given == "true" else str(given)


def _is_true(given: object) -> bool:
    return given is True or str(given).lower() == "true"
