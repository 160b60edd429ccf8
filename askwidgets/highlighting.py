"""Code as runs of text that look alike: Pygments' many kinds of token brought down to the few that a notebook saves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from time import thread_time

from pygments import token as kinds
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

__all__ = ["LOOKS", "code_runs", "code_tokens"]

LARGEST = 20_000
"""Characters of code beyond which nothing is colored: some lexers take a time that grows with the square."""
_LONGEST = 0.5
"""Seconds of work on one piece of code, of which common code takes a tenth; code made for it can take a minute."""
_LONG_LINE = re.compile(r"[^\n]{600}|\s{600}")

_LOOK_BY_KIND = {
    kinds.Comment: "i",
    kinds.Generic.Subheading: "i",
    kinds.Keyword: "b",
    kinds.Operator.Word: "b",
    kinds.Name.Tag: "b",
    kinds.String: "samp",
    kinds.Number: "data",
    kinds.Name.Function: "dfn",
    kinds.Name.Class: "dfn",
    kinds.Name.Decorator: "dfn",
    kinds.Name.Builtin: "data",
    kinds.Generic.Inserted: "ins",
    kinds.Generic.Deleted: "del",
}
LOOKS = frozenset(_LOOK_BY_KIND.values())
"""Elements for comment, keyword, string, number or builtin, function or class; inserted and deleted lines.

Short ones, which have a fitting look of their own, or none, where the style sheet is taken away.
"""


def code_runs(code: str, language: str) -> Iterator[tuple[str, str]]:
    """Give each run of the code with its look; an empty look is that of the text.

    Args:
        code: any text.
        language: the info string of a fence; its first word may name a language that Pygments knows.
    """
    for look, run in groupby(_joined(code_tokens(code, language)), key=itemgetter(0)):
        yield look, "".join(value for _, value in run)


def code_tokens(code: str, language: str) -> Iterator[tuple[kinds._TokenType, str]]:
    """Give the tokens of code; all of it is one where its language is not known, and its rest where it takes too long.

    Args:
        code: as for ``code_runs``.
        language: as for ``code_runs``.
    """
    words = language.split(maxsplit=1) if len(code) <= LARGEST and not _LONG_LINE.search(code) else []
    lexer = _lexer(words[0].strip("{}.")) if words else None
    if lexer is None:
        yield kinds.Text, code
        return

    place, started = 0, thread_time()
    for kind, value in lexer.get_tokens(code):
        yield kind, value
        place += len(value)
        if thread_time() - started > _LONGEST:
            yield kinds.Text, code[place:]
            return


def _joined(tokens: Iterable[tuple[kinds._TokenType, str]]) -> Iterator[tuple[str, str]]:
    """Give each token its look; blanks look like what stands before them, unless a line ends there."""
    before = ""
    for kind, value in tokens:
        look = _look(kind)
        if look or not value.isspace() or "\n" in value:
            before = look

        yield before, value


@lru_cache(maxsize=64)
def _lexer(name: str) -> Lexer | None:
    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@cache
def _look(kind: kinds._TokenType) -> str:
    return next((look for parent, look in _LOOK_BY_KIND.items() if kind[: len(parent)] == parent), "")
