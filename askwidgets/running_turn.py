"""The turn that a session runs, between two threads: the session's own, and that of whoever awaits it.

What draws and what asks runs on the loop that awaits the turn (its home), in the context of the cell that
started it, so that outputs land in that cell. Messages and questions keep the order in which they came.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard, TypeVar, get_args

from askwidgets.errors import OptionError
from askwidgets.inbox import Inbox
from askwidgets.interrupt import PromptInterrupt
from askwidgets.permissions import Decision, PermissionRequest, Permit
from askwidgets.questions import Answer, Ask, Outcome, OutcomeKind, QuestionRequest
from askwidgets.turn import AskedQuestion
from askwidgets.turn_record import TurnRecord

if TYPE_CHECKING:
    from claude_agent_sdk.types import StreamEvent

__all__ = ["Callbacks", "RunningTurn"]

R = TypeVar("R")

_TOGETHER = 0.1
"""Seconds of a streamed text that are passed home together: to wake the thread there costs more than to draw."""

_WANTED: Mapping[str, str] = {
    "ask": 'an askwidgets.questions.Outcome from an async function, such as Outcome(kind="answered", '
    'answers={"Which one?": Answer(labels=("A",))}); askwidgets.Answers({...}) gives those',
    "permit": "an askwidgets.permissions.Decision from an async function, such as Decision(allow=True); "
    "askwidgets.Answers({...}).permissions gives those",
}
"""Of each callback that a host gives."""


def _ignore(message: object) -> None:
    """Take a message and do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """Whom a turn asks, and who sees its messages."""

    ask: Ask
    permit: Permit
    on_message: Callable[[object], None] = _ignore
    """Called with every message of the SDK and every ``Notice``, in order, on the loop that awaits the turn.

    Of the deltas of a text those that arrive within a moment after the first come as one, under the uuid of the last.
    """

    def __post_init__(self) -> None:
        for name, given in (("ask", self.ask), ("permit", self.permit)):
            if not callable(given):
                raise OptionError(name, given, _WANTED[name])


class RunningTurn:
    """One turn while it runs; made on its home loop."""

    def __init__(self, record: TurnRecord, callbacks: Callbacks) -> None:
        self.record = record
        self.waiting: int = 0
        """How many questions and permissions wait for the person."""
        self.over: asyncio.Event = asyncio.Event()
        """Set in the session's thread when the agent has ended the turn."""
        self._callbacks = callbacks
        self._home = asyncio.get_running_loop()
        self._context = contextvars.copy_context()
        self._inbox = Inbox()
        self._parts_wait = False
        self._failure: Exception | None = None
        self._cancels: set[Callable[[], bool]] = set()
        """Of what asks at home now."""
        self._is_left = False
        self._ended = self._home.create_future()

    async def wait(self) -> None:
        """Wait on the home loop until the turn has ended and every message was seen.

        Raises:
            Exception: what ended the turn, if a callback or the connection failed.
        """
        # Shielded: a cell that is cancelled must not take the future from the thread that will resolve it.
        await asyncio.shield(self._ended)

        if self._failure is not None:
            raise self._failure

    def deliver(self, message: object) -> None:
        """Pass a message home; from the session's thread."""
        # Also once nobody looks any more: the turn holds all that was said, and what it cost.
        self.record.add(message)

        if not self._is_left:
            self._inbox.put(message)
            self._send_home(self._drain)

    def deliver_part(self, part: StreamEvent) -> None:
        """Pass home a part of a message that comes whole later: soon, with those that follow it."""
        if self._is_left:
            return

        self._inbox.put(part)

        if not self._parts_wait:
            self._parts_wait = True
            asyncio.get_running_loop().call_later(_TOGETHER, self._send_parts)

    def _send_parts(self) -> None:
        self._parts_wait = False
        self._send_home(self._drain)

    def end(self, error: Exception | None = None) -> None:
        """Say that nothing more comes; from the session's thread."""
        if error is not None:
            self.fail(error)

        self.over.set()
        self._send_home(self._finish)

    def leave(self) -> None:
        """Let nothing of it reach home any more, and cancel what still asks there; from home."""
        self._drain()
        self._is_left = True

        for cancel in tuple(self._cancels):
            cancel()

    def fail(self, error: Exception) -> None:
        """Keep the first error, to raise it where the turn is awaited."""
        self._failure = self._failure or error

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Settle a question at home; called and cancelled in the session's thread.

        Raises:
            OptionError: what it gave is no outcome.
        """
        outcome = await self._at_home("ask", self._callbacks.ask, request)

        if not _is_outcome(outcome):
            raise _unfit("ask", outcome)

        self.record.questions.append(AskedQuestion(request=request, outcome=outcome))

        return outcome

    async def permit(self, request: PermissionRequest) -> Decision:
        """Decide about a tool use at home; called and cancelled in the session's thread.

        Raises:
            OptionError: what it gave is no decision.
        """
        decision = await self._at_home("permit", self._callbacks.permit, request)

        if not _is_decision(decision):
            raise _unfit("permit", decision)

        return decision

    async def _at_home(self, name: str, function: Callable[[R], object], request: R) -> object:
        self.waiting += 1

        try:
            # A copy each: a context cannot be entered twice, and several questions may wait at once.
            future = self._context.copy().run(asyncio.run_coroutine_threadsafe, _call(function, request), self._home)
            given = asyncio.wrap_future(future)
            self._cancels.add(future.cancel)

            try:
                # Not awaited itself: a callback that raises CancelledError by itself would leave the CLI waiting.
                await asyncio.wait([given])
            finally:
                self._cancels.discard(future.cancel)
                given.cancel()
        finally:
            self.waiting -= 1

        if given.cancelled() and not self._is_left:
            raise _unfit(name, asyncio.CancelledError())

        return given.result()

    def _send_home(self, callback: Callable[[], None]) -> None:
        # At the end of a kernel its loop may close before the session's thread has ended.
        if not self._home.is_closed():
            self._home.call_soon_threadsafe(callback, context=self._context.copy())

    def _drain(self) -> None:
        # What came in the moment in which the turn was left is not seen either.
        if self._is_left:
            return

        for message in self._inbox.take():
            self._see(message)

    def _see(self, message: object) -> None:
        try:
            self._callbacks.on_message(message)
        except Exception as error:  # noqa: BLE001 - a message that cannot be drawn must not stop the others
            self.fail(error)

    def _finish(self) -> None:
        try:
            self._drain()
        finally:
            if not self._ended.done():
                self._ended.set_result(None)


async def _call(function: Callable[[R], object], request: R) -> object:
    try:
        given = function(request)

        # A plain function is as good, for as long as what it gives is looked at like all else.
        return await given if inspect.isawaitable(given) else given
    except KeyboardInterrupt:
        # In a task it would end the loops of both threads.
        raise PromptInterrupt from None


def _is_outcome(given: object) -> TypeGuard[Outcome]:
    """Whether it can be read as an outcome, however well it answers the question."""
    answers: object = given.answers if isinstance(given, Outcome) and given.kind in get_args(OutcomeKind) else None

    return isinstance(answers, Mapping) and all(isinstance(answer, Answer) for answer in answers.values())


def _is_decision(given: object) -> TypeGuard[Decision]:
    changed: object = given.updated_input if isinstance(given, Decision) else given

    return isinstance(given, Decision) and (changed is None or isinstance(changed, Mapping))


def _unfit(name: str, given: object) -> OptionError:
    return OptionError(f"what {name} gave", given, _WANTED[name])
