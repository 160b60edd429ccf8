"""Tells a person elsewhere that something waits: by a command or a Python callable of their own."""

from __future__ import annotations

import logging
import shlex
import subprocess
import threading
from collections.abc import Callable

__all__ = ["notifier"]

_logger = logging.getLogger("askwidgets")


def notifier(target: str | Callable[[str], object]) -> Callable[[str], None] | None:
    """Make what is called with a line of text when something waits; ``None`` where nothing is set.

    Args:
        target: a command, which gets the text as its last argument, or a callable that takes it. It runs in a
            thread of its own; what goes wrong in it is only logged.
    """
    if not target:
        return None

    call = target if callable(target) else _command(target)

    def notify(text: str) -> None:
        threading.Thread(target=_told, args=(call, text), name="askwidgets notification", daemon=True).start()

    return notify


def _command(line: str) -> Callable[[str], object]:
    # The text is the model's: an argument of its own, never part of a shell's line.
    return lambda text: subprocess.run([*shlex.split(line), _argument(text)], capture_output=True, check=True)  # noqa: S603


def _argument(text: str) -> str:
    """Let no program take the text for an option, or for the name of a file to send, as in ``curl --data @FILE``."""
    return text if text[:1].isalnum() else f" {text}"


def _told(call: Callable[[str], object], text: str) -> None:
    try:
        call(text)
    except Exception as error:
        # The message may quote what was asked.
        _logger.warning("The notification failed (%s); the reason is logged at DEBUG.", type(error).__name__)
        _logger.debug("The notification failed.", exc_info=True)
