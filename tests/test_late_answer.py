"""Answers to questions of the past, as the real CLI takes them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import anyio
import pytest

from askwidgets.errors import SessionError
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Answer, Outcome, QuestionRequest
from askwidgets.turn import Turn
from tests.agent import QUESTION, cli_processes, scripted_model, scripted_session

pytestmark = [pytest.mark.agent, pytest.mark.anyio]

STORE = "Which store should hold sessions?"
LATE = f'Your questions have been answered: "{STORE}"="SQLite". You can now continue with these answers in mind.'
ASKS = f"""
- - say: Let me ask.
  - ask: {QUESTION}
  - say: "I read: {{last_result}}"
- - say: Here again.
"""
TWICE = f"""
- - together:
      - ask: {QUESTION}
      - ask: {QUESTION.replace("Which store should hold sessions?", "Which queue?")}
  - say: "I read: {{last_result}}"
"""
DEADLINE = 20.0
"""Seconds that a wait may take before its test fails."""


async def pick_redis(request: QuestionRequest) -> Outcome:
    return Outcome(
        kind="answered", answers={question.text: Answer(labels=("Redis",)) for question in request.questions}
    )


def asked(turn: Turn) -> tuple[str, str]:
    """Give the uuid of the last message that asked, and the id of its tool use."""
    use = [use for use in turn.tool_uses if use.name == "AskUserQuestion"][-1]

    return use.message_uuid, use.id


@pytest.mark.parametrize("fork", [True, False])
async def test_a_second_thought_reaches_the_model_as_the_tool_result(tmp_path: Path, fork: bool) -> None:  # noqa: FBT001
    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            first = await session.prompt("one", ask=pick_redis)
            uuid, tool_use_id = asked(first)
            turn = await session.answer_late(uuid, {tool_use_id: LATE}, fork=fork)

            assert len(cli_processes()) == 1

        branch = json.dumps(server.requests[-1]["messages"])

    assert json.dumps(LATE)[1:-1] in branch
    assert json.dumps(LATE.replace("SQLite", "Redis"))[1:-1] not in branch
    assert turn.text == f"I read: {LATE}"
    assert (turn.session_id == first.session_id) is not fork
    assert session.session_id == turn.session_id


async def test_the_branch_goes_on_in_the_next_turn(tmp_path: Path) -> None:
    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            uuid, tool_use_id = asked(await session.prompt("one", ask=pick_redis))
            branch = await session.answer_late(uuid, {tool_use_id: LATE}, fork=True)
            following = await session.prompt("two")

    assert following.text == "Here again."
    assert following.session_id == branch.session_id


async def test_a_question_that_waited_when_the_cli_was_killed_is_answered_afterwards(tmp_path: Path) -> None:
    waits = asyncio.Event()

    async def wait(_request: QuestionRequest) -> Outcome:
        waits.set()

        await asyncio.Event().wait()

        raise AssertionError

    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            task = asyncio.create_task(session.prompt("one", ask=wait))

            with anyio.fail_after(DEADLINE):
                await waits.wait()
                await anyio.to_thread.run_sync(wait_until_written, tmp_path)

            for process in cli_processes():
                process.kill()

            with pytest.raises(SessionError):
                await task

            assert session.last is not None
            uuid, tool_use_id = asked(session.last)
            turn = await session.answer_late(uuid, {tool_use_id: LATE}, fork=False)

    assert turn.text == f"I read: {LATE}"


def wait_until_written(home: Path) -> None:
    """Wait until the CLI has the question in its file of the conversation."""
    while not any('"tool_use"' in path.read_text() for path in home.glob("config/projects/*/*.jsonl")):
        pass


async def test_all_questions_of_one_message_are_answered_together(tmp_path: Path) -> None:
    with scripted_model(TWICE) as server:
        async with scripted_session(server, tmp_path) as session:
            first = await session.prompt("one", ask=pick_redis)
            ids = [use.id for use in first.tool_uses]
            assert len({use.message_id for use in first.tool_uses}) == 1
            answers = dict(zip(ids, ["late one", "late two"], strict=True))
            await session.answer_late(asked(first)[0], answers, fork=True)

        assert server.tool_results()[-2:] == ("late one", "late two")


async def test_a_message_that_is_not_there_is_said_and_the_session_goes_on(tmp_path: Path) -> None:
    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("one", ask=pick_redis)

            with pytest.raises(SessionError, match="0000"):
                await session.answer_late("00000000-0000-4000-8000-000000000000", {"x": "y"}, fork=True)

            assert (await session.prompt("two")).text == "Here again."


WORKS = f"""
- - use: {{tool: Write, input: {{file_path: "first.txt", content: "first"}}}}
  - say: Begun.
- - ask: {QUESTION}
  - use: {{tool: Write, input: {{file_path: "made.txt", content: "made"}}}}
  - use: {{tool: Edit, input: {{file_path: "first.txt", old_string: first, new_string: changed}}}}
  - use: {{tool: Bash, input: {{command: "echo run > run.txt"}}}}
  - say: Done.
"""


async def allow(_request: PermissionRequest) -> Decision:
    return Decision(allow=True)


async def test_files_go_back_to_before_a_prompt_also_in_a_new_process(tmp_path: Path) -> None:
    """Where the CLI kept copies: of what its own tools changed, not of what a command did."""
    with scripted_model(WORKS) as server:
        async with scripted_session(server, tmp_path, file_checkpoints=True) as session:
            await session.prompt("begin", permit=allow)
            turn = await session.prompt("work", ask=pick_redis, permit=allow)

        assert (tmp_path / "first.txt").read_text() == "changed"

        async with scripted_session(server, tmp_path, file_checkpoints=True, resume=turn.session_id) as session:
            await session.rewind(turn.prompt_uuid)

            with pytest.raises(SessionError, match="No file checkpoint"):
                await session.rewind(turn.tool_uses[0].message_uuid)

    assert (tmp_path / "first.txt").read_text() == "first"
    assert not (tmp_path / "made.txt").exists()
    assert (tmp_path / "run.txt").exists()


async def test_without_copies_a_turn_names_no_place_to_go_back_to(tmp_path: Path) -> None:
    with scripted_model(ASKS) as server:
        async with scripted_session(server, tmp_path) as session:
            assert (await session.prompt("one", ask=pick_redis)).prompt_uuid == ""
