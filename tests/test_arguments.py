"""The options of the cell magic."""

from __future__ import annotations

from dataclasses import fields

import pytest
from IPython.core.error import UsageError

from askwidgets.arguments import OPTIONS, TurnArguments, checked_variable, parse_arguments
from askwidgets.errors import OptionError


def test_nothing_typed_is_all_defaults() -> None:
    assert parse_arguments("") == TurnArguments()


def test_every_option_has_a_field_and_every_field_an_option() -> None:
    named = {
        settings.get("dest", flags[-1].removeprefix("--").replace("-", "_")) for flags, settings in OPTIONS.items()
    }

    assert named == {field.name for field in fields(TurnArguments)}


def test_options_are_parsed_to_their_types() -> None:
    line = "-s review --new -m opus --timeout 2.5 --add-dir a --add-dir 'b c' --max-turns 3 --max-budget-usd 0.5"

    assert parse_arguments(line) == TurnArguments(
        session="review",
        new=True,
        model="opus",
        timeout=2.5,
        add_dir=["a", "b c"],
        max_turns=3,
        max_budget_usd=0.5,
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--colour red", "--colour"),
        ("--timeout soon", "soon"),
        ("-s", "expected one argument"),
        ("--cwd 'unclosed", "no closing quotation"),
        ("--sess x", "--sess"),
        ("--timeout -5", "no number from 0 up"),
        ("--timeout nan", "no number from 0 up"),
        ("--max-budget-usd -1", "no number from 0 up"),
        ("--max-turns 1.5", "no whole number"),
        ("--effort hgih", "hgih"),
    ],
)
def test_a_bad_line_is_a_usage_error_that_names_what_was_found(line: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse_arguments(line)


def test_a_limit_without_an_end_is_none() -> None:
    assert parse_arguments("--timeout inf").timeout == 0


@pytest.mark.parametrize("name", ["1x", "a.b", "class"])
def test_what_no_variable_can_be_called_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match="the name of a variable"):
        checked_variable(name)
