"""What takes the answer of one question: options, a number or text, with room for one's own words.

A control reads and fills; when it changes it says so through the callback that it was given, and does
nothing else there (the callback may run on another thread, see ``askwidgets/handover.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import ipywidgets as widgets

from askwidgets.choice_control import MultipleChoice, SingleChoice
from askwidgets.handover import Changed
from askwidgets.number_control import NumberControl
from askwidgets.parts import OWN_ANSWER, Parts
from askwidgets.questions import Answer, Question

__all__ = ["Control", "make_control"]


class Control(Protocol):
    """Takes the answer of one question."""

    @property
    def widgets(self) -> Sequence[widgets.Widget]:
        """What to show, in order."""

    def read(self) -> Answer:
        """Read what is picked or written, as the answer."""

    def fill(self, answer: Answer) -> None:
        """Put back what ``read`` gave."""

    def stray_words(self) -> str:
        """Give typed words that are not part of the answer."""

    def problem(self) -> str | None:
        """Say what the person has to do before this is an answer, if it says more than that it is empty."""


class TextControl:
    """A field of several lines, for a question that has no options."""

    def __init__(self, question: Question, *, name: str, parts: Parts, changed: Changed) -> None:
        value = "" if question.default is None else str(question.default)
        placeholder = question.placeholder or OWN_ANSWER
        self._words = parts.textarea(value, "writing", label=f"{OWN_ANSWER}: {name}", placeholder=placeholder)
        self.widgets: tuple[widgets.Widget, ...] = (self._words,)
        self._words.observe(lambda _: changed(), "value")

    def read(self) -> Answer:
        """Read what was written."""
        return Answer(other=self._words.value)

    def fill(self, answer: Answer) -> None:
        """Put back what was written."""
        self._words.value = answer.other

    def stray_words(self) -> str:
        """Give nothing: all words are the answer."""
        return ""

    def problem(self) -> str | None:
        """Find nothing beyond an empty field."""
        return None


def make_control(question: Question, *, name: str, parts: Parts, changed: Changed) -> Control:
    """Make the control that a question's kind calls for; ``name`` tells it from others to a screen reader."""
    kind: type[SingleChoice | MultipleChoice | NumberControl | TextControl] = TextControl
    if question.kind == "choice" and question.options:
        kind = MultipleChoice if question.multi_select else SingleChoice
    elif question.kind == "number":
        kind = NumberControl

    return kind(question, name=name, parts=parts, changed=changed)
