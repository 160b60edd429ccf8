"""Every payload in every place, as JupyterLab and nbconvert show it in Chromium: nothing runs, nothing is asked for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, expect

from tests.browser import Lab
from tests.environments import REPOSITORY
from tests.test_injection import SHORT

pytestmark = [pytest.mark.browser, pytest.mark.soak]

DRAWN = """
from IPython.display import display
from askwidgets.errors import TurnError
from askwidgets.widget_tree import tree_widgets
from tests.places import FORMS, PLACES
from tests.test_injection import SHORT, harmful

for name, draw in PLACES.items():
    drawn = [list(draw(payload)) for payload in SHORT]
    # Two of each are enough to look at: which ones, changes from payload to payload.
    chosen = [bundles[number % len(bundles)] for number, bundles in enumerate(drawn)]
    chosen += [bundles[-1 - number % len(bundles)] for number, bundles in enumerate(drawn)]
    html = dict.fromkeys(str(bundle.get("text/html", "")) for bundle in chosen)
    display({"text/html": "".join(f"<div>{piece}</div>" for piece in html)}, raw=True)

display({"text/html": "<p>All places are drawn</p>"}, raw=True)
"""
ASKED = """
from ipywidgets import VBox

forms = [make(SHORT[start : start + 12]) for start in range(0, len(SHORT), 12) for make in FORMS.values()]
shown = [widget.value for form in forms for widget in tree_widgets(form.widget) if type(widget).__name__ == "HTML"]
display(VBox([form.widget for form in forms]))
parts = {part for html in shown if "<style>" not in html for part in harmful(html)}
display({"text/html": f"<p>All forms stand, with {parts or 'nothing'} that acts</p>"}, raw=True)
"""
FAILED = """
raise TurnError("\\n".join(SHORT))
"""
SETTINGS: Mapping[str, Mapping[str, object]] = {
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}
"""Lets JupyterLab keep all cells in the page, and save the state of live forms in the notebook."""
ACTIVE = ".jp-OutputArea-output :is(script:not([type*=json]), img, iframe, object, embed, form, link, meta, base)"
VIEW = '<script type="text/javascript">\nvar element = document.getElementById('
"""How nbconvert places a widget."""
OF_NBCONVERT = {"cdnjs.cloudflare.com", "cdn.jsdelivr.net", "unpkg.com"}
"""Whence a page of nbconvert loads its own scripts."""


def watched(page: Page, allowed: Callable[[str], bool]) -> list[str]:
    """Note what a page does that it must not do: its dialogs, its windows, and what it asks for."""
    happened: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        happened.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def note(request: Request) -> None:
        if not request.url.startswith(("data:", "blob:")) and not allowed(request.url):
            happened.append(request.url)

    page.on("dialog", dismiss)
    page.on("popup", lambda popup: happened.append(popup.url))
    page.on("request", note)

    return happened


def acting(page: Page) -> list[str]:
    """Give the elements of all outputs that could do something."""
    script = "selector => [...document.querySelectorAll(selector)].map(element => element.outerHTML.slice(0, 200))"
    found: list[str] = page.evaluate(script, f"{ACTIVE}, .jp-OutputArea-output [href^=javascript]")

    return found


@pytest.mark.timeout(900)
def test_no_payload_acts_in_any_place_of_jupyterlab_or_of_the_saved_notebook(browser: Browser, tmp_path: Path) -> None:
    """B48."""
    with Lab.started(tmp_path, environment={"PYTHONPATH": str(REPOSITORY)}, settings=SETTINGS) as lab:
        lab.write("places.ipynb", [DRAWN, ASKED, FAILED])

        with lab.opened(browser, "places.ipynb") as notebook:
            page = notebook.page
            happened = watched(page, lambda url: url.startswith(lab.url))
            notebook.run_all()
            expect(notebook.output(0).get_by_text("All places are drawn")).to_have_count(1, timeout=200_000)
            all_stand = notebook.output(1).get_by_text("All forms stand, with nothing that acts")
            expect(all_stand).to_have_count(1, timeout=200_000)
            expect(notebook.output(2).get_by_text("TurnError")).to_have_count(1, timeout=100_000)

            assert page.locator(".ask-questions .ask-preview").count() >= len(SHORT)
            assert page.locator(".ask-decision").count() >= 3 * len(SHORT) // 12
            assert acting(page) == []
            assert page.evaluate("window.__pwned") is None
            assert happened == []
            saved = notebook.saved()

    states = saved.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    assert any("</script>" in str(model) for model in states.values())
    convert = [sys.executable, "-m", "nbconvert", "--to", "html", "--log-level=ERROR", str(notebook.path)]
    subprocess.run(convert, check=True, cwd=tmp_path)
    converted = notebook.path.with_suffix(".html")
    context = browser.new_context(offline=True)
    page = context.new_page()
    happened = watched(page, lambda url: url == converted.as_uri() or urlsplit(url).hostname in OF_NBCONVERT)
    page.goto(converted.as_uri(), wait_until="domcontentloaded", timeout=120_000)

    assert page.get_by_text("All places are drawn", exact=True).count() == 1
    state = page.locator("script[type='application/vnd.jupyter.widget-state+json']")
    assert len(page.evaluate("element => JSON.parse(element.text).state", state.element_handle())) == len(states)
    assert [element for element in acting(page) if not element.startswith(VIEW)] == []
    assert page.evaluate("window.__pwned") is None
    assert happened == []
    context.close()
