"""The words of ``%claude`` that tell what a session's CLI can do, and write down what was said in one."""

from __future__ import annotations

import textwrap

from askwidgets.arguments import TurnArguments
from askwidgets.hidden import plain
from askwidgets.kernel import run_nested
from askwidgets.notebook import Notebook

__all__ = ["commands"]

_WIDTH = 100


def commands(notebook: Notebook, rest: str) -> str:
    """List the CLI's slash commands, which a prompt may begin with: %claude commands [NAME]."""
    session = notebook.sessions.get(rest or "main") or run_nested(
        notebook.session_for(TurnArguments(session=rest or "main"))
    )
    session.connect_now()
    width = max(map(len, session.commands), default=0)

    return "\n".join(
        f"/{plain(name):<{width}}  {textwrap.shorten(plain(description), _WIDTH - width, placeholder=' …')}"
        for name, description in sorted(session.commands.items())
    )
