"""A receipt is read wherever its notebook is: on paper, and where all looks are taken off it, as GitHub does."""

from __future__ import annotations

import io
import re
from typing import cast

import nbformat
import nh3
import pytest
from nbconvert import HTMLExporter, MarkdownExporter
from playwright.sync_api import Browser
from pypdf import PdfReader

from askwidgets.receipt import question_receipt
from tests.payloads import shown_text
from tests.test_receipt import ANSWERED, REQUEST

READ = [
    "Answered",
    "Storage",
    "Store",
    "Use WAL mode for cache.db?",
    "SQLite (Recommended)",
    "Notes:",
    "keep a copy",
    "for a week",
    "Port",
    "Which port?",
    "\N{LEFT DOUBLE QUOTATION MARK}use port 8443\N{RIGHT DOUBLE QUOTATION MARK} typed",
    "Which columns?",
    "region, all",
    "date",
    "and tax",
    "How many bins?",
    "30 bins",
]
"""What is read, in this order."""

# https://github.com/github/markup#html-sanitization: of what a receipt has, neither styles, classes nor tooltips stay.
TAGS = "a blockquote br code del div em h1 h2 h3 hr ins li ol p pre s strong table tbody td th thead tr ul"
GITHUB = nh3.Cleaner(tags=set(TAGS.split()), attributes={"a": {"href"}}, clean_content_tags={"script", "style"})


def notebook() -> nbformat.NotebookNode:
    """Make a notebook that holds a receipt as it is saved."""
    bundle = question_receipt(REQUEST, ANSWERED).bundle()
    output = nbformat.v4.new_output("display_data", data=nbformat.from_dict(bundle))

    cell = nbformat.v4.new_code_cell("%%claude\nAsk me.", outputs=[output])

    return cast("nbformat.NotebookNode", nbformat.v4.new_notebook(cells=[cell]))


def assert_read_in_order(text: str) -> None:
    """Find each part behind the one before it; how lines and words break is no matter."""
    words = "".join(text.split())
    place = 0
    for part in READ:
        sought = "".join(part.split())
        found = words.find(sought, place)
        assert found >= 0, f"{part!r} is not behind what comes before it in {words!r}"
        place = found + len(sought)


@pytest.mark.browser
def test_it_is_read_on_paper(browser: Browser) -> None:
    html, _ = HTMLExporter(template_name="lab").from_notebook_node(notebook())
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.set_content(html, wait_until="domcontentloaded")
        pdf = PdfReader(io.BytesIO(page.pdf(print_background=True)))

    assert_read_in_order("\n".join(page.extract_text() for page in pdf.pages))


def test_it_is_read_where_all_looks_are_taken_off_it() -> None:
    html = GITHUB.clean(str(question_receipt(REQUEST, ANSWERED).bundle()["text/html"]))
    text = shown_text(html)

    assert_read_in_order(text)
    assert "style" not in html
    lines = [" ".join(line.split()) for line in re.split(r"</?(?:p|li|ul|div|br)\b[^>]*>", html)]
    shown = [shown_text(line) for line in lines if line]
    assert shown[:4] == ["Answered", "Storage", "Store Use WAL mode for cache.db?", "SQLite (Recommended)"]


def test_it_is_read_in_markdown() -> None:
    markdown, _ = MarkdownExporter().from_notebook_node(notebook())

    assert_read_in_order(shown_text(markdown))
