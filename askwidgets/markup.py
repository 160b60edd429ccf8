"""Everything that becomes HTML: model and tool text enter here and leave escaped or through an allow-list.

Model text is untrusted: in a notebook page a script means control of the kernel. Two things come on
top of the usual. JupyterLab and nbconvert typeset ``$...$`` in any HTML, so a dollar that is not
mathematics is put in a ``<span>`` of its own, which no typesetter looks across. And text can hide what
it says (https://www.unicode.org/reports/tr36/), so characters without a shape are written out.

``text_html``, ``attribute_html`` and ``inline_markdown_html`` give inline content, whose line breaks
are kept by CSS; the other functions give blocks. All of it reads well without any style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import unified_diff
from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

from askwidgets.ansi import printed_runs
from askwidgets.hidden import reveal
from askwidgets.highlighting import LOOKS, code_runs

__all__ = [
    "LARGEST_COMPARED",
    "STYLE",
    "ansi_html",
    "attribute_html",
    "code_html",
    "diff_html",
    "diff_text",
    "fragment_html",
    "inline_markdown_html",
    "joined_html",
    "markdown_html",
    "text_html",
]

STYLE: str
"""The style sheet of saved transcripts and receipts, without its ``<style>`` tags."""

_SCHEMES = {"http", "https", "mailto"}
LARGEST_COMPARED = 400_000
"""Characters of both versions beyond which a diff takes too long."""
_MARKDOWN_TAGS = (
    "a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul"
)
_FRAGMENT_TAGS = (
    "article aside b blockquote br caption code dd del details div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6"
    " header hr i ins kbd li main mark nav ol p pre s samp section small span strong sub summary sup table tbody td"
    " tfoot th thead tr u ul"
)
_SILENT_TAGS = "iframe noembed noframes noscript object script style template title"
"""Elements whose content is nothing to read."""
_FRAGMENT_PROPERTIES = (
    "align-items background-color border border-bottom border-collapse border-color border-left border-radius"
    " border-right border-spacing border-style border-top border-width box-sizing color column-gap display flex"
    " flex-direction flex-wrap font-size font-style font-weight gap grid-template-columns height justify-content"
    " letter-spacing line-height list-style-type margin margin-bottom margin-left margin-right margin-top max-width"
    " min-height min-width padding padding-bottom padding-left padding-right padding-top row-gap text-align"
    " text-decoration text-transform vertical-align white-space width"
)

_MATH_DELIMITER = re.compile(r"\$|\\(?=\(|\[|begin|(?:eq)?ref)")
_UNSAFE_MATH = re.compile(
    r"\\(?:href|url|html\w*|class|cssId|style|data|unicode|require|def|gdef|edef|let|\w*command|\w*environment"
    r"|csname|include\w*|input|bbox|texttip|tooltip|toggle|mathtip|action|mmlToken)(?![a-zA-Z])"
)
_BLANK_LINE = re.compile(r"\n(?=[ \t]*\n)")
_LONG_WORD = re.compile(r"\S{2000}")
"""Finding links in longer words takes a time that grows with the square."""
_LINK = re.compile(r"//|mailto:", re.IGNORECASE)
"""What bare links have; to look for them takes a fifth of the time that rendering takes."""
_BLOCK_BREAK = re.compile(
    r"(</?(?:blockquote|details|div|h[1-6]|hr|li|ol|p|pre|summary|table|tbody|t[dhr]|thead|ul)(?: [^>]*)?>)\n"
)
_CODE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_TAG = re.compile(r'(<(?:[^>"]|"[^"]*")*>)')


def text_html(text: str) -> str:
    """Show text as it is, as the content of an element."""
    return _unbroken(_inert(escape(reveal(text)[0])))


def attribute_html(text: str) -> str:
    """Show text as it is, as the value of a quoted attribute."""
    return _unbroken(escape(reveal(text)[0]))


def _unbroken(html: str) -> str:
    """Leave no blank line, at which Markdown (what nbconvert makes of a notebook) ends a block of HTML."""
    return _BLANK_LINE.sub("&#10;", html)


def _inert(html: str) -> str:
    """Keep typesetters off the text of an escaped string."""
    return _MATH_DELIMITER.sub(r"<span>\g<0></span>", html)


def _allowed(url: str) -> bool:
    try:
        return urlsplit(url).scheme in _SCHEMES
    except ValueError:
        return False


def _host(url: str) -> str:
    try:
        return urlsplit(url if "//" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""


class _Markdown(MarkdownIt):
    """CommonMark with tables, which leaves mathematics as typed."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 -- the parser's own name
        """Take web links, and relative ones, which the renderer shows as text."""
        return _allowed(url) or not re.match(r"[\s/\\]*[/\\]{2}|[^/?#]*:", url)


