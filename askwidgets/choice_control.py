"""What takes a choice: options, and one's own words below them."""

from __future__ import annotations

from collections.abc import Callable

from ipywidgets import Widget

from askwidgets.handover import Changed
from askwidgets.option_rows import OTHER, option_name, rows_html
from askwidgets.parts import Parts
from askwidgets.questions import Answer, Question

__all__ = ["MultipleChoice", "SingleChoice"]


class SingleChoice:
    """One radio button per option, the last one for one's own words."""

    def __init__(self, question: Question, *, name: str, parts: Parts, changed: Changed) -> None:
        self._options = question.options
        self._radios = parts.radios([*map(option_name, self._options), OTHER])
        self._words = parts.own_words(name)
        rows = parts.html(rows_html(self._options))
        self.widgets: tuple[Widget, ...] = (parts.box([self._radios, rows], "options"), self._words)
        self._radios.observe(lambda _: changed(), "index")
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
        self._boxes = [parts.checkbox(option_name(option)) for option in self._options]
        self._other = parts.checkbox(OTHER)
        self._words = parts.own_words(name)
        rows = parts.html(rows_html(self._options))
        self.widgets: tuple[Widget, ...] = (parts.box([*self._boxes, self._other, rows], "options"), self._words)
        for box in (*self._boxes, self._other):
            box.observe(lambda _: changed(), "value")

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
            # A box that was unticked after these words were typed stays so.
            if words.strip() and self._other.value == ticked_then:
                self._other.value = True

        return tick_other
