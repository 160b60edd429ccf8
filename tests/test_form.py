"""What the person gives to a form is what it settles to, and it says what it waits for."""

from __future__ import annotations

import pytest

from askwidgets.form import QuestionForm
from askwidgets.questions import Answer, parse_question_request, updated_input
from askwidgets.widget_tree import tree_widgets
from tests.person import ALL, BINS, CHECKS, STORE, TITLE, Person, asked, handled, with_person
from tests.skipping_loop import run


def test_a_picked_option_is_the_answer_under_the_untouched_question() -> None:
    """B01, B02."""
    question = 'Which "store" should\nhold **sessions**? '

    async def main() -> dict[str, str]:
        form = QuestionForm({"questions": [{"question": question, **ALL[STORE]}]})
        person = Person(form)
        person.pick(question, "Redis")
        await handled()
        assert person.press("Submit answers")
        return await form.answers()

    assert run(main()) == {question: "Redis"}


def test_nothing_is_preselected_not_even_what_is_recommended() -> None:
    """B17."""

    async def act(person: Person, form: QuestionForm) -> None:
        assert person.picked(STORE) == person.picked(CHECKS) == []
        assert form.drafts() == {}
        assert person.is_disabled("Submit answers")

    with_person(act, STORE, CHECKS)


def test_submit_stays_disabled_until_every_question_is_answered() -> None:
    """B03."""

    async def act(person: Person, form: QuestionForm) -> None:
        assert "Still to answer: Store, CI." in person.reads("ask-hint")
        person.pick(STORE, "Redis")
        await handled()
        assert person.is_disabled("Submit answers")
        assert "Still to answer: CI." in person.reads("ask-hint")
        assert person.chips() == {"Store": True, "CI": False}
        person.pick(CHECKS, "unit")
        person.pick(CHECKS, "lint")
        await handled()
        assert person.reads("ask-hint") == ""
        assert person.press("Submit answers")
        assert await form.answers() == {STORE: "Redis", CHECKS: "lint, unit"}

    with_person(act, STORE, CHECKS)


def test_a_lone_question_says_what_it_takes() -> None:
    """B03."""

    async def act(person: Person, form: QuestionForm) -> None:
        assert "Pick an option" in person.reads("ask-hint")
        person.press_anyway("Submit answers")
        await handled()
        assert not form.done

    with_person(act, STORE)


def test_typing_selects_other_and_the_word_other_is_never_sent() -> None:
    """B06, B08."""

    async def act(person: Person, form: QuestionForm) -> None:
        person.write(STORE, "alpha")
        person.pick(CHECKS, "lint")
        person.write(CHECKS, "also rotate the keys")
        await handled()
        assert person.picked(STORE) == ["Other"]
        assert person.picked(CHECKS) == ["lint", "Other"]
        assert person.field_texts(STORE)[0] == "alpha"
        assert person.press("Submit answers")
        assert await form.answers() == {STORE: "alpha", CHECKS: "lint, also rotate the keys"}

    with_person(act, STORE, CHECKS)


@pytest.mark.parametrize("blank", ["", " \n\t"])
def test_other_without_words_is_no_answer(blank: str) -> None:
    """B06, B50."""

    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(CHECKS, "lint")
        person.pick(CHECKS, "Other")
        person.write(CHECKS, blank)
        person.pick(STORE, "Other")
        await handled()
        assert not person.press("Submit answers")
        assert "Store: Write your own answer." in person.reads("ask-hint")
        assert "CI: Write your own answer, or untick Other." in person.reads("ask-hint")
        assert not form.done

    with_person(act, STORE, CHECKS)


def test_words_typed_before_an_option_was_picked_go_along_as_the_note() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.write(STORE, "or Postgres later")
        await handled()
        person.pick(STORE, "Redis")
        person.note(STORE, "small machine")
        await handled()
        assert person.field_texts(STORE)[0] == "or Postgres later"
        assert "go along as a note: Store" in person.reads("ask-hint")
        assert person.press("Submit answers")
        outcome = await form.outcome()
        assert outcome.answers[STORE] == Answer(labels=("Redis",), notes="or Postgres later\nsmall machine")

    with_person(act, STORE)


def test_words_whose_box_was_unticked_go_along_as_the_note() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.write(CHECKS, "nightly only")
        person.pick(CHECKS, "types")
        await handled()
        person.pick(CHECKS, "Other")
        await handled()
        assert person.press("Submit answers")
        assert (await form.outcome()).answers[CHECKS] == Answer(labels=("types",), notes="nightly only")

    with_person(act, CHECKS)


def test_an_option_clicked_right_after_typing_stays_picked() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.write(STORE, "or Postgres")
        person.pick(STORE, "Redis")
        await handled()
        assert person.picked(STORE) == ["Redis"]
        assert form.drafts()[STORE].other == "or Postgres"

    with_person(act, STORE)


