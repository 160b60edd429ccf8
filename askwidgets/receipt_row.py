"""The rows of a receipt: a question with what was given to it, as HTML and as text.

Drawn with a few inline styles and no style sheet, which Markdown viewers show as text; and without
``<dl>``, whose parts JupyterLab puts side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from askwidgets.direction import direction_attribute
from askwidgets.hidden import plain
from askwidgets.markup import attribute_html, inline_markdown_html, text_html
from askwidgets.preview import preview_html

__all__ = ["ReceiptLine", "ReceiptRow", "marked_html", "row_html", "row_plain", "typed_html", "typed_plain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptLine:
    """One thing that was given."""

    text: str
    """A label, a number with its unit, or words."""
    typed: bool = False
    """The person's own words, not one of the options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptRow:
    """One question and what was given to it."""

    label: str = ""
    """The header, or what stands for it; may be empty."""
    question: str = ""
    """The full question."""
    lines: tuple[ReceiptLine, ...] = ()
    """What was picked or typed; empty shows as skipped, or as not answered."""
    skipped: bool = False
    """Left out on purpose."""
    notes: str = ""
    """The note that went with it."""
    preview: str = ""
    """The preview of the picked option, or another text that is shown folded."""
    preview_label: str = "Preview"
    """What the folded text is."""


def row_html(row: ReceiptRow) -> str:
    """Show the question, and what was given to it as a list below."""
    label = f"<strong>{marked_html(row.label)}</strong>" if row.label else ""
    question = marked_html(row.question) if row.question else ""
    direction = direction_attribute(f"{row.label} {row.question}")
    heading = f"<p{direction}>{' '.join(filter(None, [label, question]))}</p>\n" if label or question else ""
    lines = "".join(f"<li{direction_attribute(text)}>{html}</li>\n" for text, html in _lines_html(row))
    given = f"<ul>\n{lines}</ul>\n" if lines else ""
    return f"{heading}{given}{_folded_html(row)}"


def _lines_html(row: ReceiptRow) -> Iterator[tuple[str, str]]:
    """Give each line's text, by which its direction is found, and its HTML."""
    for line in row.lines:
        yield line.text, typed_html(line.text) if line.typed else marked_html(line.text)

    if row.skipped and not row.lines:
        yield "", "<small>skipped</small>"

    if row.notes:
        yield row.notes, f"<small>Notes:</small> {_broken(text_html(row.notes))}"


def _folded_html(row: ReceiptRow) -> str:
    if not row.preview:
        return ""

    return f"<details><summary>{text_html(row.preview_label)}</summary>{preview_html(row.preview)}</details>\n"


def typed_html(text: str) -> str:
    """Show the person's own words as such."""
    words = _broken(text_html(text))
    return f"\N{LEFT DOUBLE QUOTATION MARK}{words}\N{RIGHT DOUBLE QUOTATION MARK} <small>typed</small>"


def marked_html(text: str) -> str:
    """Show model text with its bold words and code; the text as it was sent is the tooltip."""
    html = inline_markdown_html(text)
    shown = _broken(html)
    return f'<span title="{attribute_html(text)}">{shown}</span>' if re.search("<(strong|code)>", html) else shown


def _broken(html: str) -> str:
    """Keep line breaks without a style sheet."""
    return html.replace("&#10;", "\n").replace("\n", "<br>\n")


def row_plain(row: ReceiptRow) -> str:
    """Write the question, and what was given to it indented below."""
    parts = [typed_plain(line.text) if line.typed else plain(line.text) for line in row.lines]
    if row.skipped and not row.lines:
        parts.append("skipped")

    if row.notes:
        parts.append(plain(f"Notes: {row.notes}"))

    if row.preview:
        parts.append(plain(f"{row.preview_label}:\n{row.preview}"))

    heading = ": ".join(filter(None, [plain(row.label), plain(row.question)]))
    lines = [line for part in parts for line in part.split("\n")]
    return "\n".join([heading, *(f"  {line}".rstrip() for line in lines)] if heading else lines)


def typed_plain(text: str) -> str:
    """Write the person's own words as such."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{plain(text)}\N{RIGHT DOUBLE QUOTATION MARK} (typed)"
