"""Tests for askwidgets.markup: what a page makes of model text."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Dialog, Route

from askwidgets import markup
from askwidgets.hidden import reveal
from askwidgets.markup import (
    ansi_html,
    attribute_html,
    code_html,
    diff_html,
    diff_text,
    fragment_html,
    inline_markdown_html,
    markdown_html,
    text_html,
)
from tests.payloads import ALL, PAYLOADS, active_parts, shown_text, text_nodes, untrusted_text

DRAWN: Mapping[str, Callable[[str], str]] = {
    "text": text_html,
    "attribute": lambda text: f'<p title="{attribute_html(text)}">x</p>',
    "markdown": markdown_html,
    "inline markdown": inline_markdown_html,
    "fragment": fragment_html,
    "code": lambda text: code_html(text, "python"),
    "html code": lambda text: code_html(text, "html"),
    "language": lambda text: code_html("x", text),
    "diff": lambda text: diff_html(text, f"{text}\n", "a.py"),
    "path": lambda text: diff_html("a", "b", text),
    "terminal": ansi_html,
}
"""Every function that makes HTML, by the place of the untrusted text."""


def test_the_corpus_holds_at_least_150_distinct_payloads() -> None:
    assert len(set(ALL)) >= 150
    assert min(len(payloads) for payloads in PAYLOADS.values()) >= 10


def test_the_check_finds_what_the_raw_payloads_would_do() -> None:
    kinds = ("elements", "handlers", "svg and mathml", "styles")
    missed = [payload for kind in kinds for payload in PAYLOADS[kind] if not active_parts(payload)]

    assert len(missed) <= 6


@pytest.mark.parametrize("place", DRAWN)
def test_html_inside_a_markdown_file_stays_the_same(place: str) -> None:
    """B44."""
    markdown = MarkdownIt("commonmark", {"html": True})
    for payload in (*ALL, "a\n\n![x](http://127.0.0.1:9/x)\n\n    <b>", "```\nx\n\n \n# y\n```"):
        html = f"<div>{DRAWN[place](payload)}</div>\n"

        assert markdown.render(html) == html


@pytest.mark.browser
def test_the_raw_payloads_do_run_in_chromium(browser: Browser) -> None:
    page = browser.new_page()
    page.route("**", lambda route: route.abort())
    page.set_content("".join(PAYLOADS["handlers"]))
    page.wait_for_function("window.__pwned === 1")
    page.close()


@pytest.mark.parametrize("place", DRAWN)
@pytest.mark.parametrize("kind", PAYLOADS)
def test_no_payload_becomes_an_active_part(place: str, kind: str) -> None:
    """B48."""
    draw = DRAWN[place]

    assert {payload: found for payload in PAYLOADS[kind] if (found := active_parts(draw(payload)))} == {}


@given(untrusted_text())
def test_no_random_text_becomes_an_active_part(text: str) -> None:
    assert {place: found for place, draw in DRAWN.items() if (found := active_parts(draw(text)))} == {}


@given(untrusted_text())
def test_text_shows_as_it_is(text: str) -> None:
    revealed = reveal(text)[0]

    assert shown_text(text_html(text)) == revealed
    assert shown_text(code_html(text, "python")) == f"{revealed}\n"
    assert shown_text(f"<b>{attribute_html(text)}</b>") == revealed


@given(untrusted_text())
def test_html_holds_nothing_that_utf_8_cannot(text: str) -> None:
    for draw in DRAWN.values():
        draw(text).encode()


@pytest.mark.browser
def test_nothing_runs_loads_or_opens_in_chromium(browser: Browser) -> None:
    """B48."""
    happened: list[str] = []

    def refuse(route: Route) -> None:
        happened.append(route.request.url)
        route.abort()

    def dismiss(dialog: Dialog) -> None:
        happened.append(f"dialog {dialog.message}")
        dialog.dismiss()

    page = browser.new_page()
    page.on("dialog", dismiss)
    page.on("popup", lambda popup: happened.append(popup.url))
    page.route("**", refuse)
    boxes = [f"<div>{draw(payload)}</div>" for draw in DRAWN.values() for payload in ALL if len(payload) < 1_000]
    page.set_content(f"<!doctype html><main>{''.join(boxes)}</main>")
    links = page.evaluate("[...document.links].map(link => link.protocol)")
    page.evaluate("document.querySelectorAll('main :not(a, a *)').forEach(part => { part.click(); part.focus() })")

    assert set(links) == {"http:", "https:"}
    assert page.locator("main > div").count() == len(boxes)
    assert page.locator("script, img, iframe, svg, math, form, input, style, link, meta, base").count() == 0
    assert page.evaluate("window.__pwned") is None
    assert happened == []
    page.close()


def test_mathematics_stays_as_typed() -> None:
    typed = "$a_b_c$, $$x_1*y*z$$, \\(a_i_j\\)"

    assert markdown_html(typed) == f"<p>{typed}</p>\n"
    assert "$$\nx_1 < y_1\n$$" in shown_text(markdown_html("$$\nx_1 < y_1\n$$"))
    assert "\\[\nx*y*z\n\\]" in markdown_html("\\[\nx*y*z\n\\]")
    assert "\\begin{align}\na_1 &= b_1\\\\\n\\end{align}" in shown_text(
        markdown_html("\\begin{align}\na_1 &= b_1\\\\\n\\end{align}")
    )


@pytest.mark.parametrize(
    "text", ["$5 and $6", "\\(not math", "a \\begin{x}", "$HOME/$USER", "costs 5$, or 6$", "$6. Then: $x"]
)
def test_no_typesetter_sees_mathematics_in_plain_text(text: str) -> None:
    delimiter = re.compile(r"\$.|.\$|\\[(\[]|\\begin", re.DOTALL)

    for draw in (text_html, inline_markdown_html, fragment_html, markdown_html):
        assert [node for _, node in text_nodes(draw(text)) if delimiter.search(node)] == []


def test_mathematics_that_could_act_shows_as_code() -> None:
    assert markdown_html(r"$\href{javascript:x}{y}$") == r"<p><code>$\href{javascript:x}{y}$</code></p>" + "\n"
    assert markdown_html(r"$\hrefs$") == "<p>$\\hrefs$</p>\n"


def test_markdown_has_tables_tasks_nested_lists_and_strikethrough() -> None:
    html = markdown_html("| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [ ] open\n- [x] done\n  1. deeper\n\n~~gone~~ **b** *i*")

    assert '<td style="text-align:right">2</td>' in html
    assert "<li>\N{BALLOT BOX} open</li>" in html
    assert "<li>\N{BALLOT BOX WITH CHECK}\ufe0e done\n<ol>\n<li>deeper</li>" in html
    assert "<s>gone</s> <strong>b</strong> <em>i</em>" in html


def test_raw_html_in_markdown_shows_as_text() -> None:
    assert markdown_html("<b>x</b>") == "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"


def test_links_lead_to_the_web_alone() -> None:
    assert markdown_html("[a](https://example.com/?x=1&y=2)") == (
        '<p><a href="https://example.com/?x=1&amp;y=2" rel="noopener noreferrer">a</a></p>\n'
    )
    assert markdown_html("see https://example.com/a_b.") == (
        '<p>see <a href="https://example.com/a_b" rel="noopener noreferrer">https://example.com/a_b</a>.</p>\n'
    )
    assert markdown_html("[setup](src/setup.py#L4)") == "<p>setup (src/setup.py#L4)</p>\n"
    assert markdown_html("[a](javascript:x)") == "<p>[a](javascript:x)</p>\n"


def test_a_link_that_names_another_host_says_where_it_leads() -> None:
    html = markdown_html("[https://bank.example/login](https://evil.example/x)")

    assert shown_text(html) == "https://bank.example/login (evil.example)\n"


def test_an_image_is_a_link_and_never_loaded() -> None:
    assert markdown_html("![a *chart*](https://example.com/x.png)") == (
        '<p><a href="https://example.com/x.png" rel="noopener noreferrer">image: a *chart*</a></p>\n'
    )
    assert shown_text(markdown_html("![x](plot.png)")) == "image: x (plot.png)\n"


def test_labels_have_bold_words_and_code_and_nothing_else() -> None:
    """B56."""
    assert inline_markdown_html("Use **WAL** mode for `cache.db`?") == (
        "Use <strong>WAL</strong> mode for <code>cache.db</code>?"
    )
    assert inline_markdown_html("*a* _b_ # c [d](https://e.example) C:\\_x\n- f") == (
        "*a* _b_ # c [d](https://e.example) C:\\_x\n- f"
    )
    assert inline_markdown_html("snake_case_name 2*3*4") == "snake_case_name 2*3*4"


def test_code_is_colored_with_few_elements() -> None:
    assert code_html("def f(x):  # y\n    return 'a'", "python title=a.py") == (
        "<pre><code><b>def </b><dfn>f</dfn>(x):  <i># y</i>\n    <b>return </b><samp>'a'</samp></code></pre>\n"
    )
    assert code_html("a < b", "no such language") == "<pre><code>a &lt; b</code></pre>\n"


def test_a_fragment_keeps_its_looks_and_loses_what_escapes() -> None:
    html = fragment_html(
        '<div id="a" class="b" onclick="c()" style="color:red; position:fixed; margin:-9px; padding:4px">x'
        '<script>y</script><img src="https://example.com/z.png"><a href="https://example.com">link</a></div>'
    )

    assert (
        html == '<div class="ask-fragment" style="overflow:auto"><div style="color:red;padding:4px">xlink</div></div>'
    )


def test_a_diff_signs_and_colors_each_changed_line() -> None:
    html = diff_html("a\nb\n", "a\nc", "x.py")

    assert html.startswith("<pre><code>--- x.py\n+++ x.py\n@@ -1,2 +1,2 @@\n a\n<del>-b</del>\n<ins>+c</ins>\n")
    assert "No newline at end of file" in html
    assert diff_text("same", "same", "x.py") == ""


def test_a_diff_of_something_huge_is_not_computed() -> None:
    assert "too large to compare: 300,000 and 300,001" in diff_text("a" * 300_000, "b" * 300_001, "x")


def test_terminal_colors_become_inline_styles() -> None:
    html = ansi_html("\x1b[1;31mFAILED\x1b[0m 3\x1b[4;42m x\x1b[24;49m y \x1b]0;title\x07<b>")

    assert shown_text(html) == "FAILED 3 x y <b>\n"
    assert html.startswith('<pre><code><span style="font-weight:bold;color:#')
    assert '</span> 3<span style="text-decoration:underline;background:#00cd0040"> x</span> y &lt;b&gt;' in html


def test_a_progress_bar_leaves_its_last_line() -> None:
    assert ansi_html("10%\r50%\r100%\r\ndone") == "<pre><code>100%\ndone</code></pre>\n"


def test_the_style_sheet_is_small_and_stays_inside_its_element() -> None:
    assert 500 < len(markup.STYLE) <= 1_200
    assert not re.search(r"[<@]|url|\n|/\*", markup.STYLE)
    assert [rule for rule in re.findall(r"([^{}]+)\{", markup.STYLE) if "ask-" not in rule] == []
    with pytest.raises(AttributeError):
        _ = markup.NO_SUCH_NAME


def test_prose_grows_by_less_than_half_again() -> None:
    paragraph = (
        "The cache keeps one file for each source, so that a **second** run reads what the first one wrote. "
        "It's named after `sha256(url)`, and [the guide](https://example.com/guide) says how to clear it.\n\n"
        "- A first point, with some words\n- A second point that isn't much longer\n\n"
    )
    text = "## A heading\n\n" + paragraph * (50_000 // len(paragraph))

    assert len(markdown_html(text)) <= 1.4 * len(text)


@pytest.mark.parametrize(
    "hostile", ["[", "![", "*a ", "`", "<a ", "$a ", "\\(", "> ", "https://a.", "&", "'", "\x1b[31m", "a\r"]
)
def test_hostile_repetition_takes_no_long_time(hostile: str) -> None:
    text = hostile * (30_000 // len(hostile))
    started = time.process_time()
    for draw in DRAWN.values():
        draw(text)

    assert time.process_time() - started < 10
