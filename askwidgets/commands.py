"""The words of ``%claude``, each a function of the notebook and the rest of the line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from IPython.core.error import UsageError

from askwidgets.notebook import Notebook

__all__ = ["run"]


def run(notebook: Notebook, line: str) -> None:
    """Run what was typed behind ``%claude``; nothing shows the status.

    Raises:
        UsageError: there is no such word.
    """
    word, _, rest = line.strip().partition(" ")
    command = _COMMANDS.get(word or "status")

    if command is None:
        message = f"%claude {word}: no such word. Try one of: {', '.join(sorted(_COMMANDS))}."
        raise UsageError(message)

    print(command(notebook, rest.strip()))  # noqa: T201 - what a line magic says


def _help(_notebook: Notebook, _rest: str) -> str:
    """List the words."""
    lines = [f"%claude {word:<10} {function.__doc__}" for word, function in sorted(_COMMANDS.items())]

    return "\n".join(["%%claude [options], then the prompt on the lines below; %%claude? lists the options.", *lines])


def _status(notebook: Notebook, _rest: str) -> str:
    """Show the sessions and what waits."""
    model = "The scripted model answers (demo)." if notebook.is_demo else ""
    lines = [
        f"{name}: {_state(session.is_running, session.waiting)}" for name, session in notebook.sessions.items()
    ] or ["No session yet: write %%claude and a prompt in a cell."]

    return "\n".join([*filter(None, [model]), *lines])


def _state(is_running: bool, waiting: int) -> str:  # noqa: FBT001 - two facts of one session
    if waiting:
        return "waits for your answer" if waiting == 1 else f"waits for {waiting} answers"

    return "running" if is_running else "ready"


def _new(notebook: Notebook, rest: str) -> str:
    """Start a session's conversation afresh: %claude new [NAME]."""
    name = rest or "main"
    notebook.forget(name)

    return f"Session {name} starts afresh with the next prompt."


def _close(notebook: Notebook, rest: str) -> str:
    """End a session's CLI process: %claude close [NAME]."""
    name = rest or "main"
    known = name in notebook.sessions
    notebook.forget(name)

    return f"Session {name} is closed." if known else f"There is no session {name}."


def _demo(notebook: Notebook, rest: str) -> str:
    """Let a scripted model answer, without an account: %claude demo [SCRIPT.yaml]."""
    notebook.start_demo(Path(rest) if rest else None)

    return "The scripted model answers from now on, on this machine only; no account is used."


_COMMANDS: Mapping[str, Callable[[Notebook, str], str]] = {
    "close": _close,
    "demo": _demo,
    "help": _help,
    "new": _new,
    "status": _status,
}
