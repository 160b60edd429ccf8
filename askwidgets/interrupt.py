"""A turn that the person stops: outcomes that leave a cell as exceptions, and no errors."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["PromptInterrupt", "TurnInterrupt", "interrupt_raises"]


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


@contextmanager
def interrupt_raises() -> Iterator[None]:
    """Let SIGINT raise where the main thread is: a loop's own handler would wait until the loop runs again."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    previous = signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
