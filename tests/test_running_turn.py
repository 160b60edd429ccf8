"""A running turn passes messages from the session's thread to the loop that awaits it."""

from __future__ import annotations

import asyncio
import re
from typing import cast

import pytest
from claude_agent_sdk import PermissionResultDeny, ToolPermissionContext
from claude_agent_sdk.types import StreamEvent

from askwidgets.errors import OptionError
from askwidgets.interrupt import PromptInterrupt
from askwidgets.limits import Limits
from askwidgets.loop_thread import LoopThread
from askwidgets.permissions import Decision, PermissionRequest, Permit
from askwidgets.questions import Answer, Ask, Outcome, OutcomeKind, QuestionRequest
from askwidgets.running_turn import Callbacks, RunningTurn
from askwidgets.session import Session
from askwidgets.tool_gate import ToolGate
from askwidgets.turn import Notice
from askwidgets.turn_record import TurnRecord
from tests.messages import delta
from tests.person import STORE, asked


async def ask(_: QuestionRequest) -> Outcome:
    """Nothing is asked here."""
    raise AssertionError


async def permit(_: PermissionRequest) -> Decision:
    """Nothing is to be permitted here."""
    raise AssertionError


def test_parts_come_home_soon_and_together_and_before_what_follows_them() -> None:
    seen: list[str] = []
    parts = [f"{number} " for number in range(200)]
    thread = LoopThread("session")

    async def turn() -> None:
        loop = asyncio.get_running_loop()
        seen_all = asyncio.Event()

        def see(message: object) -> None:
            seen.append(message.event["delta"]["text"] if isinstance(message, StreamEvent) else "whole")
            if seen[-1].endswith(("199 ", "whole")):
                seen_all.set()

        running = RunningTurn(TurnRecord("Go"), Callbacks(ask=ask, permit=permit, on_message=see))

        async def deliver() -> None:
            for part in parts:
                running.deliver_part(delta(part))
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop))

        await asyncio.wrap_future(thread.start(deliver()))
        await asyncio.wait_for(seen_all.wait(), 10)
        seen_all.clear()

        async def end() -> None:
            running.deliver_part(delta("200"))
            running.deliver(Notice("whole"))

        await asyncio.wrap_future(thread.start(end()))
        await asyncio.wait_for(seen_all.wait(), 10)

    asyncio.run(turn())
    thread.stop()

    assert "".join(seen) == "".join([*parts, "200", "whole"])
    assert seen[-2:] == ["200", "whole"]
    assert len(seen) < 100


def test_who_leaves_has_seen_all_that_arrived_and_sees_nothing_more() -> None:
    seen: list[object] = []
    thread = LoopThread("session")

    async def turn() -> None:
        running = RunningTurn(TurnRecord("Go"), Callbacks(ask=ask, permit=permit, on_message=seen.append))

        async def deliver(text: str) -> None:
            running.deliver_part(delta(text))

        await asyncio.wrap_future(thread.start(deliver("before")))
        running.leave()
        assert seen == [delta("before")]

        await asyncio.wrap_future(thread.start(deliver("after")))
        running.end()
        await running.wait()

    asyncio.run(turn())
    thread.stop()
    assert seen == [delta("before")]


def test_what_comes_while_a_turn_is_left_is_not_seen_after_it() -> None:
    seen: list[object] = []
    thread = LoopThread("session")

    async def turn() -> None:
        async def deliver_part() -> None:
            running.deliver_part(delta("before"))

        async def deliver() -> None:
            running.deliver(Notice("meanwhile"))

        def see(message: object) -> None:
            seen.append(message)
            thread.start(deliver()).result(10)

        running = RunningTurn(TurnRecord("Go"), Callbacks(ask=ask, permit=permit, on_message=see))
        await asyncio.wrap_future(thread.start(deliver_part()))
        running.leave()
        running.end()
        await running.wait()

    asyncio.run(turn())
    thread.stop()
    assert seen == [delta("before")]


def giving(given: object) -> object:
    """Make a callback that gives it, or raises it."""

    async def callback(_: object) -> object:
        if isinstance(given, BaseException):
            raise given

        return given

    return callback


@pytest.mark.parametrize(
    ("ask", "found"),
    [
        (giving({STORE: "Redis"}), "{.*Redis"),
        (giving(Outcome(kind="answered", answers={STORE: cast("Answer", "Redis")})), "Outcome"),
        (giving(Outcome(kind=cast("OutcomeKind", "picked"))), "Outcome"),
        (giving(asyncio.CancelledError()), r"CancelledError\(\)"),
        (lambda _: {STORE: "Redis"}, "{.*Redis"),
    ],
)
def test_what_is_no_outcome_is_said_and_denied_and_ends_the_turn(ask: object, found: str) -> None:
    said = denied("AskUserQuestion", asked(STORE), Callbacks(ask=cast("Ask", ask), permit=permit))

    assert re.match(f"what ask gave is ({found}).*; wanted an askwidgets.questions.Outcome from an async", said)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (True, "True"),
        (Decision(allow=True, updated_input=cast("dict[str, object]", "ls")), "Decision"),
        (asyncio.CancelledError(), r"CancelledError\(\)"),
    ],
)
def test_what_is_no_decision_is_said_and_denied_and_ends_the_turn(given: object, found: str) -> None:
    said = denied("Bash", {"command": "ls"}, Callbacks(ask=ask, permit=cast("Permit", giving(given))))

    assert re.match(f"what permit gave is ({found}).*; wanted an askwidgets.permissions.Decision from an async", said)


def test_a_callback_that_is_interrupted_ends_the_turn_and_no_loop() -> None:
    callbacks = Callbacks(ask=cast("Ask", giving(KeyboardInterrupt())), permit=permit)

    assert denied("AskUserQuestion", asked(STORE), callbacks, PromptInterrupt) == "the person interrupted the turn."


def test_what_cannot_be_asked_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(OptionError, match=r"^ask is {'\*': 'first'}; wanted .*askwidgets.Answers\({...}\) gives those"):
        Session(ask=cast("Ask", {"*": "first"}))


def denied(
    tool_name: str, tool_input: dict[str, object], callbacks: Callbacks, error: type[Exception] = OptionError
) -> str:
    """Let the CLI ask for the use of a tool; gives the error that ends the turn, with which it is denied as well."""
    thread = LoopThread("session")

    async def turn() -> str:
        running = RunningTurn(TurnRecord("Go"), callbacks)
        gate = ToolGate(cwd="", limits=Limits(), config_directory="", host=running)
        asking = thread.start(gate(tool_name, tool_input, ToolPermissionContext(tool_use_id="toolu_1")))
        result = await asyncio.wait_for(asyncio.wrap_future(asking), 10)
        await asyncio.wrap_future(thread.start(end(running)))

        with pytest.raises(error) as raised:
            await running.wait()

        assert isinstance(result, PermissionResultDeny)
        assert result.interrupt
        assert str(raised.value) in result.message
        assert not running.waiting
        assert not running.record.questions

        return str(raised.value)

    try:
        return asyncio.run(turn())
    finally:
        thread.stop()


async def end(running: RunningTurn) -> None:
    """Say that nothing more comes, in the session's thread."""
    running.end()
