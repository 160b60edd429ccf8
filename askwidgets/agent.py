"""The agent's side of a session: its CLI from one start to the next, and the turn that it speaks to.

Everything async here runs in the session's thread.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from claude_agent_sdk import ClaudeSDKClient, Message, PermissionMode, ResultMessage, StreamEvent, SystemMessage

from askwidgets.connection import Connection
from askwidgets.disk import full_disk_text
from askwidgets.elicitations import elicitation_hooks
from askwidgets.errors import CliError, OptionError, SessionError, TurnError
from askwidgets.late_answer import LateAnswer
from askwidgets.limits import Limits
from askwidgets.permissions import BYPASS
from askwidgets.running_turn import RunningTurn
from askwidgets.sdk_errors import session_error
from askwidgets.session_options import SessionOptions, can_bypass, config_directory, working_directory
from askwidgets.tool_gate import ToolGate
from askwidgets.turn import Notice

__all__ = ["Agent"]

_INTERRUPT_TIMEOUT = 5.0
"""Seconds that an interrupted turn may take to end before its CLI is ended instead."""

_INTERRUPT_AGAIN = 1.0
"""Seconds after which it is told again: an interrupt that comes before the turn has begun does nothing."""

_NO_CONVERSATION = ("No conversation found", "--resume requires")
"""What the CLI says of one that it cannot resume, and of a word that can be none."""

_RESUMED = Notice("The Claude Code CLI had ended; it was started again, and the conversation goes on.")
_AFRESH = Notice("The Claude Code CLI had ended before it kept the conversation; it starts afresh.")


class Agent:
    """One conversation's agent; starts its CLI when it is needed, and again when it has died.

    Args:
        options: of the session.
    """

    def __init__(self, options: SessionOptions) -> None:
        self.options: SessionOptions = options
        self.session_id: str = options.get("resume") or ""
        """The conversation's id, to resume it with; empty before the first turn."""
        self.mode_waits: bool = False
        """Whether the mode is set for the next prompt, and the CLI works in another one until then."""
        self.server_info: Mapping[str, object] = {}
        """What the CLI told of itself when it started: its slash commands, its models."""
        self.gate: ToolGate = ToolGate(
            cwd=str(working_directory(options)),
            config_directory=str(config_directory(options)),
            limits=options.get("limits", Limits()),
        )
        self._connection: Connection | None = None
        self._speaking: RunningTurn | None = None
        self._lock = asyncio.Lock()
        self._was_connected = False
        self._has_died = False
        self._reported_cost = 0.0
        self._can_bypass = False
        self._was_full = False

    async def connect(self) -> None:
        """Start the CLI, if it is not running."""
        await self._client(None)

    async def send(self, running: RunningTurn, late: LateAnswer | None = None) -> None:
        """Send a turn's prompt, or the late answer that is its prompt.

        Raises:
            SessionError: the CLI cannot be started, or does not take it.
        """
        try:
            client = await self._client(running, late)
        # Interrupted while it starts: a CLI that is half connected is of no use to the next prompt.
        except asyncio.CancelledError:
            await self.disconnect()
            raise

        # From now on messages are this turn's; what came before belongs to none.
        self._speaking = running
        # A prompt of which half is written could be neither answered nor interrupted.
        await asyncio.shield(self._write(client, running, late))

    async def stop(self, running: RunningTurn) -> None:
        """Interrupt a turn; the CLI is ended where it does not listen."""
        if self._speaking is not running or self._connection is None:
            return

        try:
            client = await self._connection.client()
            await asyncio.wait_for(_interrupt(client, running), _INTERRUPT_TIMEOUT)
        except Exception:  # noqa: BLE001 - the SDK raises any; where it cannot be told to stop, it is ended
            await self.disconnect()

    async def set_mode(self, mode: str) -> None:
        """Switch the permission mode, also of a CLI that runs.

        A CLI that was not started for ``bypassPermissions`` works in it from the next prompt on, as a new process.

        Raises:
            OptionError: the CLI refuses it.
        """
        connection = self._connection
        is_alive = connection is not None and not connection.is_over
        # Measured: a running CLI refuses bypassPermissions unless it was launched with the flag that permits it.
        self.mode_waits = is_alive and mode == BYPASS and not self._can_bypass

        if connection is not None and is_alive and not self.mode_waits:
            client = await connection.client()

            try:
                await client.set_permission_mode(cast("PermissionMode", mode))
            except Exception as error:
                raise OptionError("mode", mode, f"one that the CLI takes ({error})") from error

        self.options = {**self.options, "mode": mode}

    async def set_model(self, model: str) -> None:
        """Switch the model, also of a CLI that runs.

        Raises:
            OptionError: the CLI refuses it.
        """
        if self._connection is not None and not self._connection.is_over:
            client = await self._connection.client()

            try:
                await client.set_model(model)
            except Exception as error:
                raise OptionError("model", model, f"one that the CLI takes ({error})") from error

        self.options = {**self.options, "model": model}

    async def adopt(self, options: SessionOptions) -> None:
        """Take options that only a new CLI process takes; the conversation goes on in one."""
        self.options = options
        await self.disconnect()
        self._has_died = False

    async def rewind(self, prompt_uuid: str) -> None:
        """Put files back to where they were before a prompt.

        Raises:
            SessionError: the CLI kept no copies then.
        """
        client = await self._client(None)

        try:
            await client.rewind_files(prompt_uuid)
        except Exception as error:
            raise session_error(error) from error

    async def context_used(self) -> float | None:
        """Ask a CLI that runs how much of the context window is used, 0 to 1."""
        if self._connection is None or self._connection.is_over:
            return None

        client = await self._connection.client()
        usage = await client.get_context_usage()

        return usage["percentage"] / 100

    async def disconnect(self) -> None:
        """End the CLI process; the next prompt starts another one, perhaps on another loop."""
        connection = self._connection

        if connection is not None:
            await connection.close()

            if self._connection is connection:
                self._connection = None

    async def _client(self, running: RunningTurn | None, late: LateAnswer | None = None) -> ClaudeSDKClient:
        async with self._lock:
            if self._connection is not None and (late is not None or self.mode_waits or self._connection.is_over):
                await self._connection.close()
                self._connection = None

            # Ended on purpose, so that nobody is told of a CLI that died.
            if self.mode_waits:
                self.mode_waits = self._has_died = False

            if self._connection is not None:
                return await self._connection.client()

            if late is not None:
                self._has_died = False

                return await self._started(late.options(self.options, self.session_id))

            return await self._restarted(running)

    async def _restarted(self, running: RunningTurn | None) -> ClaudeSDKClient:
        """Start the CLI, with the conversation that there was; if there was one, say what became of it."""
        goes_on = self.session_id and self.session_id != self.options.get("resume")
        options: SessionOptions = {**self.options, "resume": self.session_id, "resume_at": None, "fork": False}
        notice = _RESUMED if self.session_id else _AFRESH

        try:
            client = await self._started(options if goes_on else self.options)
        except TurnError as error:
            if not any(words in str(error) for words in _NO_CONVERSATION):
                raise

            if not goes_on:
                raise self._afresh() from error

            # It died before it wrote anything of the conversation.
            client = await self._started(self.options)
            notice = _AFRESH

        if self._has_died and running is not None:
            self._has_died = False
            running.deliver(notice)

        return client

    def _afresh(self) -> OptionError:
        """Leave the conversation that there is not: otherwise no prompt would ever reach the agent."""
        resume = self.options.get("resume")
        self.options = {**self.options, "resume": None, "resume_at": None, "fork": False}
        self.session_id = ""
        wanted = "a conversation of this directory, which `%claude resume` lists; the next prompt starts a new one"

        return OptionError("resume", resume, wanted)

    async def _started(self, options: SessionOptions) -> ClaudeSDKClient:
        # A new process counts its costs from nothing.
        self._reported_cost = 0.0
        connection = self._connection = Connection(
            options,
            can_use_tool=self.gate,
            hooks=elicitation_hooks(self._tell),
            on_message=self._receive,
            on_end=self._end,
        )
        self._can_bypass = can_bypass(options)

        try:
            client = await connection.client()
        except SessionError:
            await connection.close()
            self._connection = None
            raise

        self._was_connected = True
        self.server_info = await client.get_server_info() or {}

        return client

    async def _write(self, client: ClaudeSDKClient, running: RunningTurn, late: LateAnswer | None) -> None:
        try:
            await client.query(running.record.sent() if late is None else late.messages())
        except Exception as error:  # noqa: BLE001 - mapped, and given to whoever awaits the turn
            self._speaking = None
            running.end(session_error(error))
            # What reads no more takes no other prompt either.
            await self.disconnect()

    def _tell(self, notice: Notice) -> None:
        if self._speaking is not None:
            self._speaking.deliver(notice)

    def _tell_full_disk(self) -> None:
        """Say at the end of a turn that the conversation is not kept; once, until there is room again."""
        text = full_disk_text(self.options)

        if text and not self._was_full:
            self._tell(Notice(text))

        self._was_full = bool(text)

    def _receive(self, message: Message) -> None:
        running = self._speaking

        # Looked at first, because these come by the thousand.
        if isinstance(message, StreamEvent):
            if running is not None:
                running.deliver_part(message)

            return

        if isinstance(message, ResultMessage):
            message = self._with_own_cost(message)
            self._tell_full_disk()
        elif isinstance(message, SystemMessage):
            self._follow(message)

        # What a subagent in the background says between two turns has no cell to stand in.
        if running is None:
            return

        running.deliver(message)

        if isinstance(message, ResultMessage):
            self._speaking = None
            running.end()

    def _with_own_cost(self, message: ResultMessage) -> ResultMessage:
        """Take off what earlier turns cost: the CLI reports the sum since its start."""
        total = message.total_cost_usd

        if total is None or self.options.get("scripted"):
            return replace(message, total_cost_usd=None)

        earlier, self._reported_cost = self._reported_cost, total

        return replace(message, total_cost_usd=max(0.0, total - earlier))

    def _follow(self, message: SystemMessage) -> None:
        """Take in which conversation and which mode it is; a plan or a permission may have switched the mode."""
        if message.subtype == "init":
            self.session_id = str(message.data.get("session_id") or self.session_id)

        mode = message.data.get("permissionMode")

        if isinstance(mode, str) and mode and not self.mode_waits:
            self.options = {**self.options, "mode": mode}

    def _end(self, reason: SessionError | None) -> None:
        running, self._speaking = self._speaking, None
        self._has_died = self._has_died or self._was_connected
        self._was_connected = False

        if running is not None:
            running.end(CliError.closed() if reason is None else reason)


async def _interrupt(client: ClaudeSDKClient, running: RunningTurn) -> None:
    while not running.over.is_set():
        await client.interrupt()

        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(running.over.wait(), _INTERRUPT_AGAIN)
