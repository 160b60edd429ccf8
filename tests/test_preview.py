"""A preview shows as what it is."""

from __future__ import annotations

import time
from typing import cast

import pytest

from askwidgets.preview import preview_html


@pytest.mark.parametrize(
    "drawing", ["+--+--+\n|a |b |\n+--+--+", "┌──┐\n│ a │\n└──┘", "  left    right", "SELECT 1", "# no    heading"]
)
def test_a_drawing_keeps_its_whitespace(drawing: str) -> None:
    """B09."""
    html = preview_html(drawing)
    assert html.startswith("<pre>")
    assert drawing in html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("## Plan\n\n- one", "<h2>Plan</h2>"),
        ("```python\nx    = 1\n```", "<pre>"),
        ("Some **bold** words", "<strong>bold</strong>"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "<table>"),
    ],
)
def test_markdown_is_rendered(markdown: str, html: str) -> None:
    assert html in preview_html(markdown)
    assert "```" not in preview_html(markdown)


def test_a_fragment_is_drawn_without_what_runs() -> None:
    """B48."""
    html = preview_html('<div style="color:red" onclick="x()">a<iframe srcdoc="b"></iframe></div>')
    assert "<div" in html
    assert "onclick" not in html
    assert "iframe" not in html


def test_a_preview_that_cannot_be_drawn_says_so_and_shows_its_text() -> None:
    """B39."""
    html = preview_html(cast("str", b"<b>raw</b>"))
    assert "cannot be drawn (TypeError(" in html
    assert "&lt;b&gt;raw" in html


@pytest.mark.parametrize("hostile", ["[", "![", "\n", "  \n", "`", "```\n", "|-", "<a ", "<!--"])
def test_a_hostile_preview_takes_no_long_time(hostile: str) -> None:
    text = hostile * (65_000 // len(hostile))
    started = time.process_time()
    preview_html(text)

    assert time.process_time() - started < 4
