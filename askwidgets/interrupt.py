"""A turn that the person stops: outcomes that leave a cell as exceptions, and no errors."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["InterruptNote", "PromptInterrupt", "TurnInterrupt", "interrupt_raises"]


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


class InterruptNote:
    """A handler of SIGINT that knows of it at once: a loop's own hears of it only when the loop runs again."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        self._then = then
        self._is_pressed = False

    def __call__(self, *_: object) -> None:
        """Take note of the signal."""
        self._is_pressed = True
        self._then()

    def take(self) -> bool:
        """Whether the signal came since this was asked last."""
        is_pressed, self._is_pressed = self._is_pressed, False

        return is_pressed


@contextmanager
def interrupt_raises() -> Iterator[bool]:
    """Let SIGINT raise where the main thread is: a loop's own handler would wait until the loop runs again.

    Gives whether it came already, and the loop may not have heard of it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield False
        return

    previous = signal.getsignal(signal.SIGINT)

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield isinstance(previous, InterruptNote) and previous.take()
    finally:
        signal.signal(signal.SIGINT, previous)
