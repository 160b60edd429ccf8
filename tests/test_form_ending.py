"""A form settles once, by whichever way out is taken first, and then lets go of everything."""

from __future__ import annotations

import asyncio
import math
import threading

import pytest

from askwidgets.form import QuestionForm
from askwidgets.questions import Answer, Outcome, denial, parse_question_request, updated_input
from askwidgets.widget_tree import tree_widgets
from tests.person import ALL, CHECKS, STORE, Person, asked, handled, with_person
from tests.skipping_loop import run


def test_discussing_declines_at_once_with_what_was_picked_and_said() -> None:
    """B58, B59."""

    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        person.say("Why not Postgres?")
        await handled()
        assert person.press("Discuss instead")
        outcome = await form.outcome()
        assert outcome == Outcome(
            kind="declined", answers={STORE: Answer(labels=("Redis",))}, words="Why not Postgres?"
        )
        assert "Why not Postgres?" in denial(form.request, outcome)
        assert await form.answers() == {}

    with_person(act, STORE, CHECKS)


def test_discussing_needs_no_reason() -> None:
    """B58."""

    async def act(person: Person, form: QuestionForm) -> None:
        assert person.press("Discuss instead")
        assert await form.outcome() == Outcome(kind="declined")

    with_person(act, STORE)


def test_a_reply_hides_the_questions_and_quotes_what_was_picked() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        await handled()
        assert person.press("Reply in my own words")
        await handled()
        assert "Only your reply is sent" in person.reads("ask-explained")
        assert not person.press("Send reply")
        person.say("Use what the other service uses.")
        await handled()
        assert person.press("Send reply")
        outcome = await form.outcome()
        assert outcome.kind == "replied"
        sent = updated_input(form.request, outcome)
        assert "answers" not in sent
        assert "Use what the other service uses." in str(sent["response"])
        assert "Redis" in str(sent["response"])
        assert await form.answers() == {}

    with_person(act, STORE, CHECKS)


def test_going_back_from_a_reply_keeps_everything() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        person.press("Reply in my own words")
        await handled()
        person.say("half a thought")
        await handled()
        assert person.press("Back to the questions")
        await handled()
        assert person.press("Reply in my own words")
        await handled()
        person.press("Back to the questions")
        await handled()
        assert "Your words below go along as a note." in person.reads("ask-hint")
        assert person.press("Submit answers")
        assert (await form.outcome()).answers == {STORE: Answer(labels=("Redis",), notes="half a thought")}

    with_person(act, STORE)


def test_asking_for_more_sends_what_is_answered_so_far_and_a_remark() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        person.say("ask about backups too")
        await handled()
        assert person.press("Ask me more")
        outcome = await form.outcome()
        assert outcome.kind == "asked_more"
        sent = updated_input(form.request, outcome)
        assert sent["followUp"] is True
        assert sent["answers"] == {STORE: "Redis"}
        assert sent["response"] == "ask about backups too"
        assert await form.answers() == {STORE: "Redis"}

    with_person(act, STORE, CHECKS)


def test_later_clicks_change_nothing_and_raise_nothing() -> None:
    """B20."""

    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        await handled()
        person.press_anyway("Submit answers")
        person.press_anyway("Submit answers")
        person.press_anyway("Discuss instead")
        outcome = await form.outcome()
        assert outcome.kind == "answered"
        person.press_anyway("Submit answers")
        person.press_anyway("Discuss instead")
        person.press_anyway("Skip")
        person.pick(STORE, "SQLite (Recommended)")
        await handled()
        assert await form.outcome() is outcome
        assert not form.settle(Outcome(kind="declined"))
        assert not form.interrupt()

    with_person(act, STORE)


