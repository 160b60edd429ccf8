"""The turn that a session runs, between two threads: the session's own, and that of whoever awaits it.

What draws and what asks runs on the loop that awaits the turn (its home), in the context of the cell that
started it, so that outputs land in that cell. Messages and questions keep the order in which they came.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import TypeVar

from askwidgets.permissions import Decision, PermissionRequest, Permit
from askwidgets.questions import Ask, Outcome, QuestionRequest
from askwidgets.turn import AskedQuestion
from askwidgets.turn_record import TurnRecord

__all__ = ["Callbacks", "RunningTurn"]

T = TypeVar("T")
R = TypeVar("R")

_TOGETHER = 0.05
"""Seconds of a streamed text that are passed home together: to wake the thread there costs more than to draw."""


def _ignore(message: object) -> None:
    """Take a message and do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """Whom a turn asks, and who sees its messages."""

    ask: Ask
    permit: Permit
    on_message: Callable[[object], None] = _ignore
    """Called with every message of the SDK and every ``Notice``, in order, on the loop that awaits the turn."""


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
        self._inbox: deque[object] = deque()
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
            self._inbox.append(message)
            self._send_home(self._drain)

    def deliver_part(self, message: object) -> None:
        """Pass home a part of a message that comes whole later: soon, with those that follow it."""
        if self._is_left:
            return

        self._inbox.append(message)

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
        """Settle a question at home; called and cancelled in the session's thread."""
        outcome = await self._at_home(_call(self._callbacks.ask, request))
        self.record.questions.append(AskedQuestion(request=request, outcome=outcome))

        return outcome

    async def permit(self, request: PermissionRequest) -> Decision:
        """Decide about a tool use at home; called and cancelled in the session's thread."""
        return await self._at_home(_call(self._callbacks.permit, request))

    async def _at_home(self, coroutine: Coroutine[object, object, T]) -> T:
        self.waiting += 1

        try:
            # A copy each: a context cannot be entered twice, and several questions may wait at once.
            future = self._context.copy().run(asyncio.run_coroutine_threadsafe, coroutine, self._home)
            self._cancels.add(future.cancel)

            try:
                return await asyncio.wrap_future(future)
            finally:
                self._cancels.discard(future.cancel)
        finally:
            self.waiting -= 1

    def _send_home(self, callback: Callable[[], None]) -> None:
        # At the end of a kernel its loop may close before the session's thread has ended.
        if not self._home.is_closed():
            self._home.call_soon_threadsafe(callback, context=self._context.copy())

    def _drain(self) -> None:
        while self._inbox:
            self._see(self._inbox.popleft())

    def _see(self, message: object) -> None:
        try:
            self._callbacks.on_message(message)
        except Exception as error:  # noqa: BLE001 - a message that cannot be drawn must not stop the others
            self.fail(error)

    def _finish(self) -> None:
        self._drain()

        if not self._ended.done():
            self._ended.set_result(None)


async def _call(function: Callable[[R], Awaitable[T]], request: R) -> T:
    return await function(request)
