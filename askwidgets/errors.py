"""The errors of askwidgets, each with the whole message built in its class.

::

    AskWidgetsError                    the one to catch
     ├─ QuestionError                  the agent's question cannot be shown
     ├─ AnswerError                    answers given beforehand do not fit
     │   └─ UnansweredError            nobody is there and no entry answers the question
     ├─ ScriptError                    a script of the model server does not parse
     ├─ RecordingError                 a recording cannot be read or written, or has no answer
     ├─ OptionError                    a value that a person gave is not allowed
     ├─ KernelError                    the kernel or its frontend cannot do what is needed
     └─ SessionError                   the agent's session
         ├─ CliError                   the Claude Code CLI cannot be started, or it died
         ├─ SignInError                no sign-in and no key
         ├─ BusyError                  the session is already running a turn
         ├─ SchemaError                the reply does not fit the schema that was asked for
         ├─ UnfinishedError            a turn's result is used while it runs in the background
         └─ TurnError                  the turn ended with an error

A message says what was found, what was wanted and what to do. A deny, a decline or an
interrupt is an outcome, not one of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from askwidgets.hidden import plain

__all__ = [
    "AnswerError",
    "AskWidgetsError",
    "BusyError",
    "CliError",
    "KernelError",
    "OptionError",
    "QuestionError",
    "RecordingError",
    "SchemaError",
    "ScriptError",
    "SessionError",
    "SignInError",
    "TurnError",
    "UnansweredError",
    "UnfinishedError",
]


_SCRIPT_ADDRESS = re.compile(r"\b(\w*script)(?=://)", re.IGNORECASE)
"""What JupyterLab makes a link of, as of any address in a traceback."""


class AskWidgetsError(Exception):
    """Everything that askwidgets raises on purpose."""

    def __str__(self) -> str:
        """Tell it without what commands a terminal or no message can carry: it may quote the model, or a server."""
        return plain(super().__str__())

    def _render_traceback_(self) -> list[str]:
        """Show one or two lines in a cell instead of a traceback."""
        return [_SCRIPT_ADDRESS.sub(r"\1 ", f"{type(self).__name__}: {self}")]


class QuestionError(AskWidgetsError):
    """The input of AskUserQuestion has no certain meaning; names the field."""

    def __init__(self, field: str, found: str, wanted: str) -> None:
        super().__init__(f"AskUserQuestion: {field} is {found}; wanted {wanted}. Call the tool again, corrected.")
        self.field = field


class AnswerError(AskWidgetsError):
    """Answers given beforehand do not fit what was asked."""


class UnansweredError(AnswerError):
    """A question has no entry and nobody is at a frontend to answer it."""

    def __init__(self, question: str, options: Sequence[str], line: str) -> None:
        choices = ", ".join(options) if options else "one's own words"
        super().__init__(
            f"nobody is here to answer {question!r} (options: {choices}).\n"
            f"Add a line to the answers, for example: {line}"
        )
        self.question = question


class ScriptError(AskWidgetsError):
    """A script of the model server does not parse or does not fit."""

    def __init__(self, source: str, line: int | None, problem: str) -> None:
        place = source if line is None else f"{source}, line {line}"
        super().__init__(f"{place}: {problem}")
        self.source = source
        self.line = line


class RecordingError(AskWidgetsError):
    """A recording cannot be read or written, or holds no answer to what came."""

    @classmethod
    def unusable(cls, source: str, problem: str, line: int | None = None) -> RecordingError:
        """Say what is wrong with a recording's file."""
        place = source if line is None else f"{source}, line {line}"
        return cls(f"{place}: {problem}")

    @classmethod
    def unwritten(cls, source: str, problem: str) -> RecordingError:
        """Say why a recording cannot be written, and that nothing of it is lost yet."""
        return cls(
            f"{source}: cannot be written ({problem}). What was recorded is kept in this kernel:\n"
            "mend that, and the next turn or `%claude record off` writes it; `%unload_ext askwidgets` drops it."
        )

    @classmethod
    def unreachable(cls, variable: str) -> RecordingError:
        """Say that the model's service is none that a recording can stand before."""
        return cls(
            f"{variable} is set, and only the Messages API itself can be recorded.\n"
            f"Unset it, or set ANTHROPIC_BASE_URL to a gateway that speaks the Messages API."
        )


class OptionError(AskWidgetsError):
    """A value that a person gave to a setting is not one of those it takes."""

    def __init__(self, name: str, found: object, wanted: str) -> None:
        super().__init__(f"{name} is {found!r}; wanted {wanted}.")
        self.name = name


