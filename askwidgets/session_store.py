"""Where conversations are kept beside the CLI's own files, by URL."""

from __future__ import annotations

from importlib import import_module
from typing import cast
from urllib.parse import urlsplit

from claude_agent_sdk import SessionStore

from askwidgets.errors import OptionError

__all__ = ["open_store"]

_WANTED = "a URL like postgresql://user@host/database, or nothing"


def open_store(url: str) -> SessionStore | None:
    """Give the store that a URL names; ``None`` for an empty one. Nothing is connected yet.

    Raises:
        OptionError: there is no store for such a URL, or what it needs is not installed.
    """
    if not url:
        return None

    # Never the whole URL: it may hold a password.
    scheme = urlsplit(url).scheme

    if scheme not in {"postgres", "postgresql"}:
        raise OptionError("session_store", f"{scheme}:...", _WANTED)

    try:
        module = import_module("askwidgets.postgres_store")
    except ModuleNotFoundError as error:
        wanted = "what it needs installed: pip install 'askwidgets[postgres]'"
        raise OptionError("session_store", f"{scheme}:...", wanted) from error

    return cast("SessionStore", module.PostgresStore(url))
