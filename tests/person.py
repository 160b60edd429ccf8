"""A person at a question form: does to its widgets what a browser does when they click and type.

::

    person = Person(form)
    person.pick("Which store?", "Redis")
    person.press("Submit answers")
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence

import ipywidgets as widgets

from askwidgets.form import QuestionForm
from askwidgets.widget_tree import tree_widgets
from tests.skipping_loop import run

__all__ = ["ALL", "BINS", "CHECKS", "STORE", "TITLE", "Person", "asked", "handled", "with_person"]

STORE = "Which store should hold sessions?"
CHECKS = "Which checks run in CI?"
BINS = "How many bins?"
TITLE = "Chart title?"
ALL: Mapping[str, Mapping[str, object]] = {
    STORE: {
        "header": "Store",
        "options": [{"label": "Redis", "description": "in memory"}, {"label": "SQLite (Recommended)"}],
    },
    CHECKS: {"header": "CI", "multiSelect": True, "options": [{"label": label} for label in ("lint", "types", "unit")]},
    BINS: {"header": "Bins", "kind": "number", "min": 1, "max": 100, "step": 1, "unit": "bins"},
    TITLE: {"kind": "text", "placeholder": "Sales, 2026"},
}
"""Questions of each kind, as the tool's input has them."""


class Person:
    """Sees and uses what the form shows; questions are told by their text."""

    def __init__(self, form: QuestionForm) -> None:
        self._form = form
        boxes = [widget for widget in tree_widgets(form.widget) if "ask-field" in _classes(widget)]
        self._fields = dict(zip([question.text for question in form.request.questions], boxes, strict=True))
        self._all = list(tree_widgets(form.widget))

    def pick(self, question: str, label: str) -> None:
        """Click a radio button, or tick a checkbox or untick it; ``Other`` is a label as well."""
        for widget in tree_widgets(self._fields[question]):
            if isinstance(widget, widgets.RadioButtons):
                [place] = [place for place, name in enumerate(_names(widget)) if _is_named(name, label)]
                widget.set_state({"index": place})
                return

            if isinstance(widget, widgets.Checkbox) and _is_named(widget.description, label):
                widget.set_state({"value": not widget.value})
                return

        raise LookupError(label)

    def write(self, question: str, text: str) -> None:
        """Type one's own words as the answer."""
        self._writing(question, "ask-other", "ask-writing").set_state({"value": text})

    def note(self, question: str, text: str) -> None:
        """Type a note."""
        self._writing(question, "ask-notes").set_state({"value": text})

    def enter_number(self, question: str, text: str) -> None:
        """Type into the field of a number."""
        self._writing(question, "ask-number").set_state({"value": text})

    def slide(self, question: str, number: float) -> None:
        """Drag the slider of a number."""
        self._writing(question, "ask-slider").set_state({"value": number})

    def skip(self, question: str) -> None:
        """Press ``Skip``, or take it back."""
        toggle = self._writing(question, "ask-skip")
        toggle.set_state({"value": not toggle.value})

    def say(self, text: str) -> None:
        """Type into the field beside the ways out."""
        [words] = self._with_class("ask-words")
        words.set_state({"value": text})

    def press(self, text: str) -> bool:
        """Press a button by its text; false where there is none or the browser would not let them."""
        buttons = [widget for widget in self.seen() if isinstance(widget, widgets.Button)]
        found = [button for button in buttons if button.description == text]
        if not found or found[0].disabled:
            return False

        found[0].click()
        return True

    def press_anyway(self, text: str) -> None:
        """Send the click of a button that this page still shows, whatever became of the form."""
        for widget in self._all:
            if isinstance(widget, widgets.Button) and widget.description == text:
                widget.click()

    def field_texts(self, question: str) -> list[str]:
        """Read what stands in a question's fields."""
        fields = [widget for widget in tree_widgets(self._fields[question]) if isinstance(widget, widgets.Textarea)]
        return [field.value for field in fields]

    def typed(self) -> list[str]:
        """Read all words that stand in the form and are no number."""
        kinds = (widgets.Textarea, widgets.Text)
        words = [widget.value for widget in self._all if isinstance(widget, kinds)]
        return [text for text in words if text.strip() and not text.strip()[0].isdigit()]

    def picked(self, question: str) -> list[str]:
        """Read the names of what is picked."""
        names: list[str] = []
        for widget in tree_widgets(self._fields[question]):
            if isinstance(widget, widgets.RadioButtons) and widget.index is not None:
                names.append(_names(widget)[widget.index].split("\n")[0])

            if isinstance(widget, widgets.Checkbox) and widget.value:
                names.append(widget.description.split("\n")[0])

        return names

    def number(self, question: str) -> tuple[str, float]:
        """Read the field and the slider of a number."""
        return self._writing(question, "ask-number").value, self._writing(question, "ask-slider").value

    def chips(self) -> dict[str, bool]:
        """Read the overview: each question's name, and whether it is marked as answered."""
        return {chip.description: "ask-done" in _classes(chip) for chip in self._with_class("ask-goto")}

    def reads(self, name: str) -> str:
        """Read the HTML of the widget with a CSS class."""
        return "".join(widget.value for widget in self._with_class(name))

    def seen(self) -> Sequence[widgets.Widget]:
        """Give what the form consists of now."""
        return list(tree_widgets(self._form.widget))

    def is_disabled(self, text: str) -> bool:
        """Whether a button is disabled."""
        buttons = [widget for widget in self._all if isinstance(widget, widgets.Button)]
        return any(button.disabled for button in buttons if button.description == text)

    def _with_class(self, name: str) -> list[widgets.Widget]:
        return [widget for widget in self.seen() if name in _classes(widget)]

    def _writing(self, question: str, *names: str) -> widgets.Widget:
        found = [widget for widget in tree_widgets(self._fields[question]) if set(names) & set(_classes(widget))]
        return found[0]


def _classes(widget: widgets.Widget) -> Sequence[str]:
    return tuple(getattr(widget, "_dom_classes", ()))


def _names(radios: widgets.RadioButtons) -> Sequence[str]:
    """Read what the page reads."""
    return tuple(radios.get_state(["_options_labels"])["_options_labels"])


def _is_named(name: str, label: str) -> bool:
    return name.split("\n", maxsplit=1)[0] == label


def asked(*questions: str, **more: object) -> dict[str, object]:
    """Give the tool's input that asks these."""
    return {"questions": [{"question": question, **ALL[question]} for question in questions], **more}


def with_person(
    act: Callable[[Person, QuestionForm], Coroutine[object, object, None]], *questions: str, **options: float
) -> None:
    """Let ``act`` use a new form on a loop whose time is free."""

    async def main() -> None:
        form = QuestionForm(asked(*questions), timeout=options.get("timeout"))
        await act(Person(form), form)
        form.close()

    run(main())


async def handled() -> None:
    """Let everything that was handed to the loop happen, the grace of a click included."""
    await asyncio.sleep(0.5)
