"""What ``python -m askwidgets`` says."""

from __future__ import annotations

from contextlib import suppress

import pytest

import askwidgets
from askwidgets.__main__ import main


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ([], "login "),
        ([], "`%claude help`"),
        (["--version"], askwidgets.__version__),
        (["login", "--help"], "Sign in with the Claude Code CLI"),
        (["doctor", "--help"], "Look at the installation"),
    ],
)
def test_it_says_what_it_does_and_of_which_version(
    typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(SystemExit):
        main(typed)

    assert said in capsys.readouterr().out
