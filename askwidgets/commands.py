"""The words of ``%claude``, each a function of the notebook and the rest of the line.

Their docstrings are what ``%claude help`` lists.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path

from IPython.core.error import UsageError

from askwidgets.help_pages import TOPICS, help_page
from askwidgets.kernel import run_nested
from askwidgets.mode_commands import mode, model
from askwidgets.notebook import Notebook
from askwidgets.pending_commands import answer, pending
from askwidgets.record_commands import answers, record, replay
from askwidgets.reopening import reopen
from askwidgets.resume_commands import resume
from askwidgets.session import Session
from askwidgets.session_commands import commands, export
from askwidgets.usage_commands import usage

__all__ = ["COMMANDS", "run"]

_MAIN = "main"


def run(notebook: Notebook, line: str) -> None:
    """Run what was typed behind ``%claude``; nothing shows the status.

    Raises:
        UsageError: there is no such word.
    """
    word, _, rest = line.strip().partition(" ")
    command = COMMANDS.get(word or "status")

    if command is None:
        raise UsageError(_no_word(word))

    text = command(notebook, rest.strip())

    if text:
        print(text)  # noqa: T201 - what a line magic says


def _no_word(word: str) -> str:
    likely = get_close_matches(word, COMMANDS, 1)
    offer = f"Did you mean `%claude {likely[0]}`?" if likely else f"Try one of: {', '.join(sorted(COMMANDS))}."

    return f"%claude {word}: no such word. {offer} A prompt stands in a cell of its own, below a line with %%claude."


def _help(_notebook: Notebook, rest: str) -> str:
    """List the words, or tell of a word or topic: %claude help [WORD|TOPIC]."""
    if rest in COMMANDS and rest not in TOPICS:
        return inspect.getdoc(COMMANDS[rest]) or ""

    if rest:
        return help_page(rest)

    return "\n".join(
        [
            "%%claude [options], then the prompt on the lines below; %%claude? lists the options.",
            *(f"%claude {word:<10} {_first_line(function)}" for word, function in sorted(COMMANDS.items())),
            f"Topics, each for %claude help TOPIC: {', '.join(TOPICS)}.",
            "%config ClaudeMagics lists the settings.",
        ]
    )


def _first_line(function: Callable[[Notebook, str], str]) -> str:
    return (function.__doc__ or "").partition("\n")[0]


def _status(notebook: Notebook, _rest: str) -> str:
    """Show what answers, the sessions, and what waits for you."""
    lines = [notebook.source.description] if notebook.source else []
    lines += [f"{name}: {_state(notebook, session)}" for name, session in notebook.sessions.items()] or [
        "No session yet: write %%claude and a prompt in a cell."
    ]

    return "\n".join(lines)


def _sessions(notebook: Notebook, _rest: str) -> str:
    """List the sessions with their state, turns, cost and conversation."""
    rows = [("session", "state", "turns", "cost", "conversation")]
    rows += [
        (name, _state(notebook, session), str(len(session.turns)), _cost(session), session.session_id or "-")
        for name, session in notebook.sessions.items()
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def _state(notebook: Notebook, session: Session) -> str:
    turn = notebook.turns.get(session.name)

    if turn is None:
        return "ready"

    waiting = len(turn.host.pending)

    if not waiting:
        return "running"

    return "waits for your answer" if waiting == 1 else f"waits for {waiting} answers"


def _cost(session: Session) -> str:
    return f"${session.cost_usd:.4f}" if session.cost_usd else "-"


def _new(notebook: Notebook, rest: str) -> str:
    """Start a session's conversation afresh: %claude new [NAME]."""
    name = notebook.session(rest).name if rest else _MAIN
    notebook.forget(name)

    return f"Session {name} starts afresh with the next prompt."


def _close(notebook: Notebook, rest: str) -> str:
    """End a session and its CLI process, about 200 MB: %claude close [NAME]."""
    name = notebook.session(rest or _MAIN).name
    notebook.forget(name)

    return f"Session {name} is closed."


def _interrupt(notebook: Notebook, rest: str) -> str:
    """Interrupt a session's turn: %claude interrupt [NAME]."""
    name = notebook.session(rest).name if rest else _MAIN
    turn = notebook.turns.get(name)

    if turn is None:
        return f"Session {name} runs no turn."

    turn.stop()

    return f"Session {name} is being interrupted."


def _wait(notebook: Notebook, rest: str) -> str:
    """Wait for a session's turn in the background: %claude wait [NAME]."""
    name = rest or _MAIN
    run_nested(notebook.wait(name))

    return f"The turn of session {name} has ended."


def _demo(notebook: Notebook, rest: str) -> str:
    """Let a scripted model answer, without an account: %claude demo [SCRIPT.yaml]."""
    notebook.start_demo(Path(rest) if rest else None)

    return "The scripted model answers from now on, on this machine only; no account is used."


COMMANDS: Mapping[str, Callable[[Notebook, str], str]] = {
    "answer": answer,
    "answers": answers,
    "close": _close,
    "commands": commands,
    "demo": _demo,
    "export": export,
    "help": _help,
    "interrupt": _interrupt,
    "mode": mode,
    "model": model,
    "new": _new,
    "pending": pending,
    "record": record,
    "reopen": reopen,
    "replay": replay,
    "resume": resume,
    "sessions": _sessions,
    "status": _status,
    "usage": usage,
    "wait": _wait,
}
"""By the word that a person types."""