class KernelError(AskWidgetsError):
    """The kernel or its frontend cannot do what the turn needs."""

    @classmethod
    def not_loaded(cls) -> KernelError:
        """Say that there are no magics to ask."""
        return cls("askwidgets is not loaded in this shell. Run `%load_ext askwidgets` first.")

    @classmethod
    def no_pandas(cls) -> KernelError:
        """Say that there is no frame without pandas."""
        return cls("a frame needs pandas, which is not installed here. Install it: pip install pandas")

    @classmethod
    def not_nested(cls, problem: str) -> KernelError:
        """Say why a turn cannot run inside code that does not await."""
        return cls(f"{problem}.\nRun %%claude as a cell of its own, so that it is awaited.")


class SessionError(AskWidgetsError):
    """The agent's session cannot go on."""


class CliError(SessionError):
    """The Claude Code CLI cannot be started, or it ended by itself."""

    @classmethod
    def unusable(cls, path: Path | str, problem: str) -> CliError:
        """Say why ``path`` is no CLI and what to set instead."""
        return cls(
            f"the Claude Code CLI at {str(path)!r} {problem}.\n"
            "Set cli_path to the claude program, or leave it unset to use the one inside claude-agent-sdk."
        )

    @classmethod
    def closed(cls) -> CliError:
        """Say that the session was closed while something of it ran."""
        return cls("the session was closed while it was starting or running a turn.")

    @classmethod
    def silent(cls, timeout: float, stderr: str = "") -> CliError:
        """Say that the CLI did not get ready in ``timeout`` seconds, and what may keep it."""
        return cls(
            f"the Claude Code CLI did not get ready within {timeout:g} seconds of its start.{_last_words(stderr)}\n"
            "Check the sign-in and the CLI's version with `python -m askwidgets doctor`, and the MCP servers of your "
            "settings:\none that hangs keeps the CLI waiting; `%config ClaudeMagics.setting_sources = []` leaves them "
            "out. Then run the cell again."
        )

    @classmethod
    def failed(cls, problem: str, stderr: str = "") -> CliError:
        """Say how the CLI failed, with the last of what it wrote to stderr."""
        return cls(
            f"the Claude Code CLI failed: {problem}.{_last_words(stderr)}\n"
            "Run the cell again to start it anew; `python -m askwidgets doctor` checks the installation."
        )


def _last_words(stderr: str) -> str:
    return f" It last wrote: {stderr}" if stderr else ""


class SignInError(SessionError):
    """There is neither a sign-in nor a key for the model's service, or it refuses what there is."""

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message
            or "Claude is not signed in here. Sign in with `python -m askwidgets login` in a terminal,\n"
            "set ANTHROPIC_API_KEY and restart the kernel; in a notebook, `%claude demo` tries it without an account."
        )

    @classmethod
    def refused(cls, reason: str) -> SignInError:
        """Say that the service does not take the sign-in or the key that there is."""
        return cls(
            f"the model's service refuses the key or the sign-in: {reason}\n"
            "Correct ANTHROPIC_API_KEY or unset it and restart the kernel, or sign in anew with "
            "`python -m askwidgets login`."
        )


class BusyError(SessionError):
    """The session is running a turn; one at a time."""

    def __init__(self, session: str, waiting: int = 0) -> None:
        what = "waits for your answer" if waiting else "is still running a turn"
        super().__init__(
            f"session {session!r} {what}.\n"
            "Answer or interrupt it first (`%claude interrupt`), or use another session with -s NAME."
        )


class UnfinishedError(SessionError):
    """The result of a turn is used while the turn still runs in the background."""

    def __init__(self, session: str) -> None:
        super().__init__(
            f"the turn of session {session!r} is not finished.\n"
            f"Wait for it with `%claude wait {session}`, or with `await askwidgets.wait({session!r})`."
        )

    @classmethod
    def interrupted(cls, session: str) -> UnfinishedError:
        """Say that the turn never gave one."""
        error = cls(session)
        error.args = (f"the turn of session {session!r} was interrupted, so it has no result. Run its cell again.",)

        return error


class SchemaError(SessionError):
    """The reply does not fit the schema that was asked for; ``text`` is what the agent said."""

    def __init__(self, schema: str, problem: str, text: str) -> None:
        said = f"The reply: {text}" if text.strip() else "The agent said nothing."
        super().__init__(f"the reply is no {schema}: {problem}.\n{said}")
        self.text = text


class TurnError(SessionError):
    """The turn ended with an error; what had arrived by then stays in the cell."""

    def __init__(self, problem: str, advice: str = "") -> None:
        super().__init__(f"{problem}\n{advice}" if advice else problem)
