"""What takes a number: a field, a slider where the range is known, and one's own words beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal

import ipywidgets as widgets

from askwidgets.handover import Changed
from askwidgets.markup import text_html
from askwidgets.parts import Parts
from askwidgets.plain_json import number_text
from askwidgets.questions import Answer, Question

__all__ = ["NumberControl"]

REPORTED = 1e-9
"""How far, as a part of it, a value may be off when the browser reports it back."""

STEPS = 100
"""How many steps a slider has where the question gives none and its numbers are no integers."""


class NumberControl:
    """Takes a number; until one is given, the slider stands at its start and means nothing."""

    def __init__(self, question: Question, *, name: str, parts: Parts, changed: Changed) -> None:
        self._question = question
        self._changed = changed
        self._is_quiet = False
        self._is_touched = False
        value = "" if question.default is None else str(question.default)
        if isinstance(question.default, (int, float)):
            value = number_text(question.default)

        self._text = parts.text(value, "number", label=f"Number: {name}", placeholder=range_text(question) or "Number")
        self._slider = _slider(question, name, parts)
        self._words = parts.own_words(name)
        unit = [parts.html(text_html(question.unit), "unit")] if question.unit.strip() else []
        slider = [] if self._slider is None else [self._slider]
        self.widgets: tuple[widgets.Widget, ...] = (parts.box([*slider, self._text, *unit], "amount"), self._words)
        self._follow_text()
        self._words.observe(lambda _: changed(), "value")
        self._text.observe(lambda _: self._on_person(self._follow_text), "value")
        if self._slider is not None:
            self._slider.observe(lambda _: self._on_slider(), "value")

    def read(self) -> Answer:
        """Read the number; one's own words count where no number was set."""
        typed, words = self._text.value.strip(), self._words.value
        number = self._number()
        if number is None:
            return Answer(other="\n".join(part for part in (typed, words) if part.strip()))

        # A default that nobody touched is no number given; the words are the answer.
        if words.strip() and not self._is_touched:
            return Answer(other=words)

        return Answer(number=number, other=words)

    def fill(self, answer: Answer) -> None:
        """Put back what ``read`` gave."""
        self._words.value = answer.other
        self._is_touched = answer.number is not None
        if answer.number is not None or answer.other.strip():
            with self._quietly():
                self._text.value = "" if answer.number is None else number_text(answer.number)

        self._follow_text()

    def stray_words(self) -> str:
        """Give words typed beside a number."""
        return self._words.value.strip() if self.read().number is not None else ""

    def problem(self) -> str | None:
        """Say that what stands in the field is no number."""
        if not self._text.value.strip() or self._number() is not None:
            return None

        wanted = range_text(self._question)
        return f"Give a number {wanted}." if wanted else "Give a number."

    def _number(self) -> float | None:
        try:
            number = float(self._text.value.strip().removesuffix(self._question.unit.strip() or " "))
        except ValueError:
            return None

        return number if math.isfinite(number) else None

    def _on_person(self, follow: Callable[[], None]) -> None:
        if not self._is_quiet:
            self._changed(lambda: self._follow(follow))

    def _on_slider(self) -> None:
        # The browser's slider also reports the value that it was given, a rounding error away.
        number, slid = self._number(), self._slider and self._slider.value
        if number is None or slid is None or not math.isclose(number, slid, rel_tol=REPORTED):
            self._on_person(self._follow_slider)

    def _slid(self) -> float | None:
        """Read the slider as a whole number of steps from its start."""
        slider = self._slider
        if slider is None:
            return None

        # In decimals: 0.1 + 2 * 0.1 is to be 0.3 in what is sent.
        low, step = Decimal(repr(slider.min)), Decimal(repr(slider.step))
        return float(low + step * round((Decimal(repr(slider.value)) - low) / step))

    def _follow(self, follow: Callable[[], None]) -> None:
        self._is_touched = True
        follow()

    def _follow_text(self) -> None:
        number = self._number()
        if self._slider is not None and number is not None and self._slider.min <= number <= self._slider.max:
            with self._quietly():
                self._slider.value = number

    def _follow_slider(self) -> None:
        number = self._slid()
        if number is not None:
            with self._quietly():
                self._text.value = number_text(number)

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        # The slider set from the text must not write back: the person may be typing on.
        self._is_quiet = True
        try:
            yield
        finally:
            self._is_quiet = False


def range_text(question: Question) -> str:
    """Say which numbers are taken; empty where any is."""
    if question.minimum is not None and question.maximum is not None:
        return f"from {number_text(question.minimum)} to {number_text(question.maximum)}"

    if question.minimum is not None:
        return f"from {number_text(question.minimum)} up"

    return "" if question.maximum is None else f"up to {number_text(question.maximum)}"


def _slider(question: Question, name: str, parts: Parts) -> widgets.FloatSlider | None:
    low, high = question.minimum, question.maximum
    if low is None or high is None or low >= high:
        return None

    whole = float(low).is_integer() and float(high).is_integer()
    step = question.step or (1 if whole else (high - low) / STEPS)
    return parts.slider("slider", label=f"Slider: {name}", minimum=low, maximum=high, step=step)
