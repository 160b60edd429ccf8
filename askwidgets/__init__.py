"""A Claude agent's questions as forms in the notebook cell that asks.

``%load_ext askwidgets`` registers ``%%claude`` and ``%claude`` (try ``%claude help``). From Python::

    async with askwidgets.Session(ask=askwidgets.Answers({"*": "first"})) as session:
        turn = await session.prompt("Which test should run first?")
"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from askwidgets.answers import Answers
    from askwidgets.background import wait
    from askwidgets.diagnosis import doctor
    from askwidgets.errors import AskWidgetsError
    from askwidgets.form import QuestionForm
    from askwidgets.receipt import receipts
    from askwidgets.sanitizer import nbval_sanitize
    from askwidgets.session import Session
    from askwidgets.turn import Turn
    from askwidgets.user_tool import tool

__all__ = [
    "Answers",
    "AskWidgetsError",
    "QuestionForm",
    "Session",
    "Turn",
    "doctor",
    "load_ipython_extension",
    "nbval_sanitize",
    "receipts",
    "tool",
    "unload_ipython_extension",
    "wait",
]

# Silent until a person wants the log.
logging.getLogger(__name__).addHandler(logging.NullHandler())

_HOMES = {
    "Answers": "answers",
    "AskWidgetsError": "errors",
    "QuestionForm": "form",
    "Session": "session",
    "Turn": "turn",
    "doctor": "diagnosis",
    "nbval_sanitize": "sanitizer",
    "receipts": "receipt",
    "tool": "user_tool",
    "wait": "background",
}
"""Where each public name lives: loaded on first use, since the SDK alone takes over a second."""


def __getattr__(name: str) -> object:
    """Load a public name, or compute ``__version__``."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"askwidgets.{_HOMES[name]}"), name)

    if name == "__version__":
        metadata = importlib.import_module("importlib.metadata")

        return metadata.version("askwidgets")

    message = f"module 'askwidgets' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted([*__all__, "__version__"])


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics; shows nothing, writes nothing, starts no process."""
    extension = importlib.import_module("askwidgets.extension")
    extension.load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Close the sessions and undo every hook."""
    extension = importlib.import_module("askwidgets.extension")
    extension.unload(shell)
