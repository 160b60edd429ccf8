"""What goes wrong in the form itself is said in the form, and nothing that the person put in is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import ipywidgets as widgets

from askwidgets.form import QuestionForm
from askwidgets.questions import Outcome, QuestionRequest, parse_question_request
from askwidgets.widget_tree import tree_widgets
from tests.person import STORE, Person, asked, handled, with_person
from tests.skipping_loop import run


def test_a_callback_that_fails_is_said_and_the_form_goes_on() -> None:
    """B39."""

    async def act(person: Person, form: QuestionForm) -> None:
        [radios] = [widget for widget in tree_widgets(form.widget) if isinstance(widget, widgets.RadioButtons)]
        person.note(STORE, "keep the old name")
        await handled()
        options = radios.options
        radios.options = options[:1]
        person.write(STORE, "<b>MongoDB</b>")
        await handled()

        said = person.reads("ask-hint")
        assert 'role="alert"' in said
        assert "The form could not do that (TraitError: Invalid selection: index out of bounds)" in said
        assert person.field_texts(STORE) == ["<b>MongoDB</b>", "keep the old name"]
        assert not any(person.is_disabled(text) for text in ("Submit answers", "Discuss instead"))

        radios.options = options
        person.pick(STORE, "Other")
        await handled()
        assert "could not" not in person.reads("ask-hint")
        assert person.press("Submit answers")
        assert await form.answers() == {STORE: "<b>MongoDB</b>"}

    with_person(act, STORE)


def test_a_press_that_fails_can_be_followed_by_another() -> None:
    """B39."""

    async def act(person: Person, form: QuestionForm) -> None:
        [radios] = [widget for widget in tree_widgets(form.widget) if isinstance(widget, widgets.RadioButtons)]
        person.pick(STORE, "Redis")
        await handled()
        radios.options = ()
        person.say("not yet")
        person.press("Submit answers")
        await handled()
        assert not form.done
        person.press("Discuss instead")
        assert await form.outcome() == Outcome(kind="declined", words="not yet")

    with_person(act, STORE)


def broken() -> QuestionRequest:
    """Give a question of which one description cannot be shown."""
    request = parse_question_request(asked(STORE))
    [question] = request.questions
    options = (replace(question.options[0], description=cast("str", 7)), *question.options[1:])

    return replace(request, questions=(replace(question, options=options),))


def test_a_question_that_cannot_be_shown_whole_is_shown_bare_and_answered() -> None:
    """B39."""

    async def main() -> dict[str, str]:
        form = QuestionForm(broken(), notice="Asked before.")
        person = Person(form)
        said = person.reads("ask-intro")
        assert "Asked before. Shown without descriptions and previews" in said
        assert "AttributeError" in said
        person.pick(STORE, "Redis")
        await handled()
        assert person.press("Submit answers")

        return await form.answers()

    assert run(main()) == {STORE: "Redis"}
