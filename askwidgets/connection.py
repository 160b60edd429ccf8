"""One CLI process and the SDK's client of it, from start to end.

The client must be connected, read and disconnected by one task (the SDK's own caveat); that task is the
owner here. Everything in this module runs on the session's loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from claude_agent_sdk import CanUseTool, CanUseToolShadowedWarning, ClaudeSDKClient, HookMatcher, Message
from claude_agent_sdk.types import HookEvent

from askwidgets.cli import find_cli, write_launcher
from askwidgets.errors import CliError, SessionError
from askwidgets.redaction import Redaction
from askwidgets.sdk_errors import session_error
from askwidgets.session_options import SessionOptions, agent_options

__all__ = ["Connection"]

_logger = logging.getLogger("askwidgets")
# What the SDK logs it also raises; where nobody handles its log, Python would print it into a cell.
logging.getLogger("claude_agent_sdk").addHandler(logging.NullHandler())

_STDERR_LINES = 5

_CONNECT_TIMEOUT = 60.0
"""Seconds that the CLI may take to get ready."""

_PATIENCE = 4.0
"""Seconds that the CLI may take to end by itself, and write down the conversation, before it is killed."""


class Connection:
    """A connected CLI; ``on_message`` gets all that it says, ``on_end`` is called once when it is gone.

    Args:
        options: of the session.
        can_use_tool: called by the SDK when the agent waits for a person.
        hooks: called by the SDK at the CLI's events.
        on_message: called with each message, in order.
        on_end: called with the reason when nothing more comes from the CLI, with ``None`` after ``close``.
    """

    def __init__(
        self,
        options: SessionOptions,
        *,
        can_use_tool: CanUseTool,
        hooks: dict[HookEvent, list[HookMatcher]],
        on_message: Callable[[Message], None],
        on_end: Callable[[SessionError | None], None],
    ) -> None:
        self._options = options
        self._can_use_tool = can_use_tool
        self._hooks = hooks
        self._on_message = on_message
        self._on_end = on_end
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._redaction = Redaction(environment=options.get("env", {}))
        self._client: asyncio.Future[ClaudeSDKClient] = asyncio.get_running_loop().create_future()
        self._pid_file: Path | None = None
        self._served: ClaudeSDKClient | None = None
        self._has_told = False
        self._connect_timeout = options.get("connect_timeout", _CONNECT_TIMEOUT)
        self.is_over: bool = False
        """Whether nothing more comes from it; the process may still be ending."""
        self._owner = asyncio.create_task(self._own())

    async def client(self) -> ClaudeSDKClient:
        """Give the client once it is connected.

        Raises:
            SessionError: the CLI could not be started.
        """
        return await asyncio.shield(self._client)

    async def close(self) -> None:
        """End the CLI process, also while it is still starting; by force where it does not listen."""
        # A second cancellation would break off the SDK's own closing.
        if not self.is_over:
            self.is_over = True
            self._owner.cancel()

        await asyncio.wait([self._owner], timeout=_PATIENCE)

        if not self._owner.done():
            self._kill(self._process())
            await asyncio.wait([self._owner])

    async def _own(self) -> None:
        try:
            with tempfile.TemporaryDirectory(prefix="askwidgets-") as directory:
                self._pid_file = Path(directory, "pid")
                await self._serve(write_launcher(find_cli(self._options.get("cli_path")), Path(directory)))
        except Exception as error:  # noqa: BLE001 - mapped, and given to whoever waits
            self._ended(session_error(error, "\n".join(self._stderr)))
        finally:
            self._ended(None)

    async def _serve(self, cli: Path) -> None:
        client = self._served = ClaudeSDKClient(
            agent_options(
                self._options,
                cli=cli,
                can_use_tool=self._can_use_tool,
                hooks=self._hooks,
                stderr=self._keep_stderr,
            )
        )

        try:
            await self._connect(client)
            self._client.set_result(client)

            async for message in client.receive_messages():
                self._on_message(message)

            self._ended(CliError.failed("it ended", "\n".join(self._stderr)))
        except Exception as error:  # noqa: BLE001 - mapped, and given to whoever waits
            # Before the process has ended: a cell must not wait for that.
            self._ended(session_error(error, "\n".join(self._stderr)))
        finally:
            process = self._process()
            await client.disconnect()
            _close_pipes(process)

    async def _connect(self, client: ClaudeSDKClient) -> None:
        with warnings.catch_warnings():
            # Measured: in bypass mode questions and plans do reach the callback.
            warnings.simplefilter("ignore", CanUseToolShadowedWarning)
            # Cancelled from outside: asyncio.wait_for would connect in a task of its own before Python 3.12.
            timer = asyncio.get_running_loop().call_later(self._connect_timeout, self._give_up)

            try:
                await client.connect()
            finally:
                timer.cancel()

    def _give_up(self) -> None:
        """End a start that takes too long; the process ends on the way out."""
        self._ended(CliError.silent(self._connect_timeout, "\n".join(self._stderr)))
        self._owner.cancel()

    def _ended(self, reason: SessionError | None) -> None:
        """Tell once that nothing more comes."""
        if self._has_told:
            return

        self._has_told = self.is_over = True

        if not self._client.done():
            self._client.set_exception(CliError.closed() if reason is None else reason)
            self._client.exception()

        self._on_end(reason)

    def _process(self) -> object:
        return getattr(getattr(self._served, "_transport", None), "_process", None)

    def _kill(self, process: Any) -> None:  # noqa: ANN401 - the SDK's own, which it does not show
        """End the process, and what runs in its group, by force."""
        if sys.platform == "win32":
            # There is no launcher that could tell the process.
            if process is not None:
                process.kill()
        else:
            with contextlib.suppress(OSError, ValueError):
                if self._pid_file is not None:
                    os.killpg(int(self._pid_file.read_text()), signal.SIGKILL)

    def _keep_stderr(self, line: str) -> None:
        shown = self._redaction.without_secrets(line)
        self._stderr.append(shown)
        _logger.debug("CLI: %s", shown)


def _close_pipes(process: object) -> None:
    """Close what nobody reads any more: a pipe that is full keeps asyncio from noticing its end."""
    transport = getattr(getattr(process, "_process", None), "_transport", None)

    if isinstance(transport, asyncio.SubprocessTransport):
        transport.close()
