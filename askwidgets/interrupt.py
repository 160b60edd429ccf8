"""A turn that the person stops: outcomes that leave a cell as exceptions, and no errors."""

from __future__ import annotations

__all__ = ["PromptInterrupt", "TurnInterrupt"]


class TurnInterrupt(KeyboardInterrupt):
    """The cell ends as interrupted, so that Run All stops there; shown as one line."""

    def __init__(self) -> None:
        super().__init__("the turn was interrupted; the session goes on in the next cell.")

    def _render_traceback_(self) -> list[str]:
        return [f"KeyboardInterrupt: {self}"]


class PromptInterrupt(Exception):  # noqa: N818 - a keypress, not an error
    """The person pressed Ctrl-C at a prompt in text.

    No ``KeyboardInterrupt``: in a task that would end the loop of the thread that waits for the answer.
    """

    def __init__(self) -> None:
        super().__init__("the person interrupted the turn.")
