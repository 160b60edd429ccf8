"""Whatever a person does, and whoever ends it, a form settles once and loses no words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from hypothesis import given, settings, strategies as st

from askwidgets.form import QuestionForm
from askwidgets.questions import Outcome, updated_input
from tests.person import ALL, BINS, CHECKS, STORE, TITLE, Person, asked
from tests.skipping_loop import run

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
@settings(max_examples=120)
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
@settings(max_examples=50)
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
