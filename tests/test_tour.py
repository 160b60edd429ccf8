"""The tour as a new user takes it: JupyterLab in Chromium, Run All, questions answered with mouse and keyboard."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser import Lab, Notebook
from tests.environments import REPOSITORY

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

STORE, STORE_ANSWER = 1, 2
RELEASE, RELEASE_ANSWER = 3, 4
SERVICE, SERVICE_ANSWER = 5, 6
"""Positions among the code cells."""


@pytest.fixture
def tour(browser: Browser, tmp_path: Path) -> Iterator[Notebook]:
    with Lab.started(tmp_path) as lab:
        shutil.copy(REPOSITORY / "notebooks" / "tour.ipynb", lab.notebooks)
        with lab.opened(browser, "tour.ipynb", height=1600) as notebook:
            yield notebook


def output(notebook: Notebook, number: int) -> Locator:
    """Give what stands below the code of a code cell."""
    return notebook.page.locator(".jp-CodeCell").nth(number).locator(".jp-Cell-outputWrapper")


def saved_text(cell: dict[str, object]) -> str:
    """All that the outputs of a saved cell hold, as text."""
    return str(cell["outputs"])


def test_the_tour_is_taken_with_mouse_and_keyboard_and_its_answers_stay_in_the_notebook(tour: Notebook) -> None:
    """B42, B55."""
    tour.run_all()

    store = output(tour, STORE)
    submit = store.get_by_role("button", name="Submit answers")
    expect(submit).to_be_disabled()
    store.get_by_role("radio", name=re.compile("^Redis")).check()
    tour.screenshot("tour-single-select")
    submit.click()
    expect(store.get_by_text("Answered").first).to_be_visible()
    expect(output(tour, STORE_ANSWER).get_by_text("'Redis'")).to_be_visible()

    release = output(tour, RELEASE)
    release.get_by_role("checkbox", name=re.compile("^unit tests")).check()
    release.get_by_role("checkbox", name=re.compile("^lint")).check()
    release.get_by_role("radio", name=re.compile("^Oldest and newest")).check()
    tour.screenshot("tour-multi-select")
    release.get_by_role("button", name="Submit answers").click()
    expect(output(tour, RELEASE_ANSWER).get_by_text("('lint', 'unit tests')")).to_be_visible()

    service = output(tour, SERVICE)
    service.get_by_placeholder("Lower case, no spaces").fill("sessions-2026")
    service.get_by_label("Number: Sessions").fill("2000")
    tour.screenshot("tour-words-and-numbers")
    service.get_by_role("button", name="Submit answers").click()
    expect(output(tour, SERVICE_ANSWER).get_by_text("sessions-2026")).to_be_visible()
    tour.screenshot("tour-end")

    cells = [cell for cell in tour.saved().cells if cell.cell_type == "code"]
    assert "'Redis'" in saved_text(cells[STORE_ANSWER])
    assert all("Answered" in saved_text(cells[number]) for number in (STORE, RELEASE, SERVICE))
    assert all("widget-view" not in saved_text(cell) for cell in cells)
    assert all("Your questions have been answered" in saved_text(cells[number]) for number in (STORE, RELEASE))


def test_the_first_question_is_answered_with_the_keyboard_alone(tour: Notebook) -> None:
    """B17: what is typed before looking picks nothing."""
    tour.run_all()
    store = output(tour, STORE)
    options = store.get_by_role("radio")
    expect(options.first).to_be_visible()
    assert not any(option.is_checked() for option in options.all())

    press_until_focused(tour, options.first)
    tour.page.keyboard.press("Space")
    tour.screenshot("tour-keyboard")
    press_until_focused(tour, store.get_by_role("button", name="Submit answers"))
    tour.page.keyboard.press("Enter")

    expect(store.get_by_text("Answered").first).to_be_visible()
    tour.wait_for_end(5)
    expect(output(tour, STORE_ANSWER).get_by_text("'SQLite (Recommended)'")).to_be_visible()


def press_until_focused(notebook: Notebook, target: Locator) -> None:
    """Press Tab until the focus is there."""
    for _ in range(60):
        if target.evaluate("element => element === document.activeElement"):
            return

        notebook.page.keyboard.press("Tab")

    raise AssertionError(f"Tab never reached {target}")
