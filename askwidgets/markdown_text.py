"""What the agent said, as a text that a notebook shows rendered, and the code in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt

from askwidgets.hidden import plain
from askwidgets.markup import STYLE, code_html, markdown_html
from askwidgets.style_sheet import names_in, needed_rules

__all__ = ["CodeBlock", "MarkdownText", "code_blocks", "markdown_bundle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """A fenced block of code."""

    language: str
    """As written behind the fence; may be empty."""
    code: str

    def __str__(self) -> str:
        return self.code

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        return {"text/html": _styled(code_html(self.code, self.language)), "text/plain": plain(self.code)}


class MarkdownText(str):
    """Markdown; a string in every way but how a cell shows it."""

    __slots__ = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        return markdown_bundle(self)


def markdown_bundle(text: str) -> dict[str, object]:
    """Show Markdown, in the HTML that untrusted text may become."""
    return {"text/html": _styled(markdown_html(text)), "text/plain": plain(text)}


def code_blocks(text: str) -> tuple[CodeBlock, ...]:
    """Give the fenced blocks of code in a text, those in lists and quotes too."""
    return tuple(_fences(text))


def _fences(text: str) -> Iterator[CodeBlock]:
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence":
            words = token.info.split()
            yield CodeBlock(language=words[0] if words else "", code=token.content)


def _styled(html: str) -> str:
    html = f'<div class="ask-markdown">{html}</div>'

    return f"<style>{needed_rules(STYLE, frozenset(names_in(html)))}</style>{html}"
