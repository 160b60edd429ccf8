"""What takes the answer of one question: options, text or a number, each beside one's own words.

A control reads and fills; when it changes it says so through the callback that it was given, and does
nothing else there (the callback may run on another thread, see ``askwidgets/handover.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

import ipywidgets as widgets

from askwidgets.hidden import plain
from askwidgets.number_control import NumberControl
from askwidgets.parts import Parts
from askwidgets.questions import Answer, Option, Question

__all__ = ["Changed", "Control", "make_control"]

Changed = Callable[[Callable[[], object]], None]
"""Takes what is to be done about a change, to run it on the form's loop."""

OWN_ANSWER = "Your own answer"
OTHER = "Other"
LONG_LABEL = 60
"""Characters above which a label is set like its description, since its first line is not all of it."""

_MARKUP = re.compile(r"(`+)(?P<code>.+?)\1|(?<![\w*])\*\*(?P<bold>\S(?:[^*]*\S)?)\*\*(?![\w*])")


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
        """Give typed words that are not part of what ``read`` gives."""

    def problem(self) -> str | None:
        """Say what the person has to do before this is an answer, if it says more than that it is empty."""


class SingleChoice:
    """One radio button per option, the last one for one's own words."""

    def __init__(self, question: Question, *, name: str, parts: Parts, changed: Changed) -> None:
        self._options = question.options
        texts = [option_text(option) for option in self._options]
        marks = [f"recommended-{place}" for place, option in enumerate(self._options, 1) if is_recommended(option)]
        if any(len(option.label) > LONG_LABEL for option in self._options):
            marks.append("long")

        self._radios = parts.radios([*texts, OTHER], "options", *marks)
        self._words = parts.textarea("", "other", label=f"{OWN_ANSWER}: {name}", placeholder=OWN_ANSWER)
        self.widgets = (self._radios, self._words)
        self._radios.observe(lambda _: changed(_nothing), "index")
        self._words.observe(lambda change: changed(self._typing(change["new"])), "value")

    def read(self) -> Answer:
        """Read the picked option, and the person's own words: the answer, or beside it."""
        place = self._radios.index
        picked = () if place is None else self._options[place : place + 1]
        return Answer(labels=tuple(option.label for option in picked), other=self._words.value)

    def fill(self, answer: Answer) -> None:
        """Put back what ``read`` gave."""
        places = [place for place, option in enumerate(self._options) if option.label in answer.labels]
        self._words.value = answer.other
        self._radios.index = places[0] if places else len(self._options) if answer.other.strip() else None

    def stray_words(self) -> str:
        """Give words typed before an option was picked."""
        return self._words.value.strip() if self.read().labels else ""

    def problem(self) -> str | None:
        """Say that Other was picked without words."""
        blank = self._radios.index == len(self._options) and not self._words.value.strip()
        return "Write your own answer." if blank else None

    def _typing(self, words: str) -> Callable[[], object]:
        picked_then = self._radios.index

        def select_other() -> None:
            # An option that was clicked after these words were typed stays picked.
            if words.strip() and self._radios.index == picked_then:
                self._radios.index = len(self._options)

        return select_other


class MultipleChoice:
    """One checkbox per option, the last one for one's own words."""

    def __init__(self, question: Question, *, name: str, parts: Parts, changed: Changed) -> None:
        self._options = question.options
        self._boxes = [parts.checkbox(option_text(option), *_marks(option)) for option in self._options]
        self._other = parts.checkbox(OTHER)
        self._words = parts.textarea("", "other", label=f"{OWN_ANSWER}: {name}", placeholder=OWN_ANSWER)
        self.widgets = (parts.box([*self._boxes, self._other], "options"), self._words)
        for box in (*self._boxes, self._other):
            box.observe(lambda _: changed(_nothing), "value")

        self._words.observe(lambda change: changed(self._typing(change["new"])), "value")

    def read(self) -> Answer:
        """Read the ticked options and, where Other is ticked, the person's own words."""
        picked = zip(self._options, self._boxes, strict=True)
        labels = tuple(option.label for option, box in picked if box.value)
        return Answer(labels=labels, other=self._words.value if self._other.value else "")

    def fill(self, answer: Answer) -> None:
        """Put back what ``read`` gave."""
        for option, box in zip(self._options, self._boxes, strict=True):
            box.value = option.label in answer.labels

        self._words.value = answer.other
        self._other.value = bool(answer.other.strip())

    def stray_words(self) -> str:
        """Give words whose box was unticked."""
        return "" if self._other.value else self._words.value.strip()

    def problem(self) -> str | None:
        """Say that Other was ticked without words."""
        blank = self._other.value and not self._words.value.strip()
        return "Write your own answer, or untick Other." if blank else None

    def _typing(self, words: str) -> Callable[[], object]:
        ticked_then = self._other.value

        def tick_other() -> None:
            if words.strip() and self._other.value == ticked_then:
                self._other.value = True

        return tick_other


class Writing:
    """A field of several lines, for a question that has no options."""

    def __init__(self, question: Question, *, name: str, parts: Parts, changed: Changed) -> None:
        value = "" if question.default is None else str(question.default)
        placeholder = question.placeholder or OWN_ANSWER
        self._words = parts.textarea(value, "writing", label=f"{OWN_ANSWER}: {name}", placeholder=placeholder)
        self.widgets = (self._words,)
        self._words.observe(lambda _: changed(_nothing), "value")

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
    if question.kind == "choice" and question.options:
        kind = MultipleChoice if question.multi_select else SingleChoice
        return kind(question, name=name, parts=parts, changed=changed)

    if question.kind == "number":
        return NumberControl(question, name=name, parts=parts, changed=changed)

    return Writing(question, name=name, parts=parts, changed=changed)


def option_text(option: Option) -> str:
    """Give the plain text of an option: its label, and its description on lines of their own."""
    label = _MARKUP.sub(lambda found: found["code"] or found["bold"], option.label)
    gap = "\n\n" if len(label) > LONG_LABEL else "\n"
    return plain(f"{label}{gap}{option.description}" if option.description.strip() else label)


def is_recommended(option: Option) -> bool:
    """Whether the model recommends it."""
    return option.label.rstrip().lower().endswith("(recommended)")


def _marks(option: Option) -> list[str]:
    marks = ["recommended"] if is_recommended(option) else []
    return [*marks, "long"] if len(option.label) > LONG_LABEL else marks


def _nothing() -> None:
    """Leave it at the change itself."""
