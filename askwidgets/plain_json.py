"""Plain JSON data out of whatever arrived: fresh, shallow enough to walk, and encodable as UTF-8.

A model's JSON may hold lone surrogates, which neither a notebook nor UTF-8 can hold, and the
strings that JavaScript counts are UTF-16.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from decimal import Decimal

__all__ = [
    "Plain",
    "decoded",
    "encodable",
    "is_blank",
    "is_finite",
    "number_text",
    "plain",
    "shown",
    "text_or_empty",
    "utf16_length",
]

Plain = dict[str, "Plain"] | list["Plain"] | str | int | float | bool | None
"""JSON data as ``json.loads`` gives it."""

_DEEPEST = 60
_SHOWN = 80
_SURROGATE = re.compile("[\ud800-\udfff]")


def plain(value: object, *, depth: int = 0) -> Plain:
    """Copy JSON data, all of it encodable.

    Raises:
        ValueError: it is nested too deeply, or holds something that is not JSON.
    """
    if depth > _DEEPEST:
        problem = f"nested more than {_DEEPEST} deep"
        raise ValueError(problem)

    if isinstance(value, str):
        return encodable(value)

    if isinstance(value, int | float):
        return value if is_finite(value) else None

    if value is None:
        return None

    if isinstance(value, Mapping):
        return {encodable(str(key)): plain(held, depth=depth + 1) for key, held in value.items()}

    if isinstance(value, list | tuple):
        return [plain(held, depth=depth + 1) for held in value]

    problem = f"holding a {type(value).__name__}, which is not JSON"
    raise ValueError(problem)


def decoded(value: Plain) -> Plain:
    """Decode JSON that was sent as a string; give anything else back as it is."""
    if not isinstance(value, str):
        return value

    try:
        return plain(json.loads(value))
    except (ValueError, RecursionError):
        return value


def encodable(text: str) -> str:
    """Put U+FFFD for every lone surrogate, so that UTF-8 can hold the text."""
    if not _SURROGATE.search(text):
        return text

    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def is_blank(text: str) -> bool:
    """Tell whether the text says nothing."""
    return not text.strip()


def utf16_length(text: str) -> int:
    """Count as JavaScript does, whose strings the limits of the tool are measured on."""
    return len(encodable(text).encode("utf-16-le")) // 2


def is_finite(number: float) -> bool:
    """Tell whether the number can be computed with: no infinity, and no integer beyond all floats."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def number_text(number: float) -> str:
    """Write a number in digits alone: no exponent, and no ``.0`` behind an integer."""
    return str(int(number)) if number == int(number) else format(Decimal(repr(number)), "f")


def text_or_empty(value: Plain) -> str:
    """Give a text or a number as text, and anything else as an empty one."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value)

    return value if isinstance(value, str) else ""


def shown(value: Plain) -> str:
    """Show what was found, for an error: short, and ``missing`` for nothing."""
    if value is None:
        return "missing"

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
