"""The question form in JupyterLab: what only a browser can show."""

from __future__ import annotations

import itertools
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import Lab, Notebook

pytestmark = [pytest.mark.browser, pytest.mark.ci]

SETUP = """
from askwidgets.form import QuestionForm

async def ask(*questions, **more):
    form = QuestionForm({"questions": list(questions), **more})
    display(form)
    outcome = await form.outcome()
    print(outcome.kind, [(a.labels, a.other, a.number, a.notes) for a in outcome.answers.values()], outcome.words)
"""
STORE = """
store = {"question": "Which store?", "header": "Store", "options": [
    {"label": "Redis", "description": "In memory"}, {"label": "SQLite (Recommended)", "description": "One file"}]}
"""
FOUR = f"""{STORE}
checks = {{"question": "Which checks?", "header": "CI", "multiSelect": True,
    "options": [{{"label": "lint"}}, {{"label": "costs $5 to $10"}}]}}
bins = {{"question": "How many bins?", "header": "Bins", "kind": "number", "min": 1, "max": 100, "unit": "bins"}}
title = {{"question": "Chart title?", "header": "Title", "kind": "text"}}
await ask(store, checks, bins, title, title="Before we start")
"""
ONE = f"{STORE}\nawait ask(store)"
PREVIEWS = r"""
await ask({"question": "Which layout?", "header": "Layout", "options": [
    {"label": "Grid", "preview": "+--+--+\n|a |b |"}, {"label": "List", "preview": "1. a\n2. b"}, {"label": "None"}]})
"""
LONG = """
description = "A description that explains what this choice means in practice. " * 9 + "/var/" + "x" * 200
await ask(*({"question": f"{place}. Which one?", "header": "Deployment target (prod)", "multiSelect": place % 2 == 1,
    "options": [{"label": f"{name} " + "word " * 23, "description": description} for name in "ABCD"]}
    for place in range(4)))
"""
HEBREW = """
await ask({"question": "איזה מאגר?", "header": "מאגר", "options": [
    {"label": "קובץ", "description": "SQLite, פשוט"}, {"label": "Redis"}]})
"""
NEXT = 'print("the next cell ran")'
NARROW = ".jp-OutputArea-output:has(.ask-questions) { flex: none !important; width: 360px !important }"
ENVIRONMENT = {"PYTHONPATH": str(Path(__file__).parents[1])}
DARK = {"@jupyterlab/apputils-extension:themes": {"theme": "JupyterLab Dark"}}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Lab.started(tmp_path_factory.mktemp("lab"), environment=ENVIRONMENT) as lab:
        yield lab


