"""The preview of an option, shown as what it is."""

from __future__ import annotations

import re

from askwidgets.markup import code_html, fragment_html, markdown_html, text_html

__all__ = ["is_fragment", "preview_html"]

_FRAGMENT = re.compile(r"\s*<(?:!--|[a-zA-Z][a-zA-Z0-9]*[\s/>]).*>\s*\Z", re.DOTALL)
_FENCED = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.DOTALL | re.MULTILINE)
_DRAWN = re.compile(r"[\u2500-\u259f]|\+-{2,}|\S {3,}\S")
_MARKDOWN = re.compile(
    r"^ {0,3}(?:#{1,6} |[-*+] |\d+[.)] |> |\|?[ \t]*:?-{3,}:?[ \t]*\|)|\*\*\S|`[^`\n]+`|\[[^\[\]\n]+\]\(", re.MULTILINE
)


def is_fragment(preview: str) -> bool:
    """Whether the preview is HTML, from its first tag to its last."""
    return _FRAGMENT.match(preview) is not None


def preview_html(preview: str) -> str:
    """Show an HTML fragment, Markdown, or text drawn in monospace, whichever the preview is; else say why not."""
    try:
        return _drawn_html(preview)
    except Exception as error:  # noqa: BLE001 - the option can be picked all the same
        return f"<p>This preview cannot be drawn ({text_html(repr(error))}). Its text:</p>{text_html(str(preview))}"


def _drawn_html(preview: str) -> str:
    if is_fragment(preview):
        return fragment_html(preview)

    unfenced = _FENCED.sub("", preview)
    if unfenced != preview and not re.search(r"[\u2500-\u259f]", unfenced):
        return markdown_html(preview)

    is_markdown = _MARKDOWN.search(preview) and not _DRAWN.search(preview)
    return markdown_html(preview) if is_markdown else code_html(preview)
