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

from askwidgets.errors import CliError, SessionError, TurnError

__all__ = ["session_error"]


def session_error(error: Exception, stderr: str = "") -> SessionError:
    """Say in our words what the SDK raised.

    Args:
        error: what connecting, reading or writing raised.
        stderr: the last lines that the CLI wrote there.
    """
    if isinstance(error, SessionError):
        return error

    if isinstance(error, ResultError):
        return TurnError(error.result or "; ".join(error.errors) or str(error))

    if isinstance(error, CLINotFoundError):
        return CliError(str(error))

    if isinstance(error, ProcessError):
        return CliError.failed(f"it ended with exit code {error.exit_code}", stderr)

    if isinstance(error, CLIJSONDecodeError):
        return CliError.failed("its output is not JSON, or one message was too large", stderr)

    if isinstance(error, CLIConnectionError):
        return CliError.failed(str(error), stderr)

    if isinstance(error, ClaudeSDKError):
        return CliError.failed(str(error), stderr)

    return CliError.failed(f"{type(error).__name__}: {error}", stderr)