@pytest.fixture
def notebook(lab: Lab, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """Open a notebook that asks, run up to the form."""
    with opened(lab, browser, request.param) as notebook:
        yield notebook


@contextmanager
def opened(lab: Lab, browser: Browser, cell: str) -> Iterator[Notebook]:
    name = lab.write(f"{uuid.uuid4().hex}.ipynb", [SETUP, cell, NEXT]).name
    with lab.opened(browser, name) as notebook:
        notebook.run_all()
        expect(notebook.output(1).get_by_text("Waiting for your answer")).to_be_visible()
        yield notebook


def asks(cell: str) -> pytest.MarkDecorator:
    """Let a test open a notebook with ``cell``."""
    return pytest.mark.parametrize("notebook", [pytest.param(cell, id="asks")], indirect=True)


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until ``target`` has the focus."""
    for _ in range(40):
        if target.evaluate("element => element === document.activeElement"):
            return

        page.keyboard.press("Tab")

    expect(target).to_be_focused()


@asks(ONE)
def test_a_new_form_takes_no_focus_and_a_row_is_clicked_anywhere(notebook: Notebook) -> None:
    """B17."""
    form = notebook.output(1)
    assert form.evaluate("element => element.contains(document.activeElement)") is False
    expect(form.get_by_role("radio", checked=True)).to_have_count(0)
    expect(form.get_by_role("button", name="Submit answers")).to_be_disabled()
    place = form.locator(".ask-meaning").get_by_text("One file").bounding_box()
    assert place is not None
    notebook.page.mouse.click(place["x"] + 10, place["y"] + 5)
    expect(form.get_by_role("radio", name="SQLite (Recommended)")).to_be_checked()
    form.get_by_role("button", name="Submit answers").dblclick()
    expect(form.get_by_text("Answered", exact=True)).to_be_visible()
    expect(form.get_by_role("button")).to_have_count(0)
    expect(form.get_by_text("answered [(('SQLite (Recommended)',), '', None, '')]")).to_be_visible()
    expect(notebook.output(2).get_by_text("the next cell ran")).to_be_visible()


@asks(FOUR)
def test_four_questions_are_answered_by_keyboard_alone(notebook: Notebook) -> None:
    """B18."""
    form, page = notebook.output(1), notebook.page
    assert_accessible(page)
    form.get_by_role("button", name="Store").focus()
    page.keyboard.press("Enter")
    expect(form.get_by_role("button", name="1 of 4")).to_be_focused()
    page.keyboard.press("Tab")
    expect(form.get_by_role("radio", name="Redis In memory")).to_be_focused()
    page.keyboard.press("Space")
    expect(form.get_by_role("radio", name="Redis In memory")).to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(form.get_by_role("radio", name="Redis In memory")).not_to_be_focused()
    expect(form.get_by_role("radio", name="Redis In memory")).to_be_checked()
    form.get_by_role("radio", name="Redis In memory").focus()
    tab_to(page, form.get_by_role("textbox", name="Notes: Store"))
    page.keyboard.type("a banana, ddx 00 ii")
    tab_to(page, form.get_by_role("checkbox", name=re.compile("costs")))
    page.keyboard.press("Space")
    tab_to(page, form.get_by_role("textbox", name="Your own answer: CI"))
    page.keyboard.type("ddx 00 ii")
    tab_to(page, form.get_by_role("textbox", name="Number: Bins"))
    page.keyboard.type("30")
    tab_to(page, form.get_by_role("textbox", name="Your own answer: Title"))
    page.keyboard.type("Sales,")
    page.keyboard.press("Enter")
    page.keyboard.type("2026")
    expect(form.get_by_role("button", name="Submit answers")).to_be_enabled()
    tab_to(page, form.get_by_role("button", name="Submit answers"))
    page.keyboard.press("Enter")
    given = "(('costs $5 to $10',), 'ddx 00 ii', None, ''), ((), '', 30.0, ''), ((), 'Sales,\\n2026', None, '')"
    expect(form.get_by_text(f"answered [(('Redis',), '', None, 'a banana, ddx 00 ii'), {given}]")).to_be_visible()
    expect(page.locator(".jp-Notebook-cell")).to_have_count(3)


@asks(ONE)
def test_enter_of_an_input_method_sends_nothing(notebook: Notebook) -> None:
    """B16."""
    form, page = notebook.output(1), notebook.page
    words = form.get_by_role("textbox", name="Your own answer: Store")
    words.click()
    method = page.context.new_cdp_session(page)
    method.send("Input.imeSetComposition", {"text": "日本", "selectionStart": 2, "selectionEnd": 2})
    method.send("Input.insertText", {"text": "日本"})
    page.keyboard.press("Enter")
    expect(words).to_have_value("日本\n")
    expect(form.get_by_role("radio", name="Other")).to_be_checked()
    expect(form.get_by_text("Waiting for your answer")).to_be_visible()


@asks(PREVIEWS)
def test_the_preview_follows_the_focus_then_the_choice(notebook: Notebook) -> None:
    """B09."""
    form, page = notebook.output(1), notebook.page
    previews = {name: form.get_by_role("group", name=f"Preview: {name}") for name in ("Grid", "List", "None")}
    expect(previews["Grid"]).to_be_visible()
    expect(previews["Grid"].locator("pre")).to_have_css("white-space", "pre")
    expect(previews["List"]).to_be_hidden()
    form.get_by_role("radio", name="List").click()
    expect(previews["List"]).to_be_visible()
    expect(previews["Grid"]).to_be_hidden()
    page.keyboard.press("Tab")
    expect(previews["None"]).to_be_visible()
    expect(form.get_by_role("radio", name="List")).to_be_checked()
    form.get_by_role("textbox", name="Notes").click()
    expect(previews["List"]).to_be_visible()


@asks(FOUR)
def test_two_tabs_are_one_form_and_both_show_its_receipt(notebook: Notebook, lab: Lab) -> None:
    """B21."""
    notebook.saved()
    page = notebook.page.context.new_page()
    page.goto(f"{lab.url}/lab/workspaces/second/tree/{notebook.path.name}?token={lab.token}")
    here, there = (
        notebook.output(1),
        Notebook(page=page, path=notebook.path, screenshots=notebook.screenshots).output(1),
    )
    there.get_by_role("radio", name="Redis").check()
    expect(here.get_by_role("radio", name="Redis")).to_be_checked()
    here.get_by_role("radio", name="SQLite").check()
    expect(there.get_by_role("radio", name="SQLite")).to_be_checked()
    there.get_by_role("textbox", name="Reply, remark or reason").fill("not yet")
    there.get_by_role("button", name="Discuss instead").click()
    for output in (here, there):
        expect(output.get_by_text("Declined", exact=True)).to_be_visible()
        expect(output.get_by_role("button")).to_have_count(0)


@asks(LONG)
def test_the_longest_form_fits_360_pixels(notebook: Notebook) -> None:
    """B14."""
    form, page = notebook.output(1).locator(".ask-questions"), notebook.page
    page.add_style_tag(content=NARROW)
    expect(form).to_have_css("width", "360px")
    wide = "element => [...element.querySelectorAll('*')].filter(inner => inner.scrollWidth > 361).length"
    assert form.evaluate(wide) == 0
    assert form.evaluate("element => element.scrollWidth") == 360
    rows = form.locator(".ask-row").evaluate_all("rows => rows.map(row => row.getBoundingClientRect().toJSON())")
    assert all(above["bottom"] <= below["top"] for above, below in itertools.pairwise(rows))
    form.get_by_role("button", name="Submit answers").scroll_into_view_if_needed()
    expect(form.get_by_role("button", name="Submit answers")).to_be_in_viewport()


@asks(HEBREW)
def test_text_from_right_to_left_stands_on_the_right(notebook: Notebook) -> None:
    form = notebook.output(1)
    radio, label = form.get_by_role("radio", name="קובץ").bounding_box(), form.get_by_text("קובץ").last.bounding_box()
    assert radio is not None
    assert label is not None
    assert radio["x"] > label["x"]
    expect(form.get_by_role("textbox", name="Notes")).to_have_css("direction", "rtl")


def test_axe_finds_nothing_serious_in_the_dark_and_the_slider_is_for_the_pointer(
    tmp_path: Path, browser: Browser
) -> None:
    with (
        Lab.started(tmp_path, environment=ENVIRONMENT, settings=DARK) as lab,
        opened(lab, browser, FOUR) as notebook,
    ):
        form, page = notebook.output(1), notebook.page
        assert_accessible(page)
        number = form.get_by_role("textbox", name="Number: Bins")
        handle, track = form.locator(".noUi-touch-area").bounding_box(), form.locator(".noUi-base").bounding_box()
        assert handle is not None
        assert track is not None
        page.mouse.move(handle["x"] + 5, handle["y"] + 5)
        page.mouse.down()
        page.mouse.move(track["x"] + track["width"] + 20, handle["y"] + 5, steps=3)
        page.mouse.up()
        expect(number).to_have_value("100")
        page.mouse.click(track["x"] + 1, track["y"] + 1)
        expect(number).to_have_value("1")


def assert_accessible(page: Page) -> None:
    violations = Axe().run(page, context=".ask-questions").response["violations"]
    serious = [
        node["html"]
        for violation in violations
        for node in violation["nodes"]
        if violation["impact"] in {"serious", "critical"}
    ]
    assert serious == []
