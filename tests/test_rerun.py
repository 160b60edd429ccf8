"""Cells that hold the finished turn of their prompt, reached in a fresh kernel."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from askwidgets.model_server import ModelServer
from askwidgets.receipt import RECEIPT_TYPE
from askwidgets.saved_turn import prompt_digest
from tests.agent import ASKS, GREETS, scripted_model
from tests.browser import Lab
from tests.cell import Cell
from tests.kernel import Kernel
from tests.notebook_shell import NotebookShell
from tests.scripted_kernel import answer, choices, cli_pids, served_kernel

SCRIPT = ASKS + GREETS
ASK = "%%claude --into turn\nPlease ask me."
GREET = "%%claude --into turn\nPlease greet me."
AGAIN = "Shown again as it was saved; nothing was sent."


def started(server: ModelServer, folder: Path, number: int, way: str = "run") -> AbstractContextManager[Kernel]:
    """Start a kernel of the notebook."""
    setup = f"%config ClaudeMagics.rerun = {way!r}"
    return served_kernel(server, folder, number, setup=setup, JPY_SESSION_NAME=str(folder / "analysis.ipynb"))


def save(folder: Path, cells: Sequence[Cell]) -> None:
    """Save the cells as a frontend does."""
    saved = [
        {
            "cell_type": "code",
            "id": f"cell{number}",
            "source": cell.code,
            "outputs": [{key: value for key, value in output.items() if key != "transient"} for output in cell.outputs],
        }
        for number, cell in enumerate(cells)
    ]
    (folder / "analysis.ipynb").write_text(json.dumps({"cells": saved, "nbformat": 4}), encoding="utf-8")


def fill_notebook(server: ModelServer, folder: Path) -> Cell:
    """Run turns in a first kernel, and save them; gives the cell that asked."""
    with started(server, folder, 1) as kernel:
        asking = kernel.execute(ASK)
        answer(kernel)
        save(folder, [kernel.finish(asking), *(kernel.run(GREET) for _ in range(3))])

    return asking


@pytest.mark.kernel
def test_a_finished_turn_is_shown_again_or_asked_about_in_a_fresh_kernel(tmp_path: Path) -> None:
    with scripted_model(SCRIPT) as server:
        saved = fill_notebook(server, tmp_path)
        asked = len(server.requests)

        with started(server, tmp_path, 2, "reuse") as kernel:
            shown = kernel.run(ASK)
            assert_shown(kernel, shown, saved)
            assert (len(server.requests), cli_pids(kernel)) == (asked, [])
            assert_goes_on_behind(kernel, server)
            asked = len(server.requests)
            kernel.run("%config ClaudeMagics.rerun = 'ask'")
            assert AGAIN in kernel.run(GREET, allow_stdin=False).text

            greeting = kernel.execute(GREET)
            kernel.click(kernel.widget(description="Show what is there"))
            assert AGAIN in kernel.finish(greeting).text
            assert kernel.value("turn.text") == "'Hello there.'"
            assert kernel.shown() == []

            for _ in range(2):
                interrupted = kernel.execute(GREET)
                kernel.widget(description="Run again")
                kernel.interrupt()
                assert kernel.finish(interrupted).status == "error"

            assert len(server.requests) == asked
            save(tmp_path, [shown, greeting])

        with started(server, tmp_path, 3, "ask") as kernel:
            sent = kernel.execute(GREET)
            kernel.click(kernel.widget(description="Run again"))
            assert AGAIN not in kernel.finish(sent).text
            assert "Hello there." in sent.text
            assert len(server.requests) > asked

            again = kernel.run(ASK, allow_stdin=False)
            assert again.text == shown.text
            assert again.text.count(AGAIN) == 1
            # It was run in this kernel.
            kernel.execute(ASK)
            choices(kernel)


@pytest.mark.browser
@pytest.mark.matrix
@pytest.mark.timeout(240)
def test_jupyterlab_says_which_cell_it_is_and_where_the_notebook_lies(browser: Browser, tmp_path: Path) -> None:
    with Lab.started(tmp_path) as lab:
        lab.write_demo("one.ipynb", SCRIPT, ["%config ClaudeMagics.rerun = 'ask'", GREET, GREET])
        with lab.opened(browser, "one.ipynb") as notebook:
            notebook.run_all()
            notebook.wait_for_end(3, timeout=90)
            notebook.saved()
            notebook.restart_kernel()
            notebook.run_all()
            for cell in (2, 3):
                notebook.output(cell).get_by_role("button", name="Show what is there").wait_for()
                notebook.screenshot(f"rerun-{cell}")
                notebook.output(cell).get_by_role("button", name="Show what is there").click()
                expect(notebook.output(cell).get_by_text(AGAIN)).to_be_visible()

            notebook.screenshot("rerun-end")
            own = [output["metadata"] for output in notebook.saved().cells[3].outputs if output.get("metadata")]
            assert own[-1]["askwidgets"]["prompt"] == prompt_digest("Please greet me.")


def assert_shown(kernel: Kernel, shown: Cell, saved: Cell) -> None:
    """The turn stands there as it was saved, and is a value."""
    assert shown.status == "ok", shown.text
    assert kernel.value("turn.answers") == "{'Which store should hold sessions?': 'SQLite'}"
    assert kernel.value("turn.text").startswith("'Let me ask first.\\n\\nThe model read: Your questions")
    assert AGAIN in shown.text
    assert "Let me ask first." in shown.html
    first, second = (
        [output["data"] for output in cell.outputs if RECEIPT_TYPE in str(output)] for cell in (saved, shown)
    )
    assert first == second


def assert_goes_on_behind(kernel: Kernel, server: ModelServer) -> None:
    """The conversation branches off where the turn that was shown had ended."""
    sent = kernel.run("%%claude\nPlease greet me, too.")
    assert "Hello there." in sent.text
    conversation = json.dumps(server.requests[-1])
    assert "Please greet me." not in conversation
    assert conversation.index("Please ask me.") < conversation.index("Please greet me, too.")


@pytest.mark.agent
def test_what_was_not_kept_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the reply as data, nor a conversation of another machine."""
    own = {"session_id": "5e55104e-0000-4000-8000-000000000000", "prompt": prompt_digest("count")}
    output = {"output_type": "display_data", "data": {"text/plain": "model"}, "metadata": {"askwidgets": own}}
    path = tmp_path / "analysis.ipynb"
    path.write_text(json.dumps({"cells": [{"outputs": [output]}]}), encoding="utf-8")
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))

    with NotebookShell.scripted("[{when: '*', steps: [{say: Hello.}]}]", tmp_path) as notebook:
        notebook.run("schema = {'type': 'object'}\n%config ClaudeMagics.rerun = 'reuse'")
        notebook.run("%%claude --into value --schema schema\ncount")
        assert "value is not bound" in notebook.printed
        assert "value" not in notebook.shell.user_ns
        notebook.run("%%claude\nhello")
        assert "The turns that were shown again are not in this conversation" in notebook.printed
        assert "Hello." in notebook.printed
