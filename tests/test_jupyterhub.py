"""A person on a JupyterHub, whose administrator installed askwidgets for everybody as the README says."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.environments import REPOSITORY
from tests.jupyterhub import ENVIRONMENT, PASSWORD, hub

pytestmark = [pytest.mark.browser, pytest.mark.matrix, pytest.mark.timeout(400)]

PATIENCE = 90_000
"""Milliseconds that a wait may take: servers and kernels start in it."""
LINE = 'c.InteractiveShellApp.extensions = ["askwidgets"]'


@contextmanager
def logged_in(browser: Browser, url: str, name: str, folder: Path) -> Iterator[Page]:
    """Log in, and wait for one's own server; of a failure it leaves a picture."""
    context = browser.new_context(viewport={"width": 1280, "height": 1600})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()

    try:
        page.goto(f"{url}/hub/login?next=/hub/spawn")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{url}/user/{name}/**")
        yield page
    except BaseException:
        page.screenshot(path=folder / "failure.png")
        raise
    finally:
        context.close()


def test_a_question_of_the_tour_is_answered_on_a_hub(browser: Browser, tmp_path: Path) -> None:
    config = ENVIRONMENT.interpreter().parents[1] / "etc" / "ipython" / "ipython_config.py"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f"{LINE}\n", encoding="utf-8")
    home = tmp_path / "homes" / "ann"
    home.mkdir(parents=True)
    shutil.copy(REPOSITORY / "notebooks" / "tour.ipynb", home)
    assert LINE in (REPOSITORY / "README.md").read_text(encoding="utf-8")

    with hub(tmp_path, variables={"IS_SANDBOX": "1"}) as url, logged_in(browser, url, "ann", tmp_path) as page:
        page.goto(f"{url}/user/ann/lab/tree/tour.ipynb")
        expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible(timeout=PATIENCE)
        page.get_by_role("menubar").get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menu").get_by_role("menuitem", name=re.compile("^Run All Cells")).click()
        # Nobody typed %load_ext before: the line of the administrator did it.
        expect(page.get_by_text("The askwidgets extension is already loaded")).to_be_visible(timeout=PATIENCE)
        page.get_by_role("radio", name=re.compile("Redis")).check(timeout=PATIENCE)
        page.get_by_role("button", name="Submit answers").first.click()
        read = '"Which store should hold the sessions?"="Redis"'
        expect(page.get_by_text(read).first).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text("Answered", exact=True).first).to_be_visible(timeout=PATIENCE)
