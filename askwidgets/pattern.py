"""Patterns in which ``*`` stands for any text, as people write them for questions, prompts, tools and models."""

from __future__ import annotations

import re

__all__ = ["pattern_matches"]


def pattern_matches(pattern: str, text: str) -> bool:
    """Whether a whole text fits a pattern; nothing but the star is special, and it takes line breaks too."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None
