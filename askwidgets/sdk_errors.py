"""The one place where the SDK's errors become ours."""

from __future__ import annotations

from claude_agent_sdk import (
    ClaudeSDKError,
    CLIConnectionError,
    CLIJSONDecodeError,
    CLINotFoundError,
    ProcessError,
    ResultError,
)

from askwidgets.errors import AskWidgetsError, CliError, SessionError, TurnError

__all__ = ["session_error"]

_SLOW = (
    "it did not get ready. To let it take over 60 seconds, set CLAUDE_CODE_STREAM_CLOSE_TIMEOUT, in milliseconds, "
    "beside connect_timeout"
)


def session_error(error: Exception, stderr: str = "") -> SessionError:
    """Say in our words what the SDK raised.

    Args:
        error: what connecting, reading or writing raised.
        stderr: the last lines that the CLI wrote there.
    """
    if isinstance(error, SessionError):
        return error

    if isinstance(error, AskWidgetsError):
        return SessionError(str(error))

    if isinstance(error, ResultError):
        return TurnError(error.result or "; ".join(error.errors) or str(error))

    if isinstance(error, CLINotFoundError):
        return CliError(str(error))

    is_slow = str(error) == "Control request timeout: initialize"

    return CliError.failed(_SLOW if is_slow else _problem(error), stderr)


def _problem(error: Exception) -> str:
    if isinstance(error, ProcessError):
        return f"it ended with exit code {error.exit_code}"

    if isinstance(error, CLIJSONDecodeError):
        return "its output is not JSON, or one message was too large"

    if isinstance(error, UnicodeDecodeError):
        return "its output is not UTF-8"

    if isinstance(error.__cause__, NotImplementedError):
        return "the event loops of this program's asyncio policy cannot start processes"

    if isinstance(error, (CLIConnectionError, ClaudeSDKError)):
        return str(error)

    return f"{type(error).__name__}: {error}"
