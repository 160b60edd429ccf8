"""One question of a form: what it shows of the model's text, and what stays inert."""

from __future__ import annotations

import asyncio

import ipywidgets as widgets
import pytest

from askwidgets.form import QuestionForm
from askwidgets.questions import Answer
from askwidgets.widget_tree import tree_widgets
from tests.person import BINS, STORE, TITLE, Person, asked, handled, with_person
from tests.skipping_loop import run

ATTACK = "<img src=x onerror=alert(1)>"


def field_html(question: dict[str, object]) -> str:
    """Draw a form and give all HTML in it but the style sheet."""
    form = QuestionForm({"questions": [{"question": "Go?", "options": ["A", "B"], **question}]})
    shown = [widget for widget in tree_widgets(form.widget) if isinstance(widget, widgets.HTML)]
    return "".join(widget.value for widget in shown if "<style>" not in widget.value)


@pytest.mark.parametrize(
    "question",
    [
        {"question": ATTACK},
        {"header": ATTACK},
        {"description": ATTACK},
        {"options": [{"label": ATTACK}, {"label": "B"}]},
        {"options": [{"label": "A", "description": f"</div>{ATTACK}"}, {"label": "B"}]},
        {"options": [{"label": "A", "preview": f"```\n{ATTACK}\n```"}, {"label": "B"}]},
        {"options": [{"label": "A", "preview": f"<div>{ATTACK}<script>alert(1)</script></div>"}, {"label": "B"}]},
        {"kind": "number", "min": 1, "max": 2, "unit": ATTACK, "options": []},
    ],
)
def test_no_text_of_the_model_becomes_an_element(question: dict[str, object]) -> None:
    """B48."""
    html = field_html(question)
    assert "<img" not in html
    assert "<script" not in html


def test_no_widget_takes_its_description_as_html() -> None:
    """B48."""
    form = QuestionForm(asked(STORE, BINS, TITLE))
    assert [widget for widget in tree_widgets(form.widget) if getattr(widget, "description_allow_html", False)] == []


def test_bold_words_and_code_show_and_the_key_stays_raw() -> None:
    """B56."""
    question = "Use **WAL** mode for `cache.db`?"

    async def main() -> dict[str, str]:
        form = QuestionForm({"questions": [{"question": question, "options": ["`rm -rf build/`", "No"]}]})
        person = Person(form)
        assert "Use <strong>WAL</strong> mode for <code>cache.db</code>?" in person.reads("ask-head")
        person.pick(question, "`rm -rf build/`")
        await handled()
        assert person.press("Submit answers")
        return await form.answers()

    assert run(main()) == {question: "`rm -rf build/`"}


def test_a_long_header_shows_whole_as_a_tooltip() -> None:
    """B11."""
    assert 'title="Deployment target (prod)"' in field_html({"header": "Deployment target (prod)"})


@pytest.mark.parametrize("headers", [["", ""], [None, None]])
def test_questions_without_headers_are_counted(headers: list[str | None]) -> None:
    """B11."""
    questions = [
        {"question": str(number), "header": header, "options": ["A", "B"]} for number, header in enumerate(headers)
    ]
    assert list(Person(QuestionForm({"questions": questions})).chips()) == ["Question 1", "Question 2"]


def test_questions_that_share_a_header_are_told_apart() -> None:
    questions = [{"question": str(number), "header": "Store", "options": ["A", "B"]} for number in range(2)]
    assert list(Person(QuestionForm({"questions": questions})).chips()) == ["Store 1", "Store 2"]


def test_a_click_on_a_chip_leads_to_the_question_and_back() -> None:
    async def main() -> None:
        form = QuestionForm(asked(STORE, TITLE))
        focused: list[str] = []
        for widget in tree_widgets(form.widget):
            if isinstance(widget, widgets.Button):
                widget.comm.send = lambda data, text=widget.description, **_: focused.append(f"{text}: {data}")

        person = Person(form)
        assert person.press("Store")
        assert person.press("2 of 2")
        await handled()
        asked_to_focus = [message.split(":")[0] for message in focused if "'do': 'focus'" in message]
        assert asked_to_focus == ["1 of 2", "Question 2"]

    run(main())