def test_the_form_is_disabled_as_soon_as_a_button_is_pressed() -> None:
    """B20."""

    async def act(person: Person, form: QuestionForm) -> None:
        person.write(STORE, "a file")
        await asyncio.sleep(0)
        person.press_anyway("Submit answers")
        await asyncio.sleep(0)
        assert person.is_disabled("Submit answers")
        assert person.is_disabled("Discuss instead")
        assert not form.done
        await handled()
        assert form.done

    with_person(act, STORE)


def test_keystrokes_that_arrive_after_the_click_are_in_the_answer() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        person.write(STORE, "h")
        await asyncio.sleep(0)
        person.press_anyway("Submit answers")
        await asyncio.sleep(0)
        person.write(STORE, "hello")
        assert await form.answers() == {STORE: "hello"}

    with_person(act, STORE)


def test_two_views_share_one_form_and_the_first_to_submit_wins() -> None:
    """B21: both tabs send to the same models."""

    async def act(person: Person, form: QuestionForm) -> None:
        other_tab = Person(form)
        person.pick(STORE, "Redis")
        await handled()
        other_tab.pick(STORE, "SQLite (Recommended)")
        await handled()
        assert person.picked(STORE) == other_tab.picked(STORE) == ["SQLite (Recommended)"]
        assert other_tab.press("Submit answers")
        person.press_anyway("Submit answers")
        assert await form.answers() == {STORE: "SQLite (Recommended)"}
        await handled()
        assert "Answered" in person.reads("ask-frozen")
        assert person.reads("ask-frozen") == other_tab.reads("ask-frozen")

    with_person(act, STORE)


def test_two_forms_at_once_are_answered_in_any_order() -> None:
    """B24."""

    async def main() -> None:
        first = QuestionForm(parse_question_request(asked(STORE), tool_use_id="toolu_1"))
        one = Person(first)
        one.write(STORE, "half")
        await handled()
        second = QuestionForm(parse_question_request(asked(CHECKS), tool_use_id="toolu_2"))
        other = Person(second)
        other.pick(CHECKS, "unit")
        await handled()
        assert other.press("Submit answers")
        assert await second.answers() == {CHECKS: "unit"}
        assert not first.done
        one.write(STORE, "half and whole")
        await handled()
        assert one.press("Submit answers")
        assert await first.answers() == {STORE: "half and whole"}

    run(main())


def test_without_a_timeout_it_waits() -> None:
    """B23."""

    async def act(person: Person, form: QuestionForm) -> None:
        await asyncio.sleep(600)
        assert not form.done
        assert person.reads("ask-clock") == ""

    with_person(act, STORE)
    with_person(act, STORE, timeout=math.inf)


def test_a_timeout_counts_down_and_says_that_nobody_answered() -> None:
    """B23."""

    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        await asyncio.sleep(20)
        assert "0:50 left" in person.reads("ask-clock")
        await asyncio.sleep(100)
        outcome = await form.outcome()
        assert outcome == Outcome(kind="timed_out", answers={STORE: Answer(labels=("Redis",))})
        assert denial(form.request, outcome).startswith("Nobody answered in time.")
        await handled()
        assert "Timed out" in person.reads("ask-frozen")
        person.press_anyway("Submit answers")
        await handled()
        assert await form.outcome() is outcome

    with_person(act, STORE, timeout=60)


def test_a_countdown_stands_still_while_the_person_types() -> None:
    """B23."""

    async def act(person: Person, form: QuestionForm) -> None:
        for length in range(30):
            person.write(STORE, "x" * length)
            await asyncio.sleep(5)

        assert not form.done
        assert "stands still" in person.reads("ask-clock")
        await asyncio.sleep(80)
        assert (await form.outcome()).answers == {STORE: Answer(other="x" * 29)}

    with_person(act, STORE, timeout=60)


def test_settled_elsewhere_it_says_so() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        outcome = Outcome(kind="answered", answers={STORE: Answer(labels=("Redis",))}, by="%claude answer")
        assert form.settle(outcome)
        assert await form.outcome() is outcome
        await handled()
        assert "Answered elsewhere" in person.reads("ask-frozen")
        assert [widget for widget in person.seen() if "ask-field" in getattr(widget, "_dom_classes", ())] == []

    with_person(act, STORE)


