"""Tests for askwidgets.highlighting: code as runs that look alike."""

from __future__ import annotations

import time

import pytest
from hypothesis import given

from askwidgets.highlighting import LARGEST, LOOKS, code_runs
from askwidgets.terminal_text import code_text
from tests.payloads import untrusted_text


@pytest.mark.parametrize(
    ("code", "language", "runs"),
    [
        ("x = 1", "python", [("", "x = "), ("data", "1")]),
        ("x = 1", "", [("", "x = 1")]),
        ("x = 1", "no-such-language", [("", "x = 1")]),
        ("# a", "{.python}", [("i", "# a")]),
        ("+a\n-b\n c\n", "diff", [("ins", "+a"), ("", "\n"), ("del", "-b"), ("", "\n c\n")]),
        ("\n\nx", "text", [("", "\n\nx")]),
        ("if not x", "python", [("b", "if not "), ("", "x")]),
        ("", "python", []),
    ],
)
def test_code_is_cut_into_runs(code: str, language: str, runs: list[tuple[str, str]]) -> None:
    assert list(code_runs(code, language)) == runs


def test_large_code_is_not_colored() -> None:
    code = "x = 1\n" * LARGEST

    assert list(code_runs(code, "python")) == [("", code)]


def test_a_very_long_line_is_not_colored() -> None:
    assert list(code_runs("1" * 1_000, "python")) == [("", "1" * 1_000)]


@pytest.mark.parametrize("language", ["python", "html", "bash", "yaml", "diff"])
@given(untrusted_text())
def test_no_character_of_the_code_is_lost(language: str, code: str) -> None:
    without_returns = code.replace("\r", "").removeprefix("\ufeff")
    runs = list(code_runs(without_returns, language))

    assert "".join(run for _, run in runs) == without_returns
    assert {look for look, _ in runs} <= {"", *LOOKS}


@pytest.mark.parametrize(("language", "hostile"), [("csharp", "a \n"), ("java", "a a\n"), ("antlr-java", "q{\n")])
def test_code_that_takes_long_is_colored_in_part(language: str, hostile: str) -> None:
    code = hostile * (LARGEST // len(hostile))
    started = time.process_time()

    assert "".join(run for _, run in code_runs(code, language)) == code
    assert len(code_text(code, language)) >= len(code)
    assert time.process_time() - started < 4
