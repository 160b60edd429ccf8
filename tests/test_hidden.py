"""Tests for askwidgets.hidden: what a reader cannot see is written out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from askwidgets.hidden import plain, reveal
from tests.payloads import untrusted_text


def test_hidden_characters_are_written_out_and_named() -> None:
    text, names = reveal("a\u202eb\x00c\ud800\u202e")

    assert text == "a<U+202E>b<U+0000>c<U+D800><U+202E>".translate({ord("<"): "\u2039", ord(">"): "\u203a"})
    assert names == ["U+202E RIGHT-TO-LEFT OVERRIDE", "U+0000 control character", "U+D800 lone surrogate"]


@pytest.mark.parametrize(
    "text",
    [
        "tabs\tand\nlines",
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER} \N{HEAVY BLACK HEART}\ufe0f 1\ufe0f\u20e3",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u05e9\u05dc\u05d5\u05dd\u200f!",
        "e\u0301 \u00a0 \u2014 \u65e5\u672c",
    ],
)
def test_characters_that_do_their_proper_work_stay(text: str) -> None:
    assert reveal(text) == (text, [])


@given(untrusted_text())
def test_nothing_hidden_or_obeyed_by_a_terminal_is_left_in_plain_text(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", plain(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;http://127.0.0.1:9\x1b\\click\x1b]8;;\x07", "click"),
        ("\x1b]0;title\x07\x9b2Jx\x1b(B", "x"),
        ("\x1b\x1b[0m[31mx", "<U+001B>[31mx"),
        ("\x1b]52;c;never ended", "<U+001B>]52;c;never ended"),
    ],
)
def test_escape_sequences_are_gone_and_their_ruins_written_out(text: str, shown: str) -> None:
    assert plain(text).translate({0x2039: "<", 0x203A: ">"}) == shown


def test_windows_line_ends_are_line_feeds() -> None:
    assert reveal("a\r\nb") == ("a\nb", [])


def test_invisible_characters_between_latin_letters_are_written_out() -> None:
    assert reveal("pay\u200dpal x\ufe0f")[1] == ["U+200D ZERO WIDTH JOINER", "U+FE0F VARIATION SELECTOR-16"]
