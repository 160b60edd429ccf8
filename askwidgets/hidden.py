"""Text that hides what it says: characters without a shape, and the escape sequences of terminals.

What a person approves must be what they read (https://www.unicode.org/reports/tr36/), and a terminal
obeys the sequences of ECMA-48 wherever they come from.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["ESCAPE_SEQUENCE", "plain", "reveal"]

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u060b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]+[0-~]"
    r"|\x1b[0-OQ-WYZ\\`-~]"
)


def reveal(text: str) -> tuple[str, list[str]]:
    """Write out the characters that have no shape or change the order of others, and name each once."""
    names: dict[str, None] = {}

    def written_out(match: re.Match[str]) -> str:
        if _is_in_place(match):
            return match[0]

        point = f"U+{ord(match[0]):04X}"
        names[f"{point} {_character_name(match[0])}"] = None
        return f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}{point}\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"

    return _HIDDEN.sub(written_out, text.replace("\r\n", "\n")), list(names)


def _is_in_place(match: re.Match[str]) -> bool:
    """Whether a character without a shape does its proper work here: in an emoji or in its own script."""
    character, text = match[0], match.string
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if character in "\u200c\u200d":
        return _joins(before) and _joins(after)

    if character in "\ufe0e\ufe0f":
        return bool(before) and (before in "0123456789#*\xa9\xae" or unicodedata.category(before) == "So")

    if character in "\u200e\u200f\u061c":
        return bool(_RIGHT_TO_LEFT.search(text, max(0, match.start() - 20), match.end() + 20))

    return False


def _joins(character: str) -> bool:
    return character >= "\u0590" and unicodedata.category(character)[0] in "LMS"


def _character_name(character: str) -> str:
    category = unicodedata.category(character)
    unnamed = {"Cc": "control character", "Cs": "lone surrogate"}.get(category, "character without a name")
    return unicodedata.name(character, unnamed)


def plain(text: str) -> str:
    """Make text safe for a terminal and for ``text/plain``: no escape sequence, nothing that reorders or hides."""
    return reveal(ESCAPE_SEQUENCE.sub("", text))[0]
