"""The words of ``%claude`` for notebooks that run without a person: answers, recordings and their replay."""

from __future__ import annotations

import shlex
from pathlib import Path

from IPython.core.error import UsageError

from askwidgets.notebook import Notebook

__all__ = ["answers", "record", "replay"]

_OFF = "off"


def answers(notebook: Notebook, rest: str) -> str:
    """Answer the turns to come beforehand, or show what does: %claude answers [NAME_OR_FILE | off]."""
    given = notebook.answers

    if rest == _OFF:
        return "\n".join([*given.drop(), "You are asked again."])

    if rest:
        warnings = given.choose(rest)

        return "\n".join([*warnings, f"Answers come from {rest} now; what has no entry there is asked."])

    chosen = given.chosen

    if chosen is None:
        return "No answers are set: you are asked."

    unused = ", ".join(map(repr, chosen.unused))
    use = f"no question matched {unused} so far" if unused else "all were used"

    return f"Answers come from {chosen.source}; {use}."


def record(notebook: Notebook, rest: str) -> str:
    """Write down what the model answers, to replay it: %claude record FILE [--missing] | off."""
    words = _words("record", rest)
    is_missing = "--missing" in words
    words = [word for word in words if word != "--missing"]

    if len(words) != 1:
        message = "%claude record: wanted FILE, FILE --missing, or off."
        raise UsageError(message)

    replayed = notebook.environment.replay

    if replayed:
        # As when recording begins and ends, the conversations start afresh.
        notebook.start_replay(Path(replayed))
    elif words == [_OFF]:
        notebook.stop_recording()

    if words == [_OFF]:
        return "Recording has ended."

    if replayed:
        return f"Replaying {replayed}, since ASKWIDGETS_REPLAY says so; nothing is recorded."

    notebook.start_recording(Path(words[0]).expanduser(), missing=is_missing)

    return f"Recording to {words[0]}, in conversations that start afresh."


def replay(notebook: Notebook, rest: str) -> str:
    """Let a recording answer instead of the model's service: %claude replay FILE | off."""
    words = _words("replay", rest)

    if len(words) != 1:
        message = "%claude replay: wanted FILE, or off."
        raise UsageError(message)

    if words == [_OFF]:
        notebook.use(None)

        return "The model's service answers again."

    notebook.start_replay(Path(words[0]).expanduser())

    return f"Replaying {words[0]}, in conversations that start afresh; no account is used."


def _words(command: str, rest: str) -> list[str]:
    try:
        return shlex.split(rest)
    except ValueError as error:
        message = f"%claude {command}: {error}."
        raise UsageError(message) from error
