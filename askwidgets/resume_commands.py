"""The words of ``%claude`` that go back to earlier conversations."""

from __future__ import annotations

from askwidgets.arguments import TurnArguments
from askwidgets.kernel import run_nested
from askwidgets.notebook import Notebook

__all__ = ["resume"]


def resume(notebook: Notebook, rest: str) -> str:
    """List this directory's conversations, or go on in one: %claude resume [ID|last] [NAME]."""
    word, _, name = rest.partition(" ")

    if not word:
        lines = notebook.conversations().lines()

        return "\n".join(lines or ["This directory has had no conversation yet."])

    name = name.strip() or "main"
    session = run_nested(notebook.session_for(TurnArguments(session=name, resume=word)))
    waited = notebook.conversations().waiting_question(session.session_id) if notebook.has_background else None

    if waited is not None:
        notebook.follow_up(waited, session, notebook.outputs(), was_cut_off=True)

    asks_again = " What waited there is asked below." if waited else ""

    return f"Session {name} goes on in the conversation {session.session_id} with the next prompt.{asks_again}"
