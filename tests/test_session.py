"""The session on the real CLI, with only the model scripted."""

from __future__ import annotations

import asyncio
import gc
import logging
from pathlib import Path

import anyio
import pytest
from claude_agent_sdk import AssistantMessage, StreamEvent

from askwidgets.errors import (
    AnswerError,
    BusyError,
    CliError,
    UnansweredError,
)
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Answer, Outcome, QuestionRequest
from askwidgets.session import Session
from askwidgets.turn import Turn
from tests.agent import QUESTION, cli_processes, scripted_model, scripted_session

pytestmark = [pytest.mark.agent, pytest.mark.anyio]
STORE = "Which store should hold sessions?"
ASKS = f"""
- - say: Let me ask.
  - ask: {QUESTION}
  - expect: Your questions have been answered
  - say: "Good: {{last_result}}"
- - say: Anything else?
"""
TWO_TURNS = """
- - say: One.
- - say: Two.
"""
LONG = f"""
- - say: {"word " * 2000}
- - say: Here again.
"""
RUNS = """
- - use: {tool: Bash, input: {command: "echo ran > ran.txt", description: "Write a file"}}
  - say: "{last_result}"
- - say: Here again.
"""
DEADLINE = 20.0
"""Seconds that a wait may take before its test fails."""


async def pick_sqlite(request: QuestionRequest) -> Outcome:
    return Outcome(kind="answered", answers={request.questions[0].text: Answer(labels=("SQLite",))})


async def allow(request: PermissionRequest) -> Decision:
    return Decision(allow=bool(request.tool_name))


