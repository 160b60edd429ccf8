"""A shell command taken apart into the commands that it runs, as far as that is certain without a shell."""

from __future__ import annotations

import re

__all__ = ["command_parts", "guessed_parts"]

_HARMLESS = re.compile(r"(?<!\S)(?:[12]?>&[12]|(?:[12]|&)?>>?\s*/dev/null)(?=\s|$)")
"""Redirections that write no file."""

_TOKEN = re.compile(
    r"""
    (?P<kept>\\. | '[^']*')                          # an escaped character; a single-quoted text
    | (?P<quoted>"(?:\\.|[^"\\`$]|\$(?![({]))*")     # a double-quoted text that runs nothing
    | (?P<uncertain>\$[({'"] | [`<>()"'\\])          # runs or writes something else, or is never closed
    | (?P<comment>(?<![^\s;&|])\#)                   # a quote in a comment opens nothing
    | (?P<end>&& | \|\| | \|& | [;&|\n])
    | (?P<plain>.)
    """,
    re.VERBOSE | re.DOTALL,
)

_ANY_END = re.compile(r"&&|\|\||\$\(|[;&|\n`(){}<>]")
_ASSIGNMENTS = re.compile(r"(?:\w+=\S*\s+)+")


def command_parts(command: str) -> list[str] | None:
    """Give the commands that run one after the other; ``None`` where others may hide in them."""
    parts = [""]
    for match in _TOKEN.finditer(_HARMLESS.sub("", command)):
        if match["uncertain"] or match["comment"]:
            return None

        if match["end"]:
            parts.append("")
        else:
            parts[-1] += match[0]

    return [part.strip() for part in parts if part.strip()]


def guessed_parts(command: str) -> list[str]:
    """Give everything that may be a command in it, without its assignments: rather too much than too little."""
    parts = (part.strip().strip("'\"").strip() for part in _ANY_END.split(command))
    return [_ASSIGNMENTS.sub("", part) if _ASSIGNMENTS.match(part) else part for part in parts if part]
