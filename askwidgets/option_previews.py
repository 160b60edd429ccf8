"""The previews of a question's options, in one widget.

Of a single-select, the one in view follows the option under keyboard focus, else the picked one, by
``:has()`` in CSS: at once, and without the kernel.
"""

from __future__ import annotations

from askwidgets.markup import attribute_html, inline_markdown_html
from askwidgets.preview import preview_html
from askwidgets.questions import Option, Question

__all__ = ["previews_html"]


def previews_html(question: Question) -> str:
    """Give one section per option, or nothing where no option has a preview."""
    first = next((option for option in question.options if option.preview), None)
    if first is None:
        return ""

    return "".join(_section_html(option, is_first=option is first) for option in question.options)


def _section_html(option: Option, *, is_first: bool) -> str:
    names = "ask-preview ask-first" if is_first else "ask-preview"
    body = preview_html(option.preview) if option.preview else "<p>No preview of this option</p>"
    return (
        f'<section class="{names}" tabindex="0" role="group" dir="auto"'
        f' aria-label="Preview: {attribute_html(option.label)}">'
        f'<div class="ask-caption">{inline_markdown_html(option.label)}</div>{body}</section>'
    )