class Waiting:
    """Asks nobody, and tells the test that it was asked and that it was cancelled."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.cancelled = asyncio.Event()
        self.outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    async def asked_in(self, session: Session) -> asyncio.Task[Turn]:
        """Start a turn, and wait until it asks."""
        task = asyncio.create_task(session.prompt("one", ask=self))

        with anyio.fail_after(DEADLINE):
            await self.asked.wait()

        return task

    async def __call__(self, _request: QuestionRequest) -> Outcome:
        """Wait until the test has an outcome."""
        self.asked.set()

        try:
            return await self.outcome
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


async def test_an_answer_is_read_back_by_the_model_under_the_question_itself(tmp_path: Path) -> None:
    """B01, B02, B31: without hooks and MCP servers, which once decided whether an answer could still be sent."""
    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            turn = await session.prompt("Plan the sessions.", ask=pick_sqlite)

        sentence = f'Your questions have been answered: "{STORE}"="SQLite".'
        assert server.tool_results() == (f"{sentence} You can now continue with these answers in mind.",)
        assert not server.mismatches

    assert turn.answers == {STORE: "SQLite"}
    assert turn.text.startswith("Let me ask.\n\nGood: Your questions")
    assert [use.name for use in turn.tool_uses] == ["AskUserQuestion"]
    assert not turn.interrupted
    assert turn.session_id


async def test_the_second_turn_goes_on_in_the_same_process(tmp_path: Path) -> None:
    with scripted_model(TWO_TURNS) as server:
        async with scripted_session(server, tmp_path) as session:
            first = await session.prompt("one")
            processes = cli_processes()
            second = await session.prompt("two")

            assert cli_processes() == processes

    assert len(processes) == 1
    assert (first.text, second.text) == ("One.", "Two.")
    assert first.session_id == second.session_id


async def test_the_cost_is_that_of_the_turn_alone(tmp_path: Path) -> None:
    """The CLI reports the sum of all turns since its start."""
    with scripted_model(TWO_TURNS) as server:
        async with scripted_session(server, tmp_path) as session:
            first = await session.prompt("one")
            second = await session.prompt("two")

            assert session.cost_usd == pytest.approx((first.cost_usd or 0) + (second.cost_usd or 0))

    assert first.cost_usd
    assert second.cost_usd
    assert second.cost_usd < 1.5 * first.cost_usd


async def test_sessions_of_many_loops_and_tasks_leave_no_error_behind(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """B32: opened, gone on with and closed in tasks of their own, two at once, one of them stopped midway."""
    lost: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: lost.append(context))
    with scripted_model(LONG, pace=0.02) as server, scripted_model(TWO_TURNS) as other:
        homes = [tmp_path / "first", tmp_path / "second"]
        for home in homes:
            home.mkdir()

        first, second = map(scripted_session, (server, other), homes)
        sessions = await asyncio.gather(*map(asyncio.create_task, (first.__aenter__(), second.__aenter__())))
        begun = asyncio.Event()
        stopped = asyncio.create_task(sessions[0].prompt("one", on_message=lambda _: begun.set()))
        whole = await asyncio.create_task(sessions[1].prompt("one"))
        await asyncio.wait_for(begun.wait(), DEADLINE)
        stopped.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stopped

        again = await asyncio.to_thread(asyncio.run, sessions[1].prompt("two"))
        await asyncio.gather(*(asyncio.create_task(close.__aexit__(None, None, None)) for close in (first, second)))

    gc.collect()

    assert (whole.text, again.text) == ("One.", "Two.")
    assert not lost
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_prompt_after_closing_goes_on_in_a_new_process(tmp_path: Path) -> None:
    with scripted_model(TWO_TURNS) as server:
        async with scripted_session(server, tmp_path) as session:
            first = await session.prompt("Count.")
            await session.close()
            await session.close()

            assert (await session.prompt("Count on.")).session_id == first.session_id

    assert cli_processes() == []


async def test_closing_leaves_no_process(tmp_path: Path) -> None:
    with scripted_model(TWO_TURNS) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("one")
            assert cli_processes()

        assert not cli_processes()


async def test_questions_are_asked_on_the_loop_that_awaits_the_turn(tmp_path: Path) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def ask(request: QuestionRequest) -> Outcome:
        loops.append(asyncio.get_running_loop())

        return await pick_sqlite(request)

    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("go", ask=ask)

    assert loops == [asyncio.get_running_loop()]


async def test_messages_arrive_in_order_and_all_before_the_turn_is_given(tmp_path: Path) -> None:
    messages: list[object] = []

    with scripted_model(TWO_TURNS) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("one", on_message=messages.append)

    kinds = [type(message).__name__ for message in messages]
    assert kinds.index("SystemMessage") < kinds.index("StreamEvent") < kinds.index("AssistantMessage")
    assert kinds[-1] == "ResultMessage"


async def test_a_message_that_cannot_be_drawn_fails_the_turn_after_the_others_were_seen(tmp_path: Path) -> None:
    seen: list[object] = []

    def draw(message: object) -> None:
        seen.append(message)

        if isinstance(message, AssistantMessage):
            raise LookupError("no ink")  # noqa: TRY004 - any error will do

    with scripted_model(TWO_TURNS) as server:
        async with scripted_session(server, tmp_path) as session:
            with pytest.raises(LookupError, match="no ink"):
                await session.prompt("one", on_message=draw)

            assert (await session.prompt("two")).text == "Two."

    assert type(seen[-1]).__name__ == "ResultMessage"


async def test_cancelling_while_text_arrives_keeps_the_session(tmp_path: Path) -> None:
    """B41."""
    arriving = asyncio.Event()

    def watch(message: object) -> None:
        if isinstance(message, StreamEvent) and message.event.get("type") == "content_block_delta":
            arriving.set()

    with scripted_model(LONG, pace=0.01) as server:
        async with scripted_session(server, tmp_path) as session:
            task = asyncio.create_task(session.prompt("one", on_message=watch))

            with anyio.fail_after(DEADLINE):
                await arriving.wait()

            task.cancel()

            with pytest.raises(asyncio.CancelledError):
                await task

            assert session.last is not None
            assert session.last.interrupted
            assert session.last.text.startswith("word")
            assert not session.is_running
            processes = cli_processes()
            assert (await session.prompt("two")).text == "Here again."
            assert cli_processes() == processes


async def test_cancelling_while_a_question_waits_cancels_it_and_keeps_the_session(tmp_path: Path) -> None:
    """B27, B62."""
    waiting = Waiting()

    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            task = await waiting.asked_in(session)
            assert session.waiting == 1
            task.cancel()
            task.cancel()

            with pytest.raises(asyncio.CancelledError):
                await task

            with anyio.fail_after(DEADLINE):
                await waiting.cancelled.wait()

            assert session.waiting == 0
            assert (await session.prompt("two")).text == "Anything else?"


async def test_cancelling_while_the_cli_starts_leaves_no_process(tmp_path: Path) -> None:
    """B70."""
    stuck = tmp_path / "claude"
    stuck.write_text("#!/bin/sh\necho started >&2\nexec cat > /dev/null\n")
    stuck.chmod(0o700)
    session = Session(cli_path=stuck, cwd=tmp_path)
    task = asyncio.create_task(session.prompt("one"))
    await asyncio.wait([task], timeout=0.5)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task

    await session.close()
    assert not cli_processes()


async def test_a_prompt_while_a_question_waits_is_refused_and_leaves_it_open(tmp_path: Path) -> None:
    waiting = Waiting()

    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            task = await waiting.asked_in(session)
            with pytest.raises(BusyError, match="waits for your answer"):
                await session.prompt("two")

            waiting.outcome.set_result(
                Outcome(kind="answered", answers={STORE: Answer(labels=("Redis",))}),
            )
            assert (await task).answers == {STORE: "Redis"}


async def test_a_question_that_nobody_settles_fails_the_turn_in_words(tmp_path: Path) -> None:
    """B45."""
    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            with pytest.raises(UnansweredError, match="Redis, SQLite"):
                await session.prompt("one")

            assert (await session.prompt("two")).text == "Anything else?"


async def test_what_the_host_raises_reaches_whoever_awaits_the_turn(tmp_path: Path) -> None:
    async def ask(request: QuestionRequest) -> Outcome:
        raise AnswerError(f"no entry for {request.questions[0].text}")

    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            with pytest.raises(AnswerError, match="no entry for Which store"):
                await session.prompt("one", ask=ask)


async def test_a_decline_is_denied_in_words_and_the_turn_goes_on(tmp_path: Path) -> None:
    """B03, B58."""

    async def ask(request: QuestionRequest) -> Outcome:
        return Outcome(kind="declined", words="not decided yet") if request.questions else await pick_sqlite(request)

    script = ASKS.replace("Your questions have been answered", "not decided yet")

    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            turn = await session.prompt("one", ask=ask)

        assert not server.mismatches

    assert turn.tool_uses[0].is_error
    assert turn.answers == {}


async def test_a_tool_runs_only_when_it_is_permitted(tmp_path: Path) -> None:
    with scripted_model(RUNS) as server:
        async with scripted_session(server, tmp_path) as session:
            denied = await session.prompt("one")
            assert not (tmp_path / "ran.txt").exists()

        async with scripted_session(server, tmp_path) as session:
            await session.prompt("one", permit=allow)

    assert denied.tool_uses[0].is_error
    assert "nobody is here" in str(denied.tool_uses[0].result)
    assert (tmp_path / "ran.txt").read_text() == "ran\n"


async def test_a_killed_cli_fails_the_turn_and_the_next_one_starts_it_again(tmp_path: Path) -> None:
    waiting = Waiting()

    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            task = await waiting.asked_in(session)
            for process in cli_processes():
                process.kill()

            with pytest.raises(CliError, match="Run the cell again"):
                await task

            with anyio.fail_after(DEADLINE):
                await waiting.cancelled.wait()

            assert (await session.prompt("two", ask=pick_sqlite)).session_id


async def test_explicit_tools_still_offer_the_question(tmp_path: Path) -> None:
    """B64."""
    with scripted_model(TWO_TURNS) as server:
        async with scripted_session(server, tmp_path, tools=["Read"]) as session:
            await session.prompt("one")

        tools = server.requests[0]["tools"]

    assert isinstance(tools, list)
    names = {tool["name"] for tool in tools}
    assert {"Read", "AskUserQuestion"} <= names
    assert "Bash" not in names
