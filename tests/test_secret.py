"""Secrets stay out of what is told, by their names and wherever else their values stand."""

from __future__ import annotations

import ast
import time

import pytest
from hypothesis import given, strategies as st

from askwidgets.secret import HIDDEN, Secrets, is_secret_name, source_without_secrets

VALUE = "hunter2-hunter2"


@pytest.mark.parametrize("name", ["key", "API_KEY", "token_count", "MySecret", "db_password"])
def test_names_that_say_so_are_secret(name: str) -> None:
    assert is_secret_name(name)
    assert Secrets({}).hides(name)
    assert not Secrets({}, [name]).hides(name)


def test_a_secret_value_is_hidden_wherever_it_stands() -> None:
    secrets = Secrets({"api_key": VALUE, "short_key": "a", "other": "plain text"})

    assert secrets.hidden(f"see {VALUE} and plain text") == f"see {HIDDEN} and plain text"


def test_a_secret_that_the_person_named_is_shown() -> None:
    assert Secrets({"api_key": VALUE}, ["api_key"]).hidden(VALUE) == VALUE


@pytest.mark.parametrize(
    ("shown", "hidden"),
    [
        ("{'api_key': 'abc', 'depth': 3}", f"{{'api_key': {HIDDEN}, 'depth': 3}}"),
        ("Client(token='a, b', retries=2)", f"Client(token={HIDDEN}, retries=2)"),
        ("Login(password=1234)", f"Login(password={HIDDEN})"),
        ("nothing here", "nothing here"),
    ],
)
def test_entries_and_arguments_of_secret_names_are_hidden_in_a_repr(shown: str, hidden: str) -> None:
    assert Secrets({}).hidden_in_repr(shown) == hidden


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("api_key = 'abc'\nx = 'kept'", f"api_key = '{HIDDEN}'\nx = 'kept'"),
        ("call(\n    token='abc',\n    name='n',\n)", f"call(\n    token='{HIDDEN}',\n    name='{HIDDEN}',\n)"),
        ('d = {\'password\': """a\nb"""}\ny = 1', f"d = {{'{HIDDEN}': '{HIDDEN}'}}\ny = 1"),
        ("x = 1  # the key is abc", f"x = 1  # {HIDDEN}"),
        ("x = 'kept'", "x = 'kept'"),
        ("%%bash\nexport TOKEN='abc\nls", f"%%bash\n{HIDDEN}\nls"),
    ],
)
def test_texts_on_lines_that_name_a_secret_are_hidden_in_code(source: str, shown: str) -> None:
    assert source_without_secrets(source) == shown


@given(st.text(alphabet="ab'\"\n\\{}", max_size=12), st.sampled_from(["api_key = {!r}", "f(token={!r})", "x = 1"]))
def test_no_text_of_a_secret_line_is_left_in_code(value: str, pattern: str) -> None:
    source = pattern.format(value)
    shown = source_without_secrets(source)

    assert len(ast.parse(shown).body) == 1
    assert "token" not in source or repr(value) not in shown


@pytest.mark.parametrize("hostile", ["key", "a", '"key', "key ", "key=", "-", "token:token", "'"])
def test_hostile_repetition_takes_no_long_time(hostile: str) -> None:
    text = hostile * (16_000 // len(hostile))
    started = time.process_time()
    Secrets({}).hidden_in_repr(text)

    assert time.process_time() - started < 2


def test_a_secret_within_another_entry_is_hidden() -> None:
    shown = "{'a': {'my-key': 'abc'}, 'b':'token=abc', key : abc}"

    assert "abc" not in Secrets({}).hidden_in_repr(shown)