class _Renderer(RendererHTML):
    """Renders each kind of token; what comes out still goes through the allow-list."""

    def text(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        return _inert(escape(tokens[idx].content, quote=False))

    def fence(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        return code_html(tokens[idx].content, tokens[idx].info)

    def image(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        source = str(tokens[idx].attrGet("src") or "")
        label = text_html(f"image: {tokens[idx].content}" if tokens[idx].content else "image")
        depth = sum(token.nesting for token in tokens[:idx] if token.type in {"link_open", "link_close"})
        if depth or not _allowed(source):
            return f"{label} ({text_html(source)})" if source else label

        return f'<a href="{escape(source)}">{label}</a>'

    def link_open(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        target = str(tokens[idx].attrGet("href") or "")
        return f'<a href="{escape(target)}">' if _allowed(target) else ""

    def link_close(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        start = next(i for i in range(idx, -1, -1) if tokens[i].type == "link_open")
        target = str(tokens[start].attrGet("href") or "")
        label = "".join(token.content for token in tokens[start:idx])
        if not _allowed(target):
            return "" if target in {"", label} or target.startswith("#") else f" ({text_html(target)})"

        names_another = "." in _host(label) and _host(label) != _host(target)
        return f"</a> ({text_html(_host(target))})" if names_another else "</a>"

    def math(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        token = tokens[idx]
        typed = escape(f"{token.markup}{token.content}{token.meta.get('closing', token.markup)}", quote=False)
        if token.block:
            return f"<p>{_guarded(typed)}</p>\n"

        # $HOME/$USER is none: GitHub, too, wants no word right behind the closing dollar.
        following = tokens[idx + 1].content[:1] if idx + 1 < len(tokens) else ""
        return _inert(typed) if token.markup == "$" and following.isalnum() else _guarded(typed)


def _guarded(mathematics: str) -> str:
    """Keep from the typesetter what could link, style, load or redefine."""
    return f"<code>{mathematics}</code>" if _UNSAFE_MATH.search(mathematics) else mathematics


def _bracket_math(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 -- the parser's signature
    r"""Take ``\(...\)`` and ``\[...\]`` as mathematics before the backslash is read as an escape."""
    opening = state.src[state.pos : state.pos + 2]
    closing = {r"\(": r"\)", r"\[": r"\]"}.get(opening)
    end = state.src.find(closing, state.pos + 2, state.posMax) if closing else -1
    if end < 0:
        return False

    if not silent:
        token = state.push("math_bracket", "", 0)
        token.markup, token.content = opening, state.src[state.pos + 2 : end]
        token.meta = {"closing": closing}

    state.pos = end + 2
    return True


def _task_boxes(state: StateCore) -> None:
    """Turn ``[ ]`` and ``[x]`` at the start of a list item to a box."""
    for item, paragraph, inline in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if item.type != "list_item_open" or paragraph.type != "paragraph_open" or not inline.children:
            continue

        first = inline.children[0]
        mark = re.match(r"\[([ xX])\](?=\s)", first.content) if first.type == "text" else None
        if mark:
            box = "\N{BALLOT BOX}" if mark[1] == " " else "\N{BALLOT BOX WITH CHECK}\ufe0e"
            first.content = box + first.content[mark.end() :]


@cache
def _markdown(*, linkify: bool) -> MarkdownIt:
    markdown = _Markdown("commonmark", {"html": False, "linkify": linkify}, renderer_cls=_Renderer)
    markdown.enable(["table", "strikethrough", "linkify"]).use(
        dollarmath_plugin, double_inline=True, allow_digits=False, allow_space=False
    ).use(amsmath_plugin)
    if markdown.linkify:
        markdown.linkify.set({"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})

    markdown.inline.ruler.before("escape", "math_bracket", _bracket_math)
    markdown.core.ruler.push("task_boxes", _task_boxes)
    for kind in ("math_inline", "math_inline_double", "math_block", "math_block_label", "math_bracket", "amsmath"):
        markdown.add_render_rule(kind, _Renderer.math)

    return markdown


@cache
def _inline_markdown() -> MarkdownIt:
    markdown = _Markdown("zero", {"html": False}, renderer_cls=_Renderer).enable(["backticks", "emphasis"])
    for kind in ("em_open", "em_close"):
        markdown.add_render_rule(kind, lambda _self, tokens, idx, _options, _env: tokens[idx].markup)

    return markdown


def _absolute_link(_tag: str, name: str, value: str) -> str | None:
    """Drop links that would open a page of the Jupyter server itself."""
    return None if name == "href" and not _allowed(value) else value


_MARKDOWN_ALLOWED = nh3.Cleaner(
    tags=LOOKS.union(_MARKDOWN_TAGS.split()),
    attributes={"a": {"href"}, "ol": {"start"}, "td": {"style"}, "th": {"style"}},
    filter_style_properties={"text-align"},
    url_schemes=_SCHEMES,
    attribute_filter=_absolute_link,
    link_rel="noopener noreferrer",
)


def markdown_html(markdown: str) -> str:
    """Render the model's Markdown; raw HTML in it shows as text and no image is loaded."""
    revealed = reveal(markdown)[0]
    try:
        html = _markdown(linkify=_may_link(revealed)).render(revealed)
    except RecursionError:
        html = f"<p>{_inert(escape(revealed))}</p>"

    return _unbroken(_MARKDOWN_ALLOWED.clean(html))


def _may_link(markdown: str) -> bool:
    return _LINK.search(markdown) is not None and _LONG_WORD.search(markdown) is None


def joined_html(html: str) -> str:
    """Put HTML of this module on as few lines as can be: each costs twelve bytes where a notebook is saved."""
    return _CODE.sub(lambda code: code[0].replace("\n", "&#10;"), _BLOCK_BREAK.sub(r"\1", html))


def inline_markdown_html(text: str) -> str:
    """Render the bold words and the code of a label or a question; all else shows as typed."""
    return _unbroken(_MARKDOWN_ALLOWED.clean(_inline_markdown().renderInline(reveal(text)[0])))


def fragment_html(html: str) -> str:
    """Show a preview of format ``html``: its text and its looks, boxed in, with nothing that runs, loads or links."""
    cleaned = _FRAGMENT_ALLOWED.clean(reveal(html)[0])
    parts = _TAG.split(cleaned)
    parts[::2] = map(_inert, parts[::2])
    return f'<div class="ask-fragment" style="overflow:auto">{_unbroken("".join(parts))}</div>'


def _harmless_attribute(_tag: str, name: str, value: str) -> str | None:
    """Keep of a style what neither loads something nor draws outside of its box."""
    if name != "style":
        return value

    kept = [declaration.strip() for declaration in value.split(";") if _is_harmless(declaration)]
    return ";".join(kept) or None


def _is_harmless(declaration: str) -> bool:
    name, _, value = declaration.partition(":")
    harmful = re.search(r"[^\w\s#%.,()/+*-]|/\*|\b(?!rgba?|hsla?|repeat|minmax)[\w-]+\(|-\s*[\d.]|\d{5}", value)
    return name.strip().lower() in _FRAGMENT_PROPERTIES.split() and not harmful


_FRAGMENT_ALLOWED = nh3.Cleaner(
    tags=set(_FRAGMENT_TAGS.split()),
    clean_content_tags=set(_SILENT_TAGS.split()),
    attributes={"*": {"style", "dir"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}, "ol": {"start"}},
    attribute_filter=_harmless_attribute,
    filter_style_properties=set(_FRAGMENT_PROPERTIES.split()),
    link_rel=None,
    url_schemes=set(),
)


def code_html(code: str, language: str = "") -> str:
    """Show code, colored when ``language`` (the info string of a fence) names one that Pygments knows."""
    runs = code_runs(reveal(code)[0], language)
    return _block("".join(_run_html(look, run) for look, run in runs))


def _block(content: str) -> str:
    return f"<pre><code>{_unbroken(content)}</code></pre>\n"


def _run_html(look: str, run: str) -> str:
    content = escape(run, quote=False)
    return f"<{look}>{content}</{look}>" if look else content


def diff_text(old: str, new: str, path: str) -> str:
    """Compare two versions of a file as a unified diff; empty when they are equal."""
    name = " ".join(path.split())
    if len(old) + len(new) > LARGEST_COMPARED:
        return f"--- {name}\n+++ {name}\n@@ too large to compare: {len(old):,} and {len(new):,} characters @@\n"

    lines = unified_diff(_lines(old), _lines(new), name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Split at line feeds alone, as the tools that edit files do."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def diff_html(old: str, new: str, path: str) -> str:
    """Show what changes from ``old`` to ``new``, each line with its sign."""
    looks = {"+": "ins", "-": "del"}
    lines = reveal(diff_text(old, new, path))[0].split("\n")
    body = [_run_html(looks.get(line[:1], ""), line) for line in lines[2:]]
    return _block("\n".join([escape(line) for line in lines[:2]] + body))


def ansi_html(text: str) -> str:
    """Show what a terminal printed: its colors kept, lines that it overwrote and all other sequences gone."""
    parts = []
    for run, style in printed_runs(text):
        content = escape(reveal(run)[0], quote=False)
        declarations = ";".join(f"{name}:{value}" for name, value in style.items())
        parts.append(f'<span style="{declarations}">{content}</span>' if style else content)

    return _block("".join(parts))


def __getattr__(name: str) -> str:
    """Read the style sheet when it is first asked for."""
    if name != "STYLE":
        raise AttributeError(name)

    return _style()


@cache
def _style() -> str:
    source = files("askwidgets").joinpath("transcript.css").read_text(encoding="utf-8")
    shortened = re.sub(r"/\*.*?\*/|\s+", lambda match: " " * match[0].isspace(), source, flags=re.DOTALL)
    return re.sub(r" ?([{};,>!]) ?|(:) ", r"\1\2", shortened).replace(";}", "}").strip()
