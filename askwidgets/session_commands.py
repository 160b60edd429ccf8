"""The words of ``%claude`` that tell what a session's CLI can do, and write down what was said in one."""

from __future__ import annotations

import shlex
import textwrap
from pathlib import Path

from askwidgets.arguments import TurnArguments
from askwidgets.errors import OptionError
from askwidgets.hidden import plain
from askwidgets.kernel import run_nested
from askwidgets.notebook import Notebook
from askwidgets.session_export import export_session

__all__ = ["commands", "export"]

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


def export(notebook: Notebook, rest: str) -> str:
    """Write a session's transcript with its receipts to a .md or .ipynb file: %claude export FILE [NAME]."""
    try:
        words = shlex.split(rest)
    except ValueError:
        words = []

    if not words:
        raise OptionError("%claude export", rest, "the name of a file that ends in .md or .ipynb")

    session = notebook.session(words[1] if len(words) > 1 else "main")
    export_session(Path(words[0]).expanduser(), session.name, session.turns)

    return f"Session {session.name} is in {words[0]}; turns: {len(session.turns)}."
