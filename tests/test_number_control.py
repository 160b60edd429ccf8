"""A number: typed or dragged, sent plainly, and never taken from where the slider happens to stand."""

from __future__ import annotations

import pytest

from askwidgets.form import QuestionForm
from askwidgets.plain_json import number_text
from askwidgets.questions import Answer
from tests.person import BINS, Person, handled, with_person
from tests.skipping_loop import run


def test_a_slider_that_nobody_moved_is_no_answer() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        assert person.number(BINS) == ("", 1.0)
        assert "Give a number" in person.reads("ask-hint")
        assert form.drafts() == {}

    with_person(act, BINS)


def test_slider_and_field_follow_each_other() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.slide(BINS, 30)
        await handled()
        assert person.number(BINS) == ("30", 30.0)
        person.enter_number(BINS, "42")
        await handled()
        assert person.number(BINS) == ("42", 42.0)
        assert person.press("Submit answers")
        assert await form.answers() == {BINS: "42"}

    with_person(act, BINS)


@pytest.mark.parametrize(("typed", "reported"), [("70", 70.00000000000001), ("37.3", 37.300000000000004)])
def test_a_value_that_the_browser_reports_back_changes_nothing(typed: str, reported: float) -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.enter_number(BINS, typed)
        await handled()
        person.slide(BINS, reported)
        await handled()
        assert person.number(BINS)[0] == typed
        assert form.drafts()[BINS].number == float(typed)

    with_person(act, BINS)


def test_a_dragged_value_is_a_whole_number_of_steps() -> None:
    async def act(person: Person, _form: QuestionForm) -> None:
        person.slide(BINS, 29.999999999999996)
        await handled()
        assert person.number(BINS)[0] == "30"

    with_person(act, BINS)


def test_typing_on_is_never_overwritten_by_the_slider() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.enter_number(BINS, "3")
        person.enter_number(BINS, "37")
        await handled()
        assert person.number(BINS) == ("37", 37.0)
        assert form.drafts() == {BINS: Answer(number=37)}

    with_person(act, BINS)


@pytest.mark.parametrize(
    ("text", "hint"),
    [("many", "Give a number from 1 to 100."), ("101", "over 100"), ("0", "under 1"), ("nan", "Give a number")],
)
def test_what_is_no_number_in_range_is_named_and_not_lost(text: str, hint: str) -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.enter_number(BINS, text)
        await handled()
        assert hint in person.reads("ask-hint")
        assert not person.press("Submit answers")
        draft = form.drafts()[BINS]
        assert text in (draft.other, number_text(draft.number or 0))

    with_person(act, BINS)


def test_a_unit_typed_behind_the_number_is_left_out() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.enter_number(BINS, "30 bins")
        await handled()
        assert form.drafts() == {BINS: Answer(number=30)}

    with_person(act, BINS)


def test_ones_own_words_stand_for_a_number_that_nobody_set() -> None:
    async def main() -> None:
        question = {"question": "N?", "kind": "number", "min": 1, "max": 9, "defaultValue": 3}
        form = QuestionForm({"questions": [question]})
        person = Person(form)
        assert form.drafts() == {"N?": Answer(number=3)}
        person.write("N?", "as many as fit")
        await handled()
        assert form.drafts() == {"N?": Answer(other="as many as fit")}
        person.slide("N?", 5)
        await handled()
        assert "go along as a note" in person.reads("ask-hint")
        assert person.press("Submit answers")
        assert (await form.outcome()).answers == {"N?": Answer(number=5, notes="as many as fit")}

    run(main())


@pytest.mark.parametrize("limits", [{}, {"min": 1}, {"max": 5}])
def test_without_a_range_there_is_a_field_alone(limits: dict[str, float]) -> None:
    async def main() -> None:
        form = QuestionForm({"questions": [{"question": "N?", "kind": "number", **limits}]})
        person = Person(form)
        person.enter_number("N?", "5")
        await handled()
        assert person.press("Submit answers")
        assert await form.answers() == {"N?": "5"}

    run(main())
