"""The direction in which a text is read, as browsers find it for ``dir="auto"``.

https://html.spec.whatwg.org/multipage/dom.html#the-directionality
"""

from __future__ import annotations

import unicodedata

__all__ = ["direction_attribute", "is_right_to_left"]


def is_right_to_left(text: str) -> bool:
    """Whether the first letter that has a direction runs from right to left."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction for direction in directions if direction in {"L", "R", "AL"}), "L") != "L"


def direction_attribute(text: str) -> str:
    """Give the attribute of an element that holds the text, where it has to say more than a page assumes."""
    return ' dir="rtl"' if is_right_to_left(text) else ""
