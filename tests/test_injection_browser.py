"""Every payload in every place, as JupyterLab and nbconvert show it in Chromium: nothing runs, nothing is asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, expect

from tests.browser import Lab
from tests.environments import REPOSITORY
from tests.places import FORMS, PLACES
from tests.test_injection import SHORT

pytestmark = [pytest.mark.browser, pytest.mark.soak]

DRAWN = """
from pathlib import Path
from IPython.display import display
from askwidgets.errors import TurnError
from tests.test_injection import SHORT

drawn = [Path(f"{{name}}.html").read_text(encoding="utf-8") for name in {places!r}]

for html in drawn:
    display({{"text/html": html}}, raw=True)

pieces = sum(html.count('<div class="piece">') for html in drawn)
display({{"text/html": f"<p>All is drawn: {{pieces}} pieces of {{len(SHORT)}} payloads</p>"}}, raw=True)
"""
ASKED = """
from IPython.display import display
from ipywidgets import VBox, Widget
from askwidgets.errors import TurnError
from askwidgets.widget_tree import tree_widgets
from tests.places import FORMS
from tests.test_injection import SHORT, harmful

groups = [SHORT[start : start + 12] for start in range(0, len(SHORT), 12)]
# Which kind of preview an option has goes by its place.
turned = [[*group[{place}:], *group[:{place}]] for group in groups]
forms = [FORMS[name](group) for group in turned for name in {forms!r}]
shown = [widget.value for form in forms for widget in tree_widgets(form.widget) if type(widget).__name__ == "HTML"]
display(VBox([form.widget for form in forms]))
parts = {{part for html in shown if "<style>" not in html for part in harmful(html)}}
models = len(Widget.get_manager_state()["state"])
said = f"{{len(forms)}} forms of {{len(SHORT)}} payloads in {{models}} models, with {{parts or 'nothing'}} that acts"
display({{"text/html": f"<p>All is drawn: {{said}}</p>"}}, raw=True)
"""
FAILED = """
raise TurnError("\\n".join(SHORT))
"""
SETTINGS: Mapping[str, Mapping[str, object]] = {
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}
"""Lets JupyterLab keep all cells in the page, and save the state of live forms in the notebook."""
UNLIMITED = (sys.executable, "-m", "jupyterlab", "--ZMQChannelsWebsocketConnection.iopub_data_rate_limit=1e12")
"""Else the server drops what is more than a megabyte in a second."""
DRAWN_ONE = ".jp-OutputArea-output :is(.piece, .ask-style)"
"""Every piece, and every form by its style."""
ACTIVE = ".jp-OutputArea-output :is(script:not([type*=json]), img, iframe, object, embed, form, link, meta, base)"
VIEW = '<script type="text/javascript">\nvar element = document.getElementById('
"""How nbconvert places a widget."""
OF_NBCONVERT = {"cdnjs.cloudflare.com", "cdn.jsdelivr.net", "unpkg.com"}
"""Whence a page of nbconvert loads its own scripts."""


def write_pieces(folder: Path) -> None:
    """Write what a page shows of each place.

    Not drawn in the kernel: hundreds of forms that open and close at once are more messages than ZeroMQ holds for a
    page, and what it drops may be a piece.
    """
    for name, draw in PLACES.items():
        html = dict.fromkeys(str(bundle.get("text/html", "")) for payload in SHORT for bundle in draw(payload))
        pieces = "".join(f'<div class="piece">{piece}</div>' for piece in html)
        (folder / f"{name}.html").write_text(pieces, encoding="utf-8")


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


GROUPS = (("tool use and result",), ("saved turn", "export"), ("tool view", "decision"), ("receipt", "turn"))
"""Places that draw much: a page of JupyterLab does not bear all of them."""
REST = tuple(name for name in PLACES if name not in {name for group in GROUPS for name in group})
PAGES: Mapping[str, str] = {
    **{" and ".join(places): DRAWN.format(places=places) for places in GROUPS},
    "other places": DRAWN.format(places=REST),
    "questions": ASKED.format(place=0, forms=["questions"]),
    "questions with other previews": ASKED.format(place=1, forms=["questions"]),
    "questions with further previews": ASKED.format(place=2, forms=["questions"]),
    "other forms": ASKED.format(place=0, forms=[name for name in FORMS if name != "questions"]),
}
"""What each page holds, as the cell that draws it."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    environment = {"PYTHONPATH": str(REPOSITORY)}
    folder = tmp_path_factory.mktemp("lab")
    with Lab.started(folder, application=UNLIMITED, environment=environment, settings=SETTINGS) as lab:
        write_pieces(lab.notebooks)
        yield lab


@pytest.mark.timeout(600)
@pytest.mark.parametrize("page_of", PAGES)
def test_no_payload_acts_in_any_place_of_jupyterlab_or_of_the_saved_notebook(
    browser: Browser, lab: Lab, page_of: str
) -> None:
    """B48."""
    name = f"{page_of}.ipynb".replace(" ", "-")
    lab.write(name, [PAGES[page_of], FAILED])

    with lab.opened(browser, name) as notebook:
        page = notebook.page
        happened = watched(page, lambda url: url.startswith(lab.url))
        notebook.run_all()
        all_drawn = notebook.output(0).get_by_text("All is drawn")
        expect(all_drawn).to_have_count(1, timeout=300_000)
        said = all_drawn.inner_text()
        print(f"{page_of}: {said}")  # noqa: T201 - how much was looked at
        expect(notebook.output(1).get_by_text("TurnError")).to_have_count(1, timeout=100_000)

        assert "forms" not in said or "with nothing that acts" in said
        drawn, _, *models = map(int, re.findall(r"\d+", said))
        expect(page.locator(DRAWN_ONE)).to_have_count(drawn)
        assert acting(page) == []
        assert page.evaluate("window.__pwned") is None
        assert happened == []
        saved = notebook.saved()

    states = saved.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    assert len(states) == sum(models)
    convert = [sys.executable, "-m", "nbconvert", "--to", "html", "--log-level=ERROR", str(notebook.path)]
    subprocess.run(convert, check=True, cwd=lab.folder)
    converted = notebook.path.with_suffix(".html")
    context = browser.new_context(offline=True)
    page = context.new_page()
    happened = watched(page, lambda url: url == converted.as_uri() or urlsplit(url).hostname in OF_NBCONVERT)
    page.goto(converted.as_uri(), wait_until="domcontentloaded", timeout=120_000)

    assert page.get_by_text(said, exact=True).count() == 1
    assert models or page.locator(DRAWN_ONE).count() == drawn
    state = page.locator("script[type='application/vnd.jupyter.widget-state+json']")
    if states:
        assert len(page.evaluate("element => JSON.parse(element.text).state", state.element_handle())) == len(states)

    assert [element for element in acting(page) if not element.startswith(VIEW)] == []
    assert page.evaluate("window.__pwned") is None
    assert happened == []
    context.close()
