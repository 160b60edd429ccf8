"""Code as runs of text that look alike: Pygments' many kinds of token brought down to the few that a notebook saves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby

from pygments import token as kinds
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

__all__ = ["LOOKS", "code_runs"]

LARGEST = 20_000
"""Characters of code beyond which nothing is colored: some lexers take a time that grows with the square."""
_LONG_LINE = re.compile(r"[^\n]{600}|\s{600}")

_LOOK_BY_KIND = {
    kinds.Comment: "c",
    kinds.Generic.Subheading: "c",
    kinds.Keyword: "k",
    kinds.Operator.Word: "k",
    kinds.Name.Tag: "k",
    kinds.String: "s",
    kinds.Number: "n",
    kinds.Name.Function: "f",
    kinds.Name.Class: "f",
    kinds.Name.Decorator: "f",
    kinds.Name.Builtin: "b",
    kinds.Generic.Inserted: "ins",
    kinds.Generic.Deleted: "del",
}
LOOKS = frozenset(_LOOK_BY_KIND.values())
"""Comment, keyword, string, number, function or class, builtin; inserted and deleted lines."""


def code_runs(code: str, language: str) -> Iterator[tuple[str, str]]:
    """Give each run of the code with its look; an empty look is that of the text.

    Args:
        code: any text.
        language: the info string of a fence; its first word may name a language that Pygments knows.
    """
    words = language.split(maxsplit=1) if len(code) <= LARGEST and not _LONG_LINE.search(code) else []
    try:
        lexer = get_lexer_by_name(words[0].strip("{}.") if words else "", stripnl=False, ensurenl=False)
    except ClassNotFound:
        yield "", code
    else:
        for look, run in groupby(lexer.get_tokens(code), key=lambda token: _look(token[0])):
            yield look, "".join(value for _, value in run)


@cache
def _look(kind: kinds._TokenType) -> str:
    return next((look for parent, look in _LOOK_BY_KIND.items() if kind[: len(parent)] == parent), "")
