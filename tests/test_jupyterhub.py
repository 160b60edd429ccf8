"""A person on a JupyterHub, whose administrator installed askwidgets for everybody as the README says."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import opened_page, run_all_cells
from tests.environments import REPOSITORY
from tests.jupyterhub import ENVIRONMENT, PASSWORD, hub

pytestmark = [pytest.mark.browser, pytest.mark.matrix, pytest.mark.timeout(400)]

PATIENCE = 90_000
"""Milliseconds that a wait may take: servers and kernels start in it."""
LINE = 'c.InteractiveShellApp.extensions = ["askwidgets"]'


def log_in(page: Page, url: str, name: str) -> None:
    """Log in, and wait for one's own server."""
    page.goto(f"{url}/hub/login?next=/hub/spawn")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{url}/user/{name}/**")


def write_tour(path: Path) -> None:
    """Write the tour as if nobody had run it."""
    notebook = nbformat.read(REPOSITORY / "notebooks" / "tour.ipynb", as_version=4)

    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(execution_count=None, outputs=[])

    nbformat.write(notebook, path)


def test_a_question_of_the_tour_is_answered_on_a_hub(browser: Browser, tmp_path: Path) -> None:
    config = ENVIRONMENT.interpreter().parents[1] / "etc" / "ipython" / "ipython_config.py"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f"{LINE}\n", encoding="utf-8")
    home = tmp_path / "homes" / "ann"
    home.mkdir(parents=True)
    write_tour(home / "tour.ipynb")
    assert LINE in (REPOSITORY / "README.md").read_text(encoding="utf-8")

    with (
        hub(tmp_path, variables={"IS_SANDBOX": "1"}) as url,
        opened_page(browser, tmp_path, timeout=PATIENCE / 1000) as page,
    ):
        log_in(page, url, "ann")
        page.goto(f"{url}/user/ann/lab/tree/tour.ipynb")
        run_all_cells(page)
        # Nobody typed %load_ext before: the line of the administrator did it.
        expect(page.get_by_text("The askwidgets extension is already loaded")).to_be_visible(timeout=PATIENCE)
        page.get_by_role("radio", name=re.compile("Redis")).check(timeout=PATIENCE)
        page.get_by_role("button", name="Submit answers").first.click()
        read = '"Which store should hold the sessions?"="Redis"'
        expect(page.get_by_text(read).first).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text("Answered", exact=True).first).to_be_visible(timeout=PATIENCE)
