"""Whatever arrived becomes data that JSON and UTF-8 can hold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from askwidgets.plain_json import decoded, encodable, number_text, plain, shown, utf16_length


@given(st.text(alphabet=st.characters()))
def test_only_lone_surrogates_are_replaced(text: str) -> None:
    result = encodable(text)
    result.encode()

    assert result == text or any("\ud800" <= character <= "\udfff" for character in text)


def test_a_pair_of_surrogates_is_the_character_that_it_spells() -> None:
    assert encodable("\ud83c\udf89!") == "🎉!"
    assert encodable("\ud83c!\udf89") == "\ufffd!\ufffd"


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(alphabet=st.characters(codec="utf-8")))


@given(st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text("ab"), inner), max_leaves=5))
def test_json_data_is_copied_as_it_is(value: object) -> None:
    assert plain(value) == value


def test_a_copy_shares_nothing_with_what_it_was_made_from() -> None:
    value = {"a": [{"b": 1}]}
    copied = plain(value)

    assert copied == value
    value["a"][0]["b"] = 2
    assert copied == {"a": [{"b": 1}]}


@pytest.mark.parametrize("number", [math.nan, math.inf, 10**400])
def test_a_number_that_json_cannot_hold_is_left_out(number: float) -> None:
    assert plain([number]) == [None]


def test_what_is_not_json_is_told() -> None:
    with pytest.raises(ValueError, match="holding a set"):
        plain({"a": {1}})


@pytest.mark.parametrize(("text", "expected"), [("[1]", [1]), ("no JSON", "no JSON"), ("[" * 9999, "[" * 9999)])
def test_a_string_that_holds_json_is_decoded(text: str, expected: object) -> None:
    assert decoded(text) == expected


@pytest.mark.parametrize(
    ("number", "text"), [(3, "3"), (3.0, "3"), (1e-7, "0.0000001"), (-0.5, "-0.5"), (1e21, f"{10**21}")]
)
def test_a_number_is_written_in_digits(number: float, text: str) -> None:
    assert number_text(number) == text


def test_length_counts_as_javascript_does() -> None:
    assert utf16_length("a🎉") == 3


def test_what_is_shown_is_short() -> None:
    assert shown(None) == "missing"
    assert len(shown("x" * 1000)) < 100


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_number_is_written_without_an_exponent_and_is_the_same(number: float) -> None:
    text = number_text(number)
    assert float(text) == number
    assert "e" not in text.lower()
    assert not text.endswith(".0")
