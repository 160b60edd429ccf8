"""A page that loses the way to its server while questions wait, in JupyterLab."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser import TIMEOUT, Lab, Notebook, wait_until
from tests.relay import Relay

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.timeout(240)]

SCRIPT = """
- when: "*late*"
  steps:
    - use: {tool: Bash, input: {command: "until test -e go; do sleep 0.1; done"}}
    - ask: &question
        questions:
          - {question: "Which store?", header: Store, multiSelect: false, options: [{label: Redis}, {label: SQLite}]}
    - say: "Read: {last_result}"
- when: "*ask*"
  steps:
    - ask: *question
    - say: "Read: {last_result}"
"""
SETUP = """
%load_ext askwidgets
%claude demo script.yaml
from pathlib import Path
%config ClaudeMagics.notify = lambda text: Path("asked").open("a").write("x")
given = {"allow": ["Bash(until *)"]}
"""
CELLS = [SETUP, "%%claude -s one -b\nask", "%%claude -s two -b --answers given\nask late"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Lab.started(tmp_path_factory.mktemp("lab")) as lab:
        (lab.notebooks / "script.yaml").write_text(SCRIPT)
        yield lab


@pytest.fixture
def relay(lab: Lab) -> Iterator[Relay]:
    with Relay.started(int(lab.url.rpartition(":")[2])) as relay:
        yield relay


def kernel_status(notebook: Notebook, words: str) -> Locator:
    """Find what the status bar says of the kernel."""
    return notebook.page.locator("#jp-main-statusbar").get_by_text(re.compile(rf"\| ({words})"))


def close_warning(notebook: Notebook) -> None:
    """Close the dialog in which JupyterLab says that it has lost its server, once and for all."""
    warning = notebook.page.get_by_role("dialog", name="Server Connection Error")
    warning.get_by_role("checkbox").check()
    warning.get_by_role("button", name="Close").click()
    expect(warning).to_have_count(0)


def write_on(notebook: Notebook, field: Locator, words: str) -> None:
    """Type at the end of what stands in a field."""
    field.click()
    notebook.page.keyboard.press("Control+End")
    notebook.page.keyboard.type(words)


def answers_with_states(notebook: Notebook) -> list[bytes | str]:
    """Note what tells a page that is connected again the states of all widgets."""
    answers: list[bytes | str] = []

    def note(received: bytes | str) -> None:
        if b"update_states" in (received if isinstance(received, bytes) else received.encode()):
            answers.append(received)

    notebook.page.on("websocket", lambda socket: socket.on("framereceived", note))

    return answers


def typed_until(notebook: Notebook, condition: Callable[[], bool]) -> str:
    """Type one key after the other where the focus is; gives what was typed."""
    deadline = time.monotonic() + TIMEOUT
    typed = ""

    while not condition():
        assert time.monotonic() < deadline, f"typed {typed} in vain"
        notebook.page.keyboard.type(".")
        typed += "."

    return typed


def submit(form: Locator) -> None:
    """Submit, and wait for the receipt."""
    form.get_by_role("button", name="Submit answers").click()
    expect(form.get_by_text("Answered", exact=True)).to_be_visible()


@pytest.mark.parametrize("loss", ["nothing", "answers", "words"])
def test_a_page_that_was_offline_sends_exactly_what_it_shows(
    browser: Browser, lab: Lab, relay: Relay, loss: str
) -> None:
    """Beside the connection itself: nothing, what the server said meanwhile, or what the page did."""
    asked, go = (lab.notebooks / name for name in ("asked", "go"))
    asked.write_text("")
    go.unlink(missing_ok=True)

    lab.write(f"{loss}.ipynb", CELLS)

    with replace(lab, url=relay.url).opened(browser, f"{loss}.ipynb") as notebook:
        form = notebook.output(1)
        notebook.run_all()
        form.get_by_role("radio", name="SQLite").click()
        notes = form.get_by_role("textbox", name="Notes")
        write_on(notebook, notes, "before")
        expect(form.get_by_role("button", name="Submit answers")).to_be_enabled()
        notebook.wait_for_end(2)

        if loss == "answers":
            relay.mute()
        elif loss == "words":
            relay.cut(browser=False)

        write_on(notebook, notes, " meanwhile")
        relay.cut(server=loss != "answers")
        expect(kernel_status(notebook, "Connecting")).to_be_visible()
        close_warning(notebook)
        write_on(notebook, notes, " offline")
        go.touch()
        wait_until(lambda: len(asked.read_text()) == 2, "the second question", notebook.page)
        answers = answers_with_states(notebook)
        relay.open()
        expect(kernel_status(notebook, "Idle|Busy")).to_be_visible(timeout=4 * TIMEOUT * 1000)
        # New models take over what the page shows, and then it is answered, while the person types on.
        back = typed_until(notebook, lambda: bool(answers))
        notebook.page.keyboard.type(" back")
        shown = notes.input_value()
        submit(form)

        expect(
            form.get_by_text(f'Read: The user answered: "Which store?"="SQLite" notes: {shown}. Read')
        ).to_be_visible()
        assert shown == f"before meanwhile offline{back} back"

        # What is drawn while only the server believes in the connection is lost to JupyterLab.
        if loss != "answers":
            appeared = notebook.output(2)
            appeared.get_by_role("radio", name="Redis").click()
            submit(appeared)
            expect(appeared.get_by_text('Your questions have been answered: "Which store?"="Redis"')).to_be_visible()
