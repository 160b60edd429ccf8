"""Tests for askwidgets.style_sheet: what a finished cell keeps of the style sheet."""

from __future__ import annotations

import pytest

from askwidgets import markup
from askwidgets.markup import code_html, text_html
from askwidgets.style_sheet import StyledOutputs, needed_rules
from tests.recorded_outputs import RecordedOutputs

CSS = "[class^=ask-]{a:b}[class^=ask-] pre b,.ask-x{c:d}.ask-x:not([style]) i::before{e:f}"


@pytest.mark.parametrize(
    ("html", "rules"),
    [
        ("", "[class^=ask-]{a:b}"),
        ("<b>x</b>", "[class^=ask-]{a:b}"),
        ("<pre><b>x</b></pre>", "[class^=ask-]{a:b}[class^=ask-] pre b,.ask-x{c:d}"),
        ('<p class="y ask-x">', "[class^=ask-]{a:b}[class^=ask-] pre b,.ask-x{c:d}"),
        ('<p class="ask-x"><i>', CSS),
        (text_html("<pre><b>"), "[class^=ask-]{a:b}"),
    ],
)
def test_a_rule_is_needed_where_all_that_it_names_occurs(html: str, rules: str) -> None:
    outputs = StyledOutputs(RecordedOutputs())
    outputs.show({"text/html": html})

    assert needed_rules(CSS, outputs.names()) == rules


def test_only_what_stands_there_in_the_end_counts() -> None:
    shown = RecordedOutputs()
    outputs = StyledOutputs(shown)
    output = outputs.show({"text/html": code_html("import this", "python")})
    assert needed_rules(markup.STYLE, outputs.names()).count("pre b{") == 1

    output.update({"text/plain": "x"})
    assert outputs.names() == frozenset()
    assert shown.plain == "x"
