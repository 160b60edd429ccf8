"""What a notebook has to offer to Tab; what needs the SDK is imported when Tab is first pressed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable

from askwidgets.magics import ClaudeMagics

__all__ = ["NotebookOffers"]

_MODELS = ("default", "fable", "haiku", "opus", "sonnet")
"""Names that the CLI knows, for before it is started."""


class NotebookOffers:
    """The sessions of one shell's magics, and what their CLIs told of themselves.

    Args:
        magics: of the shell.
    """

    def __init__(self, magics: ClaudeMagics) -> None:
        self._magics = magics

    def words(self) -> Iterable[str]:
        """Give the words of ``%claude``."""
        return sorted(importlib.import_module("askwidgets.commands").COMMANDS)

    def sessions(self) -> Iterable[str]:
        """Give the names of the sessions."""
        return list(self._magics.notebook.sessions)

    def modes(self) -> Iterable[str]:
        """Give the permission modes that may be chosen."""
        modes: Iterable[str] = importlib.import_module("askwidgets.session_options").MODES

        return [mode for mode in modes if self._magics.limits.allows_mode(mode)]

    def models(self) -> Iterable[str]:
        """Give the models that the CLI named, or may be known to it, of those that may be chosen."""
        named = [model for session in self._magics.notebook.sessions.values() for model in session.models]

        return [model for model in dict.fromkeys(named or _MODELS) if self._magics.limits.allows_model(model)]

    def commands(self) -> Iterable[str]:
        """Give the slash commands of all sessions' CLIs."""
        sessions = self._magics.notebook.sessions.values()

        return list(dict.fromkeys(f"/{name}" for session in sessions for name in session.commands))
