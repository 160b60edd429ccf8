"""A conversation with the agent that lasts across prompts; one CLI process, kept warm in a thread of its own.

The session runs without IPython and without widgets: it is handed callables that ask and permit.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import TypeVar

from typing_extensions import Self, Unpack

from askwidgets.agent import Agent
from askwidgets.errors import BusyError, CliError, OptionError
from askwidgets.late_answer import LateAnswer
from askwidgets.limits import Limits
from askwidgets.loop_thread import LoopThread
from askwidgets.permissions import Permit
from askwidgets.questions import Ask
from askwidgets.running_turn import Callbacks, RunningTurn
from askwidgets.session_options import SessionOptions, check_options, checked_mode
from askwidgets.terminal_person import TerminalPerson
from askwidgets.turn import Turn
from askwidgets.turn_record import TurnRecord

__all__ = ["Session"]

T = TypeVar("T")

_INTERRUPT_WAIT = 0.6
"""Seconds that a cancelled turn waits for the agent to end it, so that the last words are kept."""

_SWITCH_TIMEOUT = 10.0
"""Seconds that a switch of the mode or the model may take where it blocks."""

_CLOSE_TIMEOUT = 10.0
"""Seconds that closing may take; a CLI that does not listen is killed long before."""


class Session:
    """One conversation; needs neither IPython nor widgets.

    ::

        async with askwidgets.Session(model="sonnet", ask=askwidgets.Answers({"*": "first"})) as session:
            turn = await session.prompt("Which test should run first?")

    Args:
        name: what it is called in the notebook.
        ask: settles the agent's questions; without it the person at the terminal does, and without a terminal a
            question fails the turn.
        permit: decides about tool uses; without it the person at the terminal does, and without a terminal they
            are denied.
        options: of ``askwidgets.session_options.SessionOptions``, among them model, effort, mode, cwd, tools,
            allowed_tools, max_turns, max_budget_usd (US dollars), connect_timeout (seconds), env and resume.

    Raises:
        OptionError: the mode or the model is none that may be chosen, one text was given for a list, or ask or permit
            cannot be called.
        TypeError: there is no such option.
    """

    def __init__(
        self,
        *,
        name: str = "main",
        ask: Ask | None = None,
        permit: Permit | None = None,
        **options: Unpack[SessionOptions],
    ) -> None:
        check_options(options)
        checked_mode(options.get("mode", "default"), options)
        options.get("limits", Limits()).check_model(options.get("model"))
        self.name = name
        self.last: Turn | None = None
        """The latest turn, also one that failed."""
        self.failure: Exception | None = None
        """Why that one failed, if it did."""
        self.turns: list[Turn] = []
        """Those that have ended, however, in order."""
        self.cost_usd: float = 0.0
        """US dollars of all turns, as the session reports them."""
        person = TerminalPerson()
        self._callbacks = Callbacks(ask=ask or person.ask, permit=permit or person.permit)
        self._agent = Agent(options)
        self._running: RunningTurn | None = None
        self._thread: LoopThread | None = None
        self._interrupting: concurrent.futures.Future[None] | None = None

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
    def is_stopping(self) -> bool:
        """Whether a turn was interrupted and has not ended yet."""
        return self._running is not None and self._running.record.interrupted

    @property
    def options(self) -> SessionOptions:
        """What it was told, and what was switched since."""
        return self._agent.options

    @property
    def session_id(self) -> str:
        """The conversation's id, to resume it with; empty before the first turn."""
        return self._agent.session_id

    @property
    def mode(self) -> str:
        """The permission mode."""
        return self.options.get("mode", "default")

    @property
    def mode_waits(self) -> bool:
        """Whether the mode is set for the next prompt, and the turn that runs goes on in another one."""
        return self._agent.mode_waits

    @property
    def commands(self) -> dict[str, str]:
        """The CLI's slash commands with their descriptions, once it has been started."""
        return {
            str(entry.get("name")): str(entry.get("description") or "")
            for entry in _entries(self._agent.server_info, "commands")
        }

    @property
    def models(self) -> list[str]:
        """The models that the CLI offers, once it has been started."""
        return [str(entry.get("value")) for entry in _entries(self._agent.server_info, "models")]

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
        before: Sequence[Mapping[str, object]] = (),
    ) -> Turn:
        """Run one turn; cancelling it interrupts the agent and leaves the session usable.

        Args:
            prompt: what the person types; a leading ``/`` makes it a slash command of the CLI.
            ask: settles the questions of this turn, on the loop that awaits it.
            permit: decides about its tool uses, on the same loop.
            on_message: sees each of the SDK's messages, the parts of a text that follow each other within a moment as
                one, and what the session has to say, on the same loop.
            before: content blocks of the Messages API that stand before the prompt, such as images.

        Raises:
            OptionError: the prompt is empty.
            BusyError: a turn of this session still runs.
            SessionError: the CLI, the sign-in or the turn failed; ``last`` holds what arrived.
        """
        if not prompt.strip():
            raise OptionError("the prompt", prompt, "some text")

        return await self._turn(TurnRecord(prompt, before), self._given(ask, permit, on_message))

    async def answer_late(
        self,
        asked_message_uuid: str,
        answers: Mapping[str, str],
        *,
        fork: bool,
        ask: Ask | None = None,
        permit: Permit | None = None,
        on_message: Callable[[object], None] | None = None,
    ) -> Turn:
        """Answer a question of the past as its real tool result, and run the turn that follows.

        Args:
            asked_message_uuid: of the agent's message that asked, ``ToolUse.message_uuid``; of several uses in one
                message, the last one's.
            answers: what the model is to read, by the id of the tool use; all of that message.
            fork: branch there; otherwise the conversation is cut off there.
            ask: as for ``prompt``.
            permit: as for ``prompt``.
            on_message: as for ``prompt``.

        Raises:
            BusyError: a turn of this session still runs.
            SessionError: there is no such message, or the turn failed.
        """
        late = LateAnswer(message_uuid=asked_message_uuid, answers=answers, fork=fork)
        record = TurnRecord("\n".join(answers.values()))

        return await self._turn(record, self._given(ask, permit, on_message), late)

    def _given(self, ask: Ask | None, permit: Permit | None, on_message: Callable[[object], None] | None) -> Callbacks:
        return Callbacks(
            ask=ask or self._callbacks.ask,
            permit=permit or self._callbacks.permit,
            on_message=on_message or self._callbacks.on_message,
        )

    async def _turn(self, record: TurnRecord, callbacks: Callbacks, late: LateAnswer | None = None) -> Turn:
        if self._running is not None:
            raise BusyError(self.name, self._running.waiting)

        running = self._running = RunningTurn(record, callbacks)
        self.failure = None

        try:
            await self._run(running, late)
        except asyncio.CancelledError:
            record.interrupted = True
            # Waited for although this is cancelled: what the agent said last is to stand in the cell.
            await self._interrupt(running)
            raise
        except Exception as error:
            self.failure = error
            raise
        finally:
            # From here on the cell may be done: nothing may be drawn into it any more.
            running.leave()
            self._running = self._agent.gate.host = None
            self.last = record.turn()
            self.turns.append(self.last)
            self.cost_usd += self.last.cost_usd or 0.0

        problem = record.problem()

        if problem is not None:
            self.failure = problem
            raise problem

        return self.last

    async def _run(self, running: RunningTurn, late: LateAnswer | None) -> None:
        # The end of the interrupted turn, coming late, would be taken for the end of this one.
        if self._interrupting is not None:
            await asyncio.shield(asyncio.wrap_future(self._interrupting))

        # Before anything is sent: a tool use may wait for permission as soon as the CLI has read the prompt.
        self._agent.gate.host = running
        await self._in_thread(self._agent.send(running, late))
        await running.wait()

    async def _interrupt(self, running: RunningTurn) -> None:
        """Tell the agent to stop; what takes longer goes on in the session's thread."""
        if self._thread is not None:
            self._interrupting = self._thread.start(self._agent.stop(running))
            await asyncio.wait([asyncio.wrap_future(self._interrupting)], timeout=_INTERRUPT_WAIT)

    async def connect(self) -> None:
        """Start the CLI now, so that the first turn need not wait for it."""
        await self._in_thread(self._agent.connect())

    def connect_now(self) -> None:
        """Do the same from code that cannot await, in whatever thread."""
        self._wait_for(self._agent.connect())

    async def set_mode(self, mode: str) -> None:
        """Switch the permission mode, also while a turn runs.

        A running CLI takes ``bypassPermissions`` only if it was started for that (``may_bypass``); otherwise it is
        started again for the next prompt, and ``mode_waits`` until then.

        Raises:
            OptionError: there is no such mode, or the CLI or the session's limits refuse it.
        """
        await self._in_thread(self._agent.set_mode(checked_mode(mode, self.options)))

    def set_mode_now(self, mode: str) -> None:
        """Do the same from code that cannot await, in whatever thread."""
        self._wait_for(self._agent.set_mode(checked_mode(mode, self.options)))

    async def set_model(self, model: str) -> None:
        """Switch the model, also while a turn runs.

        Raises:
            OptionError: the CLI or the session's limits refuse it.
        """
        self.options.get("limits", Limits()).check_model(model)
        await self._in_thread(self._agent.set_model(model))

    def set_model_now(self, model: str) -> None:
        """Do the same from code that cannot await, in whatever thread."""
        self.options.get("limits", Limits()).check_model(model)
        self._wait_for(self._agent.set_model(model))

    async def adopt(self, options: SessionOptions) -> None:
        """Take other options between two turns; the conversation goes on, in a new CLI process where one was running.

        The SDK gives MCP servers and the format of the output to the CLI when it starts, and can change neither.
        """
        # A new process takes half a second: only where something has really changed.
        if any(self.options.get(name) != value for name, value in options.items()):
            adopted: SessionOptions = {**self.options, **options}
            self._agent.options = adopted

            if self._thread is not None:
                await self._in_thread(self._agent.adopt(adopted))

    async def rewind(self, prompt_uuid: str) -> None:
        """Put files back to where they were before a prompt; needs ``file_checkpoints`` then and now.

        Only what the agent's own tools for files changed: what commands did stays.

        Args:
            prompt_uuid: ``Turn.prompt_uuid``.

        Raises:
            SessionError: there is no such checkpoint.
        """
        await self._in_thread(self._agent.rewind(prompt_uuid))

    async def context_used(self) -> float | None:
        """Tell how much of the context window is used, 0 to 1; ``None`` where no CLI runs.

        Takes the CLI about as long as a short turn.
        """
        return None if self._thread is None else await self._in_thread(self._agent.context_used())

    async def close(self) -> None:
        """End the CLI process and the thread; a turn that runs ends with an error."""
        # It may take seconds, in which the kernel has other cells to serve.
        await asyncio.to_thread(self.close_now)

    def close_now(self) -> None:
        """Do the same without an event loop, as the end of a kernel needs it."""
        # Taken away first, so that closing twice, also from two threads, finds nothing the second time.
        thread, self._thread = self._thread, None

        if thread is not None:
            with contextlib.suppress(concurrent.futures.TimeoutError):
                thread.start(self._agent.disconnect()).result(timeout=_CLOSE_TIMEOUT)

            thread.stop()

    async def _in_thread(self, coroutine: Coroutine[object, object, T]) -> T:
        return await asyncio.wrap_future(self._started(coroutine))

    def _wait_for(self, coroutine: Coroutine[object, object, None]) -> None:
        try:
            self._started(coroutine).result(timeout=_SWITCH_TIMEOUT)
        except concurrent.futures.TimeoutError as error:
            raise CliError.failed("it does not answer") from error

    def _started(self, coroutine: Coroutine[object, object, T]) -> concurrent.futures.Future[T]:
        if self._thread is None:
            self._thread = LoopThread(f"askwidgets session {self.name}")

        return self._thread.start(coroutine)


def _entries(info: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    entries = info.get(key)

    return [entry for entry in entries if isinstance(entry, Mapping)] if isinstance(entries, list) else []