def test_a_note_alone_is_an_answer() -> None:
    """B10."""

    async def act(person: Person, form: QuestionForm) -> None:
        person.note(STORE, "whatever is there")
        await handled()
        assert person.press("Submit answers")
        outcome = await form.outcome()
        sent = updated_input(form.request, outcome)
        assert "answers" not in sent
        assert sent["annotations"] == {STORE: {"notes": "whatever is there"}}

    with_person(act, STORE)


def test_a_model_option_called_other_gives_no_second_row() -> None:
    async def main() -> None:
        options = [{"label": "Redis"}, {"label": "Other"}, {"label": "SQLite"}]
        form = QuestionForm({"questions": [{"question": STORE, "options": options}]})
        person = Person(form)
        person.pick(STORE, "Other")
        person.write(STORE, "a file")
        await handled()
        assert person.press("Submit answers")
        assert await form.answers() == {STORE: "a file"}

    run(main())


def test_a_question_skipped_on_purpose_goes_beside_an_answer() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.write(STORE, "to be decided")
        person.skip(STORE)
        await handled()
        person.skip(CHECKS)
        await handled()
        assert "at least one question" in person.reads("ask-hint")
        assert not person.press("Submit answers")
        person.skip(CHECKS)
        person.pick(CHECKS, "lint")
        await handled()
        assert person.press("Submit answers")
        outcome = await form.outcome()
        assert outcome.answers[STORE] == Answer(skipped=True, notes="to be decided")
        sent = updated_input(form.request, outcome)
        assert sent["answers"] == {CHECKS: "lint"}
        assert sent["annotations"] == {STORE: {"notes": "to be decided", "unanswered": "skipped"}}

    with_person(act, STORE, CHECKS)


def test_a_skip_taken_back_brings_back_what_was_picked() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        person.skip(STORE)
        await handled()
        assert form.drafts()[STORE] == Answer(labels=("Redis",), skipped=True)
        person.skip(STORE)
        await handled()
        assert form.drafts()[STORE] == Answer(labels=("Redis",))

    with_person(act, STORE, CHECKS)


def test_submit_asks_where_words_belong_when_there_are_several_questions() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        person.pick(CHECKS, "lint")
        person.say("and hurry")
        await handled()
        assert not person.press("Submit answers")
        assert "Your words below do not go with the answers" in person.reads("ask-hint")
        person.say("")
        await handled()
        assert person.press("Submit answers")
        assert (await form.outcome()).kind == "answered"

    with_person(act, STORE, CHECKS)


def test_what_the_tool_would_refuse_is_said_and_nothing_is_lost() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.write(STORE, "x" * 20_000)
        person.write(CHECKS, "y" * 20_000)
        await handled()
        assert person.press("Submit answers")
        await handled()
        assert "longer than 32,768 characters" in person.reads("ask-hint")
        assert not form.done
        person.write(CHECKS, "y")
        await handled()
        assert person.press("Submit answers")
        assert (await form.outcome()).answers[CHECKS].other == "y"

    with_person(act, STORE, CHECKS)


def test_a_subagent_is_named() -> None:
    """B26."""

    async def main() -> None:
        form = QuestionForm(parse_question_request(asked(STORE), agent_id="agt_7"))
        assert "agt_7" in Person(form).reads("ask-intro")

    run(main())


def test_title_and_notice_stand_above_the_questions() -> None:
    async def main() -> None:
        person = Person(QuestionForm(asked(STORE, title="Before **we** start"), notice="A follow-up"))
        assert "Before <strong>we</strong> start" in person.reads("ask-intro")
        assert "A follow-up" in person.reads("ask-intro")
        assert '<span role="status">Waiting for your answer</span>' in person.reads("ask-status")

    run(main())


def test_drafts_fill_a_new_form() -> None:
    drafts = {
        STORE: Answer(labels=("Redis",), other="or Postgres", notes="a note"),
        CHECKS: Answer(labels=("lint", "unit"), other="mine"),
        BINS: Answer(number=30),
        TITLE: Answer(other="Sales", skipped=True),
    }

    async def main() -> None:
        form = QuestionForm(asked(*ALL), drafts=drafts)
        assert form.drafts() == drafts
        person = Person(form)
        assert person.picked(STORE) == ["Redis"]
        assert person.number(BINS) == ("30", 30.0)
        assert person.press("Submit answers")
        assert await form.answers() == {STORE: "Redis", CHECKS: "lint, unit, mine", BINS: "30"}

    run(main())


def test_a_form_of_four_questions_makes_few_models() -> None:
    previews = [{"label": str(number), "description": "x" * 600, "preview": "+--+"} for number in range(4)]
    questions = [{"question": f"{number}?", "header": "H", "options": previews} for number in range(4)]

    async def main() -> None:
        assert len(list(tree_widgets(QuestionForm({"questions": questions}).widget))) < 90

    run(main())


def test_a_frontend_without_widgets_reads_the_questions() -> None:
    """B42."""

    async def main() -> None:
        form = QuestionForm(asked(STORE))
        bundle = form._repr_mimebundle_()
        assert STORE in str(bundle["text/plain"])
        assert "SQLite (Recommended)" in str(bundle["text/plain"])
        assert "application/vnd.jupyter.widget-view+json" in bundle

    run(main())
