"""The frontends that people open notebooks in, each in Chromium: the first question of the tour is answered there.

JupyterLab with comms over subshells and without, an older JupyterLab, Notebook 7; Voila shows a notebook that
nobody answers, and a notebook whose kernel is long gone shows what came of its questions.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import Lab, opened_page, run_all_cells
from tests.environments import Environment

pytestmark = [pytest.mark.browser, pytest.mark.matrix, pytest.mark.timeout(300)]

KERNEL = "7.4.0"
PATIENCE = 90.0
"""Seconds that a wait may take: some of these servers are slow to start."""
LOAD = "%load_ext askwidgets\n%claude demo"
ASK = "%%claude --into turn\nI am writing a small web service."
USE = "print('The next cell has', turn.answers)"
ANSWER = "The next cell has {'Which store should hold the sessions?': 'Redis'}"
BROKEN = re.compile(r"Error displaying widget|model not found|Loading widget|Click to show javascript error")

SETTINGS = "@jupyterlab/apputils-extension:kernels-settings"

FRONTENDS = {
    "JupyterLab 4.6, comms disabled": ("jupyterlab", ("jupyterlab<4.7",), "disabled"),
    "JupyterLab 4.6, comms perComm": ("jupyterlab", ("jupyterlab<4.7",), "perComm"),
    "JupyterLab 4.6, comms perCommTarget": ("jupyterlab", ("jupyterlab<4.7",), "perCommTarget"),
    "JupyterLab 4.2": ("jupyterlab", ("jupyterlab<4.3",), ""),
    "Notebook 7": ("notebook", ("notebook<8",), ""),
}
"""The application, its requirements and what ``commsOverSubshells`` is set to."""


def page_url(lab: Lab, application: str, name: str) -> str:
    """Give where an application shows a notebook."""
    place = f"notebooks/{name}" if application == "notebook" else f"lab/tree/{name}"
    return f"{lab.url}/{place}?token={lab.token}"


def answer(page: Page) -> None:
    """Pick an option of the form and submit."""
    page.get_by_role("radio", name=re.compile("Redis")).check(timeout=90_000)
    page.get_by_role("button", name="Submit answers").click()


def expect_answered(page: Page) -> Locator:
    """Wait for the receipt and for the next cell, which uses the answer."""
    expect(page.get_by_text("Answered", exact=True)).to_be_visible(timeout=60_000)
    expect(page.get_by_text(ANSWER)).to_be_visible(timeout=60_000)
    expect(page.get_by_text(BROKEN)).to_have_count(0)
    return page.get_by_text(ANSWER)


@pytest.mark.parametrize("frontend", FRONTENDS)
def test_the_first_question_is_answered(frontend: str, browser: Browser, tmp_path: Path) -> None:
    """B37."""
    application, requirements, comms = FRONTENDS[frontend]
    program = str(Environment(ipykernel=KERNEL, requirements=requirements).interpreter())
    settings = {SETTINGS: {"commsOverSubshells": comms}} if comms else {}

    with Lab.started(tmp_path, application=(program, "-m", application), kernel=program, settings=settings) as lab:
        lab.write("one.ipynb", [LOAD, ASK, USE])
        with opened_page(browser, tmp_path, timeout=PATIENCE) as page:
            page.goto(page_url(lab, application, "one.ipynb"))
            run_all_cells(page)
            answer(page)
            expect_answered(page)


def test_voila_shows_a_notebook_that_nobody_answers(browser: Browser, tmp_path: Path) -> None:
    requirements = ("jupyterlab<5", "voila<1")
    program = str(Environment(ipykernel=KERNEL, requirements=requirements).interpreter())
    given = "answers = {'Which store*': 'Redis'}"

    with Lab.started(tmp_path, application=(program, "-m", "jupyterlab"), kernel=program) as lab:
        lab.write("one.ipynb", [LOAD, given, ASK.replace("--into", "--answers answers --into"), USE])
        with opened_page(browser, tmp_path, timeout=PATIENCE) as page:
            page.goto(f"{lab.url}/voila/render/one.ipynb?token={lab.token}")
            expect(page.get_by_text(re.compile("Answered"))).to_be_visible(timeout=120_000)
            expect(page.get_by_text(ANSWER)).to_be_visible()
            expect(page.get_by_text(BROKEN)).to_have_count(0)


def test_a_notebook_whose_kernel_is_long_gone_shows_receipts(browser: Browser, tmp_path: Path) -> None:
    """B42."""
    program = str(Environment(ipykernel=KERNEL, requirements=("jupyterlab<4.7",)).interpreter())
    (tmp_path / "first").mkdir()
    (tmp_path / "later").mkdir()

    with Lab.started(tmp_path / "first", application=(program, "-m", "jupyterlab"), kernel=program) as lab:
        path = lab.write("one.ipynb", [LOAD, ASK, USE])
        with lab.opened(browser, "one.ipynb", height=1600) as notebook:
            run_all_cells(notebook.page)
            answer(notebook.page)
            expect_answered(notebook.page)
            notebook.saved()

    with Lab.started(tmp_path / "later", application=(program, "-m", "jupyterlab"), kernel=program) as lab:
        (lab.notebooks / "old.ipynb").write_bytes(path.read_bytes())
        with lab.opened(browser, "old.ipynb", height=1600) as notebook:
            expect_answered(notebook.page)
