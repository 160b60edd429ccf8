"""A command is taken apart only where that is certain without a shell."""

from __future__ import annotations

import pytest

from askwidgets.command_parts import command_parts, guessed_parts


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("git status", ["git status"]),
        ("a && b || c; d | e |& f & g\nh", ["a", "b", "c", "d", "e", "f", "g", "h"]),
        ("git commit -m 'a && b; c'", ["git commit -m 'a && b; c'"]),
        ('git commit -m "a | b $NAME"', ['git commit -m "a | b $NAME"']),
        (r"echo a\;b", [r"echo a\;b"]),
        ("make 2>&1 | tail", ["make", "tail"]),
        ("make >/dev/null 2>&1", ["make"]),
        ("git show HEAD#1", ["git show HEAD#1"]),
        ("", []),
    ],
)
def test_a_command_is_split_where_the_shell_splits_it(command: str, parts: list[str]) -> None:
    assert command_parts(command) == parts


@pytest.mark.parametrize(
    "command",
    [
        "echo $(rm x)",
        "echo `rm x`",
        'echo "$(rm x)"',
        'echo "`rm x`"',
        'echo "${x:=$(rm x)}"',
        "echo a > file",
        "cat <<EOF",
        "diff <(rm x) y",
        "(rm x)",
        "f() { rm x; }",
        "echo $'\\''; rm x; echo '",
        "git status # '\nrm x\n'",
        "git status;#'\nrm x\n'",
        "echo 'never closed",
        'echo "never closed',
        "echo a \\",
        "echo a 2>&1x",
    ],
)
def test_what_may_hide_another_command_is_not_split(command: str) -> None:
    assert command_parts(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "ls; rm -rf x",
        "echo $(rm -rf x)",
        "(rm -rf x)",
        "echo `rm -rf x`",
        "A=1 B=2 rm -rf x",
        "ls | rm -rf x",
        "ls\nrm -rf x",
    ],
)
def test_a_guess_finds_the_command_wherever_it_hides(command: str) -> None:
    assert "rm -rf x" in guessed_parts(command)
