"""The previews of a question's options, of which CSS shows the one in view.

All of them stand in one HTML widget. Which one shows follows the option under keyboard focus, else the
picked one, by ``:has()``: at once, and without the kernel.
"""

from __future__ import annotations

from askwidgets.markup import attribute_html, inline_markdown_html
from askwidgets.preview import preview_html
from askwidgets.questions import Option, Question

__all__ = ["preview_rules", "previews_html"]


def previews_html(question: Question) -> str:
    """Give one section per option, or nothing where no option has a preview."""
    first = next((place for place, option in enumerate(question.options, 1) if option.preview), None)
    if first is None:
        return ""

    return "".join(
        _section_html(option, f"ask-preview-{place}{' ask-preview-first' if place == first else ''}")
        for place, option in enumerate(question.options, 1)
    )


def preview_rules(count: int) -> str:
    """Give the CSS that shows the preview of the option under focus or picked, for up to ``count`` options."""
    focused = ".ask-field:has(.ask-options label:nth-child({0}) > input:focus-visible) .ask-preview-{0}"
    picked = (
        ".ask-field:has(.ask-options label:nth-child({0}) > input:checked)"
        ":not(:has(.ask-options input:focus-visible)) .ask-preview-{0}"
    )
    shown = ",\n".join(rule.format(place) for place in range(1, count + 1) for rule in (focused, picked))
    return f"{shown} {{ visibility: visible }}\n" if shown else ""


def _section_html(option: Option, names: str) -> str:
    body = preview_html(option.preview) if option.preview else "<p>No preview of this option</p>"
    return (
        f'<section class="ask-preview {names}" tabindex="0" role="group" dir="auto"'
        f' aria-label="Preview: {attribute_html(option.label)}">'
        f'<div class="ask-caption">{inline_markdown_html(option.label)}</div>{body}</section>'
    )
