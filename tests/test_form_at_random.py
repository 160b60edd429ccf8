"""Whatever a person does, and whoever ends it, a form settles once and loses no words."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable

import ipywidgets as widgets
from hypothesis import given, settings, strategies as st

from askwidgets.errors import QuestionError
from askwidgets.form import QuestionForm
from askwidgets.questions import Outcome, denial, parse_question_request, updated_input
from askwidgets.receipt import question_receipt
from askwidgets.widget_tree import tree_widgets
from tests.ask_user_question_schema import validate
from tests.person import ALL, BINS, CHECKS, STORE, TITLE, Person, asked
from tests.question_inputs import VALID_INPUTS, odd_inputs
from tests.skipping_loop import run

SOME = settings().max_examples // 5
"""Examples of what takes long."""
WORDS = st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=8)
PLACES = st.integers(0, 3)
BUTTONS = (
    "Submit answers",
    "Reply in my own words",
    "Send reply",
    "Back to the questions",
    "Ask me more",
    "Discuss instead",
)
ACTS = st.one_of(
    st.tuples(st.just("pick"), st.sampled_from([STORE]), st.sampled_from(["Redis", "SQLite (Recommended)", "Other"])),
    st.tuples(st.just("pick"), st.sampled_from([CHECKS]), st.sampled_from(["lint", "types", "unit", "Other"])),
    st.tuples(st.just("write"), st.sampled_from([STORE, CHECKS, BINS, TITLE]), WORDS),
    st.tuples(st.just("note"), st.sampled_from([STORE, CHECKS, BINS, TITLE]), WORDS),
    st.tuples(st.just("enter_number"), st.just(BINS), st.sampled_from(["", "7", "7 bins", "1e9", "many"])),
    st.tuples(st.just("slide"), st.just(BINS), st.integers(1, 100)),
    st.tuples(st.just("skip"), st.sampled_from([STORE, CHECKS, BINS, TITLE])),
    st.tuples(st.just("say"), WORDS),
    st.tuples(st.just("press"), st.sampled_from(BUTTONS)),
)


@given(st.lists(ACTS, max_size=14), st.lists(st.sampled_from([0.0, 0.0, 0.1, 30.0]), min_size=14, max_size=14))
@settings(max_examples=SOME)
def test_whatever_a_person_does_it_settles_once_and_keeps_their_words(
    acts: list[tuple[str, ...]], pauses: list[float]
) -> None:
    async def main() -> None:
        form = QuestionForm(asked(*ALL), timeout=100)
        person = Person(form)
        for (name, *arguments), pause in zip(acts, pauses, strict=False):
            if form.done:
                break

            getattr(person, name)(*arguments)
            await asyncio.sleep(pause)

        await asyncio.sleep(200)
        outcome = await form.outcome()
        given = [outcome.words, *(part for answer in outcome.answers.values() for part in (answer.other, answer.notes))]
        lost = [text for text in person.typed() if not any(text.strip() in part for part in given)]
        assert lost == []
        assert outcome.kind in {"declined", "timed_out"} or updated_input(form.request, outcome)
        assert not form.settle(outcome)
        form.close()

    run(main())


@given(st.lists(st.sampled_from(["settle", "interrupt", "press", "close", "time"]), min_size=1, max_size=5))
@settings(max_examples=SOME)
def test_whoever_ends_it_first_wins(ends: list[str]) -> None:
    async def main() -> None:
        form = QuestionForm(asked(STORE), timeout=60)
        person = Person(form)
        waiting = asyncio.ensure_future(form.outcome())
        moves: dict[str, Callable[[], object]] = {
            "settle": lambda: form.settle(Outcome(kind="declined", by="script")),
            "interrupt": form.interrupt,
            "press": lambda: person.press_anyway("Discuss instead"),
            "close": form.close,
        }
        for end in ends:
            await asyncio.sleep(100 if end == "time" else 0.5)
            if end in moves:
                moves[end]()

        await asyncio.wait([waiting])
        if ends[0] in {"interrupt", "close"}:
            assert waiting.cancelled()
        else:
            expected = {"settle": "script declined", "press": "person declined", "time": "person timed_out"}[ends[0]]
            assert f"{waiting.result().by} {waiting.result().kind}" == expected

        form.close()

    run(main())


class Anybody:
    """Uses whatever a form shows, at random, and never what a browser would not let them."""

    def __init__(self, form: QuestionForm, chance: random.Random, words: str) -> None:
        self._form = form
        self._chance = chance
        self._texts = ["", "7", "1e9", words]

    def act(self) -> None:
        """Do one thing."""
        shown = [widget for widget in tree_widgets(self._form.widget) if isinstance(widget, self._KINDS)]
        widget = self._chance.choice(shown)
        if isinstance(widget, widgets.RadioButtons):
            widget.set_state({"index": self._chance.randrange(len(widget.options))})
        elif isinstance(widget, (widgets.Checkbox, widgets.ToggleButton)):
            widget.set_state({"value": not widget.value})
        elif isinstance(widget, widgets.FloatSlider):
            widget.set_state({"value": self._chance.uniform(widget.min, widget.max)})
        elif isinstance(widget, widgets.Button):
            self._press(widget)
        else:
            widget.set_state({"value": self._chance.choice(self._texts)})

    def _press(self, button: widgets.Button) -> None:
        if not button.disabled:
            button.click()

    _KINDS = (
        widgets.RadioButtons,
        widgets.Checkbox,
        widgets.ToggleButton,
        widgets.FloatSlider,
        widgets.Button,
        widgets.Text,
        widgets.Textarea,
    )


@given(
    st.booleans().flatmap(lambda valid: st.tuples(st.just(valid), VALID_INPUTS if valid else odd_inputs())),
    st.randoms(use_true_random=False),
    WORDS,
)
def test_whatever_is_asked_is_answered_or_denied_whatever_a_person_does(
    asks: tuple[bool, dict[str, object]], chance: random.Random, words: str
) -> None:
    """B13: through the parser, a form, anybody at it, and back to the tool's input."""
    valid, tool_input = asks
    try:
        request = parse_question_request(tool_input)
    except QuestionError as error:
        assert not valid
        str(error).encode()
        return

    async def main() -> Outcome:
        form = QuestionForm(request, timeout=1000)
        person = Anybody(form, chance, words)
        [hint] = [shown for shown in tree_widgets(form.widget) if "ask-hint" in getattr(shown, "_dom_classes", ())]
        for _ in range(chance.randint(1, 12)):
            if not form.done:
                person.act()
                await asyncio.sleep(chance.choice([0, 0.1, 0.5]))

            assert "alert" not in hint.value

        outcome = await form.outcome()
        form.close()
        return outcome

    outcome = run(main())
    json.dumps(question_receipt(request, outcome).bundle(), ensure_ascii=False).encode()
    if outcome.kind in {"declined", "timed_out"}:
        denial(request, outcome).encode()
    else:
        built = updated_input(request, outcome)
        json.dumps(built, ensure_ascii=False, allow_nan=False).encode()
        if valid:
            validate(built)