def test_a_question_from_right_to_left_is_set_so() -> None:
    def is_set_from_the_right(question: str) -> bool:
        form = QuestionForm({"questions": [{"question": question, "options": ["A", "B"]}]})
        return any("ask-rtl" in getattr(widget, "_dom_classes", ()) for widget in tree_widgets(form.widget))

    assert is_set_from_the_right("1. איזה מאגר?")
    assert not is_set_from_the_right("Which מאגר?")
    assert not is_set_from_the_right("??")


def test_every_place_to_type_has_a_name_of_its_own() -> None:
    form = QuestionForm(asked(STORE, BINS, TITLE))
    typed = [widget for widget in tree_widgets(form.widget) if isinstance(widget, (widgets.Textarea, widgets.Text))]
    names = [widget.description for widget in typed]
    assert len(set(names)) == len(names)
    assert all(names)


def test_previews_stand_in_every_layout_beside_other_and_notes() -> None:
    """B09."""
    drawing = "+--+--+\n|a |b |"
    options = [{"label": "Grid", "preview": drawing}, {"label": "List"}]

    async def main() -> None:
        form = QuestionForm({"questions": [{"question": "Layout?", "options": options}]})
        person = Person(form)
        assert drawing in person.reads("ask-previews")
        assert "<pre>" in person.reads("ask-previews")
        assert "No preview of this option" in person.reads("ask-previews")
        person.write("Layout?", "tabs")
        person.note("Layout?", "wide screens")
        await handled()
        assert form.drafts() == {"Layout?": Answer(other="tabs", notes="wide screens")}

    run(main())


def test_text_is_sent_as_written() -> None:
    async def act(person: Person, form: QuestionForm) -> None:
        assert "Write an answer" in person.reads("ask-hint")
        person.write(TITLE, "Sales,\n2026 ")
        await handled()
        assert person.press("Submit answers")
        assert await form.answers() == {TITLE: "Sales,\n2026 "}

    with_person(act, TITLE)


def test_a_default_text_stands_in_the_field() -> None:
    async def main() -> None:
        form = QuestionForm({"questions": [{"question": "T?", "kind": "text", "defaultValue": "Sales"}]})
        person = Person(form)
        assert person.field_texts("T?")[0] == "Sales"
        assert person.press("Submit answers")
        assert await form.answers() == {"T?": "Sales"}

    run(main())


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("costs $5 and $10", "costs \N{FULLWIDTH DOLLAR SIGN}5 and \N{FULLWIDTH DOLLAR SIGN}10"),
        (r"\(x\) or \begin{a}", "\\\N{WORD JOINER}(x\\) or \\\N{WORD JOINER}begin{a}"),
        ("only $5", "only $5"),
    ],
)
def test_the_name_of_a_checkbox_is_not_typeset(label: str, name: str) -> None:
    options = [{"label": label}, {"label": "lint"}]
    form = QuestionForm({"questions": [{"question": "Q", "multiSelect": True, "options": options}]})
    boxes = [widget for widget in tree_widgets(form.widget) if isinstance(widget, widgets.Checkbox)]
    assert [box.description for box in boxes] == [name, "lint", "Other"]
    boxes[0].set_state({"value": True})
    assert form.drafts() == {"Q": Answer(labels=(label,))}


def test_a_change_elsewhere_answers_nothing() -> None:
    """B50."""

    async def act(person: Person, form: QuestionForm) -> None:
        widgets.Text().set_state({"value": "noise"})
        person.write(STORE, " ")
        person.write(STORE, "")
        await asyncio.sleep(2)
        assert form.drafts() == {}
        assert not form.done

    with_person(act, STORE)
