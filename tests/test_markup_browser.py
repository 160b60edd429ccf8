"""Tests for askwidgets.markup in JupyterLab: its page runs what it is given, and typesets mathematics anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Request, expect

from tests.browser import Lab

pytestmark = [pytest.mark.browser, pytest.mark.ci]

PAYLOAD_CELL = """
from IPython.display import display
from askwidgets.hidden import plain
from askwidgets.markup import *
from askwidgets.questions import Answer, Option, Outcome, Question, QuestionRequest
from askwidgets.receipt import question_receipt
from tests.payloads import ALL

def receipt(text):
    question = Question(text=text, header=text, options=(Option(label=text, preview=text),))
    answer = Answer(labels=(text,), other=text, notes=text)
    request = QuestionRequest(questions=(question,), input={}, title=text)
    return question_receipt(request, Outcome(kind="declined", answers={text: answer}, words=text)).bundle()["text/html"]

payloads = [payload for payload in ALL if len(payload) < 1_000]
for draw in (text_html, markdown_html, inline_markdown_html, fragment_html, code_html, ansi_html, receipt):
    display({"text/html": "".join(f"<div>{draw(payload)}</div>" for payload in payloads)}, raw=True)

display({"text/plain": "\\n".join(plain(payload) for payload in payloads)}, raw=True)
display({"text/html": "<p>All payloads are drawn</p>"}, raw=True)
"""
MATH_CELL = """
from IPython.display import display
from askwidgets.markup import markdown_html, text_html

html = markdown_html("Typeset: $a_b^c$ and \\\\(d_e\\\\). Prices: $5 and $6. Acts: $\\\\href{https://example.com}{x}$.")
display({"text/html": html + "<p>" + text_html("Labels: $x$ and \\\\(y\\\\)") + "</p>"}, raw=True)
"""
TABLE_CELL = """
from IPython.display import display
from claude_agent_sdk import AssistantMessage, TextBlock
from askwidgets.display import PublishedOutputs
from askwidgets.markdown_text import MarkdownText
from askwidgets.transcript import Transcript

text = "| a | b |\\n| --- | ---: |\\n| some words | 1 |\\n\\n```python\\nx = 1\\n```\\n"
transcript = Transcript(PublishedOutputs(get_ipython().display_pub))
transcript.feed(AssistantMessage(content=[TextBlock(text=text)], model="m"))
transcript.finish()
display(MarkdownText(text))
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    root = str(Path(__file__).parent.parent)
    with Lab.started(tmp_path_factory.mktemp("lab"), environment={"PYTHONPATH": root}) as lab:
        yield lab


def test_no_payload_runs_loads_or_opens_in_jupyterlab(lab: Lab, browser: Browser) -> None:
    """B48."""
    happened: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        happened.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def note(request: Request) -> None:
        if not request.url.startswith((lab.url, "data:", "blob:")):
            happened.append(request.url)

    lab.write("payloads.ipynb", [PAYLOAD_CELL])
    with lab.opened(browser, "payloads.ipynb") as notebook:
        notebook.page.on("dialog", dismiss)
        notebook.page.on("popup", lambda popup: happened.append(popup.url))
        notebook.page.on("request", note)
        notebook.run_all()
        expect(notebook.page.get_by_text("All payloads are drawn", exact=True)).to_be_visible()
        output = notebook.output(0)

        assert output.locator(".ask-receipt").count() > 200
        drawn = output.locator(".jp-RenderedHTML")
        assert drawn.locator("script, img, iframe, svg, form, input, style, link, meta, base").count() == 0
        assert drawn.locator("mjx-container a, mjx-container [style*=url], [href^=javascript]").count() == 0
        assert notebook.page.evaluate("window.__pwned") is None
        assert happened == []


def test_only_what_is_mathematics_is_typeset(lab: Lab, browser: Browser) -> None:
    lab.write("mathematics.ipynb", [MATH_CELL])
    with lab.opened(browser, "mathematics.ipynb") as notebook:
        notebook.run_all()
        expect(notebook.output(0).locator("mjx-container")).to_have_count(2)

        assert "Prices: $5 and $6. Acts: $\\href{https://example.com}{x}$." in notebook.output(0).inner_text()
        assert "Labels: $x$ and \\(y\\)" in notebook.output(0).inner_text()


def test_a_table_stands_as_in_a_markdown_cell_and_code_is_colored(lab: Lab, browser: Browser) -> None:
    lab.write("table.ipynb", [TABLE_CELL])
    with lab.opened(browser, "table.ipynb") as notebook:
        notebook.run_all()

        for name in ("ask-text", "ask-markdown"):
            shown = notebook.output(0).locator(f".{name}")
            expect(shown.locator("pre data")).to_be_visible()
            aligned = shown.locator("td").evaluate_all("cells => cells.map(cell => getComputedStyle(cell).textAlign)")
            colors = shown.locator("pre > code, pre data").evaluate_all(
                "runs => runs.map(run => getComputedStyle(run).color)"
            )
            assert aligned == ["left", "right"]
            assert len(set(colors)) == 2
