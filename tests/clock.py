"""A clock that stands still until the test sets it."""

from __future__ import annotations

__all__ = ["Clock"]


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now
