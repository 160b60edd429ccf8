"""A conversation with the agent that lasts across prompts; one CLI process, kept warm in a thread of its own.

The session runs without IPython and without widgets: it is handed callables that ask and permit.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import TypeVar, cast

from claude_agent_sdk import ClaudeSDKClient, ClaudeSDKError, Message, PermissionMode, ResultMessage
from typing_extensions import Self, Unpack

from askwidgets.connection import Connection
from askwidgets.errors import BusyError, CliError, OptionError, SessionError, UnansweredError
from askwidgets.loop_thread import LoopThread
from askwidgets.permissions import Decision, PermissionRequest, Permit
from askwidgets.questions import Ask, Outcome, QuestionRequest
from askwidgets.running_turn import Callbacks, RunningTurn
from askwidgets.sdk_errors import session_error
from askwidgets.session_options import SessionOptions, checked_mode, working_directory
from askwidgets.tool_gate import ToolGate
from askwidgets.turn import Turn
from askwidgets.turn_record import TurnRecord

__all__ = ["Session"]

T = TypeVar("T")

_logger = logging.getLogger("askwidgets")

_INTERRUPT_TIMEOUT = 5.0
"""Seconds that an interrupted turn may take to end before its CLI is ended instead."""


async def _nobody(request: QuestionRequest) -> Outcome:
    question = request.questions[0]
    raise UnansweredError(question.text, [option.label for option in question.options], f"{question.text!r}: first")


async def _deny(request: PermissionRequest) -> Decision:
    return Decision(allow=False, message=f"{request.tool_name} needs a permission, and nobody is here to give it.")


class Session:
    """One conversation; needs neither IPython nor widgets.

    ::

        async with askwidgets.Session(model="sonnet", ask=askwidgets.Answers({"*": "first"})) as session:
            turn = await session.prompt("Which test should run first?")

    Args:
        name: what it is called in the notebook.
        ask: settles the agent's questions; without it a question fails the turn.
        permit: decides about tool uses; without it they are denied.
        options: see ``SessionOptions``.
    """

    def __init__(
        self, *, name: str = "main", ask: Ask = _nobody, permit: Permit = _deny, **options: Unpack[SessionOptions]
    ) -> None:
        checked_mode(options.get("mode", "default"))
        self.name = name
        self.options = options
        self.last: Turn | None = None
        """The latest turn, also one that failed."""
        self.session_id = options.get("resume") or ""
        """The conversation's id, to resume it with; empty before the first turn."""
        self.turns = 0
        """How many turns have ended, however."""
        self.cost_usd = 0.0
        """US dollars of all turns, as the session reports them."""
        self._callbacks = Callbacks(ask=ask, permit=permit)
        self._gate = ToolGate(cwd=str(working_directory(options)))
        self._running: RunningTurn | None = None
        self._speaking: RunningTurn | None = None
        self._thread: LoopThread | None = None
        self._connection: Connection | None = None
        self._interrupting: Future[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def is_running(self) -> bool:
        """Whether a turn runs."""
        return self._running is not None

    @property
    def mode(self) -> str:
        """The permission mode."""
        return self.options.get("mode", "default")

    @property
    def waiting(self) -> int:
        """How many questions and permissions wait for the person."""
        return self._running.waiting if self._running else 0

    async def prompt(
        self,
        prompt: str,
        *,
        ask: Ask | None = None,
        permit: Permit | None = None,
        on_message: Callable[[object], None] | None = None,
    ) -> Turn:
        """Run one turn; cancelling it interrupts the agent and leaves the session usable.

        Args:
            prompt: what the person types; a leading ``/`` makes it a slash command of the CLI.
            ask: settles the questions of this turn, on the loop that awaits it.
            permit: decides about its tool uses, on the same loop.
            on_message: sees each of the SDK's messages, on the same loop.

        Raises:
            OptionError: the prompt is empty.
            BusyError: a turn of this session still runs.
            SessionError: the CLI, the sign-in or the turn failed; ``last`` holds what arrived.
        """
        if not prompt.strip():
            raise OptionError("the prompt", prompt, "some text")

        if self._running is not None:
            raise BusyError(self.name, self._running.waiting)

        callbacks = Callbacks(
            ask=ask or self._callbacks.ask,
            permit=permit or self._callbacks.permit,
            on_message=on_message or self._callbacks.on_message,
        )
        running = self._running = RunningTurn(TurnRecord(prompt), callbacks)

        try:
            await self._run(running)
        except asyncio.CancelledError:
            running.record.interrupted = True
            await self._interrupt(running)
            raise
        finally:
            self._running = self._gate.host = None
            self.last = running.record.turn()
            self.session_id = self.last.session_id or self.session_id
            self.turns += 1
            self.cost_usd += self.last.cost_usd or 0.0

        problem = running.record.problem()

        if problem is not None:
            raise problem

        return self.last

    async def _run(self, running: RunningTurn) -> None:
        if self._interrupting is not None:
            await asyncio.wrap_future(self._interrupting)

        self._gate.host = running
        await self._in_thread(self._send(running))
        await running.wait()

    async def _interrupt(self, running: RunningTurn) -> None:
        """Tell the agent to stop; goes on in the session's thread if this too is cancelled."""
        if self._thread is not None:
            self._interrupting = self._thread.start(self._stop_turn(running))
            await asyncio.shield(asyncio.wrap_future(self._interrupting))

    async def connect(self) -> None:
        """Start the CLI now, so that the first turn need not wait for it."""
        await self._in_thread(self._connected())

    async def set_mode(self, mode: str) -> None:
        """Switch the permission mode, also while a turn runs.

        Raises:
            OptionError: there is no such mode.
        """
        self.options = {**self.options, "mode": checked_mode(mode)}

        if self._connection is not None:
            await self._in_thread(self._set_mode(mode))

    async def set_model(self, model: str) -> None:
        """Switch the model, also while a turn runs."""
        self.options = {**self.options, "model": model}

        if self._connection is not None:
            await self._in_thread(self._set_model(model))

    async def close(self) -> None:
        """End the CLI process and the thread; a turn that runs ends with an error."""
        await asyncio.to_thread(self.close_now)

    def close_now(self) -> None:
        """Do the same without an event loop, as the end of a kernel needs it."""
        thread, self._thread = self._thread, None

        if thread is not None:
            with contextlib.suppress(TimeoutError, SessionError):
                thread.start(self._disconnect()).result(timeout=10.0)

            thread.stop()

    async def _in_thread(self, coroutine: Coroutine[object, object, T]) -> T:
        if self._thread is None:
            self._thread = LoopThread(f"askwidgets session {self.name}")

        return await asyncio.wrap_future(self._thread.start(coroutine))

    # From here on, everything runs in the session's thread.

    async def _connected(self) -> ClaudeSDKClient:
        if self._connection is not None:
            return await self._connection.client()

        if not self.session_id or self.session_id == self.options.get("resume"):
            return await self._connect(self.options)

        try:
            return await self._connect({**self.options, "resume": self.session_id, "fork": False})
        except SessionError as error:
            # The CLI may have died before it wrote anything of the conversation.
            _logger.info("The conversation cannot be resumed (%s); it starts afresh.", error)

            return await self._connect(self.options)

    async def _connect(self, options: SessionOptions) -> ClaudeSDKClient:
        self._connection = Connection(
            options, can_use_tool=self._gate, on_message=self._receive, on_end=self._connection_ended
        )

        return await self._connection.client()

    async def _send(self, running: RunningTurn) -> None:
        try:
            client = await self._connected()
            self._speaking = running
            await client.query(running.record.prompt)
        except asyncio.CancelledError:
            if self._speaking is not running:
                await self._disconnect()

            raise
        except ClaudeSDKError as error:
            raise session_error(error) from error

    def _receive(self, message: Message) -> None:
        running = self._speaking

        if running is None:
            return

        running.deliver(message)

        if isinstance(message, ResultMessage):
            self._speaking = None
            running.end()

    def _connection_ended(self, reason: SessionError | None) -> None:
        running, self._speaking, self._connection = self._speaking, None, None

        if running is not None:
            running.end(CliError.closed() if reason is None else reason)

    async def _set_mode(self, mode: str) -> None:
        client = await self._connected()
        await client.set_permission_mode(cast("PermissionMode", mode))

    async def _set_model(self, model: str) -> None:
        client = await self._connected()
        await client.set_model(model)

    async def _stop_turn(self, running: RunningTurn) -> None:
        if self._speaking is not running or self._connection is None:
            return

        try:
            client = await self._connection.client()
            await asyncio.wait_for(client.interrupt(), _INTERRUPT_TIMEOUT)
            await asyncio.wait_for(running.over.wait(), _INTERRUPT_TIMEOUT)
        except (asyncio.TimeoutError, ClaudeSDKError):
            await self._disconnect()

    async def _disconnect(self) -> None:
        if self._connection is not None:
            await self._connection.close()
