"""What must not be read out of a kernel: values of names that say they are secret.

A name is enough to go by, because that is how people mark a secret; its value is then hidden wherever it stands.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Mapping
from typing import cast

__all__ = ["HIDDEN", "Secrets", "is_secret_name", "source_without_secrets"]

HIDDEN = "<hidden>"
"""What stands in the place of a secret."""

_NAME = re.compile(r"key|token|secret|password", re.IGNORECASE)
_SHORTEST = 6
"""Characters; a shorter value would be found in the middle of words."""
_ASSIGNED = re.compile(
    # Only from the start of a word: from within, a long one would take a time that grows with its cube.
    r"""(?P<name>(?<![\w-])["']?(?=[\w-]*(?:key|token|secret|password))[\w-]+["']?\s*[:=]\s*)"""
    r"""(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,)\]}]+)""",
    re.IGNORECASE,
)
_TEXTS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def is_secret_name(name: str) -> bool:
    """Tell whether a name matches ``*key*``, ``*token*``, ``*secret*`` or ``*password*``."""
    return bool(_NAME.search(name))


class Secrets:
    """The secrets of one namespace, at one moment.

    Args:
        namespace: the kernel's variables.
        named: names that the person gave by hand, which may be read.
    """

    def __init__(self, namespace: Mapping[str, object], named: Collection[str] = ()) -> None:
        self._named = frozenset(named)
        # By the type: a proxy whose object is gone raises when it is asked for its class.
        texts = cast("dict[str, str]", {n: value for n, value in namespace.items() if issubclass(type(value), str)})
        values = {value for name, value in texts.items() if self.hides(name)}
        open_values = {value for name, value in texts.items() if name in self._named}
        kept = (value for value in values - open_values if len(value) >= _SHORTEST)
        # The longest first: one secret may begin with another.
        self._values = sorted(kept, key=lambda value: (-len(value), value))

    def hides(self, name: str) -> bool:
        """Tell whether the value of this name is not to be read."""
        return is_secret_name(name) and name not in self._named

    def hidden(self, text: str) -> str:
        """Give a text without the values of secrets."""
        for value in self._values:
            text = text.replace(value, HIDDEN)

        return text

    def hidden_in_repr(self, text: str) -> str:
        """Give the ``repr`` of something without what is assigned to secret names in it."""
        return self.hidden(_ASSIGNED.sub(self._reveal_named, text))

    def _reveal_named(self, match: re.Match[str]) -> str:
        name = match["name"].strip(" \t\"':=")

        return match[0] if name in self._named else f"{match['name']}{HIDDEN}"


def source_without_secrets(source: str) -> str:
    """Give code in which no text stands on a line that names a secret; all of it is dropped where it has no tokens."""
    if not is_secret_name(source):
        return source

    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        tokens = []

    if not tokens or any(token.type == tokenize.ERRORTOKEN for token in tokens):
        # A cell magic, say: then line by line, and rather too much than too little.
        return "\n".join(HIDDEN if is_secret_name(line) else line for line in source.splitlines())

    lines = source.splitlines(keepends=True)
    places = [token for line in _logical_lines(tokens) for token in _texts_to_hide(line)]

    for token in reversed(places):
        _replace(lines, token)

    return "".join(lines)


def _logical_lines(tokens: list[tokenize.TokenInfo]) -> list[list[tokenize.TokenInfo]]:
    lines: list[list[tokenize.TokenInfo]] = [[]]

    for token in tokens:
        lines[-1].append(token)

        if token.type == tokenize.NEWLINE:
            lines.append([])

    return lines


def _texts_to_hide(line: list[tokenize.TokenInfo]) -> list[tokenize.TokenInfo]:
    if not any(is_secret_name(token.string) for token in line):
        return []

    return [token for token in line if token.type in _TEXTS or token.type == tokenize.COMMENT]


def _replace(lines: list[str], token: tokenize.TokenInfo) -> None:
    (first, start), (last, end) = token.start, token.end
    before, after = lines[first - 1][:start], lines[last - 1][end:]
    shown = {tokenize.COMMENT: f"# {HIDDEN}", tokenize.STRING: f"'{HIDDEN}'"}.get(token.type, HIDDEN)
    lines[first - 1 : last] = [f"{before}{shown}{after}"]