def test_interrupted_it_freezes_and_whoever_waits_is_cancelled() -> None:
    """B27."""

    async def act(person: Person, form: QuestionForm) -> None:
        person.pick(STORE, "Redis")
        waiting = asyncio.ensure_future(form.outcome())
        await handled()
        assert form.interrupt()
        with pytest.raises(asyncio.CancelledError):
            await waiting

        await handled()
        assert "Interrupted" in person.reads("ask-frozen")
        assert form.drafts() == {STORE: Answer(labels=("Redis",))}
        person.press_anyway("Submit answers")
        await handled()
        assert not form.settle(Outcome(kind="declined"))

    with_person(act, STORE)


def test_cancelling_a_wait_leaves_the_form_to_be_waited_for_again() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(form.answers(), 5)

        person.pick(STORE, "Redis")
        await handled()
        assert person.press("Submit answers")
        assert await form.answers() == {STORE: "Redis"}

    with_person(act, STORE)


def test_closing_leaves_no_model_open_and_nobody_waiting() -> None:
    async def main() -> None:
        for frozen in (False, True):
            form = QuestionForm(asked(*ALL), timeout=60)
            models = list(tree_widgets(form.widget))
            waiting = asyncio.ensure_future(form.outcome())
            await handled()
            if frozen:
                form.interrupt()
                await handled()

            models += list(tree_widgets(form.widget))
            form.close()
            form.close()
            with pytest.raises(asyncio.CancelledError):
                await waiting

            await handled()
            assert [model for model in models if model.comm is not None] == []

    run(main())


def test_made_without_a_loop_it_is_awaited_later() -> None:
    form = QuestionForm(asked(STORE), timeout=60)
    person = Person(form)
    person.write(STORE, "a file")
    assert person.press("Submit answers")
    assert asyncio.run(form.answers()) == {STORE: "a file"}
    assert "Answered" in person.reads("ask-frozen")
    form.close()


def test_a_closed_form_shows_as_text() -> None:
    form = QuestionForm(asked(STORE))
    form.close()
    shown = form._repr_mimebundle_()
    assert list(shown) == ["text/plain"]
    assert STORE in str(shown["text/plain"])


def test_made_without_a_loop_its_countdown_starts_with_the_wait() -> None:
    form = QuestionForm(asked(STORE), timeout=60)
    assert run(form.outcome()) == Outcome(kind="timed_out")


def test_callbacks_on_another_thread_are_handed_to_the_loop() -> None:
    """B39: JupyterLab's subshells run them there."""
    drawn_on: set[int] = set()

    async def act(person: Person, form: QuestionForm) -> None:
        for widget in person.seen():
            if "ask-hint" in getattr(widget, "_dom_classes", ()):
                widget.observe(lambda _: drawn_on.add(threading.get_ident()), "value")

        waiting = asyncio.ensure_future(form.answers())
        await asyncio.to_thread(person.pick, STORE, "Redis")
        await asyncio.to_thread(person.write, CHECKS, "mine")
        await handled()
        assert await asyncio.to_thread(person.press, "Submit answers")
        assert await waiting == {STORE: "Redis", CHECKS: "mine"}
        await handled()
        assert drawn_on == {threading.get_ident()}

    with_person(act, STORE, CHECKS)


def test_threads_that_race_to_settle_it_get_one_winner() -> None:
    """B20."""

    async def main() -> None:
        form = QuestionForm(asked(STORE))
        outcomes = [Outcome(kind="declined", words=str(number)) for number in range(8)]
        won = await asyncio.gather(*(asyncio.to_thread(form.settle, outcome) for outcome in outcomes))
        assert won.count(True) == 1
        assert await form.outcome() == outcomes[won.index(True)]

    run(main())
