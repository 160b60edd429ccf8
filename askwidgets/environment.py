"""What the environment says of a run that nobody watches: answers, a recording, and that nobody is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ANSWERS", "REPLAY", "UNATTENDED", "Environment", "read_environment"]

ANSWERS = "ASKWIDGETS_ANSWERS"
"""A file of answers for where nobody is there."""

REPLAY = "ASKWIDGETS_REPLAY"
"""A recording that is played instead of asking the model's service."""

UNATTENDED = "ASKWIDGETS_UNATTENDED"
"""``1`` says that nobody is there, whatever the frontend says."""

_NO = frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What was set; what was not is empty."""

    answers: str = ""
    """A path."""
    replay: str = ""
    """A path."""
    unattended: bool = False


def read_environment(variables: Mapping[str, str]) -> Environment:
    """Read the variables of a process."""
    return Environment(
        answers=variables.get(ANSWERS, ""),
        replay=variables.get(REPLAY, ""),
        unattended=variables.get(UNATTENDED, "").strip().lower() not in _NO,
    )
