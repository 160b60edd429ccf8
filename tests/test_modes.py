"""Permission modes on the real CLI: switched at any time, followed, and never past what asks in every mode."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from pathlib import Path

import pytest

from askwidgets.answers import Answers
from askwidgets.errors import OptionError
from askwidgets.limits import Limit, Limits
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.session import Session
from tests.agent import QUESTION, scripted_model, scripted_session

pytestmark = [pytest.mark.agent, pytest.mark.anyio]

DEADLINE = 30.0
WRITE = 'use: {tool: Write, input: {file_path: "%s", content: x}}'
RUN = "use: {tool: Bash, input: {command: 'touch %s'}}"
EVERY_MODE_ASKS = f"""
- - {RUN % "ran.txt"}
  - ask: {QUESTION}
  - use: {{tool: EnterPlanMode, input: {{}}}}
  - use: {{tool: ExitPlanMode, input: {{plan: "# Steps"}}}}
  - say: "{{last_result}}"
"""


class Person:
    """Allows everything, and does something first."""

    def __init__(self, session: Session | None = None, mode: str = "") -> None:
        self.session = session
        self.mode = mode
        self.asked: list[str] = []

    async def __call__(self, request: PermissionRequest) -> Decision:
        """Switch the session's mode, if there is one to switch, and allow."""
        self.asked.append(request.tool_name)

        if self.session is not None:
            await self.session.set_mode(self.mode)

        return Decision(allow=True)


async def test_it_follows_the_agent_into_plan_mode_and_the_person_out_of_it(tmp_path: Path) -> None:
    async def approve(_request: PermissionRequest) -> Decision:
        return Decision(allow=True, mode="acceptEdits")

    script = [
        [{"use": {"tool": "EnterPlanMode", "input": {}}}, {"say": "planning"}],
        [{"use": {"tool": "ExitPlanMode", "input": {}}}, {"say": "{last_result}"}],
    ]
    with scripted_model(json.dumps(script)) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("plan it")
            assert session.mode == "plan"
            await session.prompt("go on", permit=approve)
            assert session.mode == "acceptEdits"


async def test_a_switch_while_a_turn_runs_counts_for_its_next_tool_use(tmp_path: Path) -> None:
    script = f"- - {WRITE % (tmp_path / 'one')}\n  - {WRITE % (tmp_path / 'two')}\n  - say: done\n"
    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            person = Person(session, "acceptEdits")
            await session.prompt("go", permit=person)

    assert person.asked == ["Write"]
    assert (tmp_path / "two").exists()


async def test_a_switch_from_another_thread_needs_no_loop(tmp_path: Path) -> None:
    script = f"- - {WRITE % (tmp_path / 'one')}\n  - {WRITE % (tmp_path / 'two')}\n  - say: done\n"
    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            asked: list[str] = []

            async def permit(request: PermissionRequest) -> Decision:
                asked.append(request.tool_name)
                thread = threading.Thread(target=session.set_mode_now, args=("acceptEdits",))
                thread.start()
                await asyncio.to_thread(thread.join, DEADLINE)
                return Decision(allow=True)

            await session.prompt("go", permit=permit)
            assert session.mode == "acceptEdits"

    assert asked == ["Write"]


async def test_bypass_runs_tools_without_asking_but_questions_and_plans_ask(tmp_path: Path) -> None:
    """B29."""
    person = Person()
    with scripted_model(EVERY_MODE_ASKS) as server:
        async with scripted_session(server, tmp_path, mode="bypassPermissions") as session:
            turn = await session.prompt("go", ask=Answers({"*": "SQLite"}), permit=person)

    assert (tmp_path / "ran.txt").exists()
    assert list(turn.answers.values()) == ["SQLite"]
    assert person.asked == ["ExitPlanMode"], turn.text


async def test_bypass_in_a_session_that_runs_begins_with_the_next_prompt_and_the_conversation_goes_on(
    tmp_path: Path,
) -> None:
    script = f"- - {RUN % 'one.txt'}\n  - {RUN % 'two.txt'}\n  - say: first\n- - {RUN % 'three.txt'}\n  - say: second\n"
    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            person = Person(session, "bypassPermissions")
            first = await session.prompt("go", permit=person)
            assert person.asked == ["Bash", "Bash"]
            waits = [session.mode_waits]
            second = await session.prompt("go", permit=person)
            assert person.asked == ["Bash", "Bash"]
            assert [*waits, session.mode_waits] == [True, False]
            assert second.session_id == first.session_id
            assert second.text == "second"

    assert (tmp_path / "three.txt").exists()


async def test_a_session_that_was_started_for_it_switches_to_bypass_within_a_turn_and_back(tmp_path: Path) -> None:
    script = f"- - {RUN % 'one.txt'}\n  - {RUN % 'two.txt'}\n  - say: first\n- - {RUN % 'three.txt'}\n  - say: second\n"
    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path, may_bypass=True) as session:
            person = Person(session, "bypassPermissions")
            await session.prompt("go", permit=person)
            assert person.asked == ["Bash"]
            await session.set_mode("default")
            person.session = None
            await session.prompt("go", permit=person)
            assert person.asked == ["Bash", "Bash"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="the CLI refuses bypass to root only")
async def test_root_is_told_what_to_do_before_the_cli_refuses(tmp_path: Path) -> None:
    with scripted_model('- - say: "hi"\n') as server:
        async with scripted_session(server, tmp_path, env={"IS_SANDBOX": ""}, may_bypass=True) as session:
            with pytest.raises(OptionError, match=r"refuses it to root.*IS_SANDBOX=1"):
                await session.set_mode("bypassPermissions")

            assert (await session.prompt("hello")).text == "hi"


async def test_limits_hold_for_every_switch(tmp_path: Path) -> None:
    limits = Limits([Limit(source="/etc/x", modes=["plan"], models=["claude-a*"])])
    session = Session(cwd=tmp_path, limits=limits, model="claude-a1")
    with pytest.raises(OptionError, match="wanted one of default, plan; /etc/x allows no other"):
        await session.set_mode("acceptEdits")

    with pytest.raises(OptionError, match="claude-a"):
        session.set_model_now("claude-b")

    for options in ({"mode": "acceptEdits", "model": "claude-a1"}, {"model": "claude-b"}, {}):
        with pytest.raises(OptionError, match="allows no other"):
            Session(cwd=tmp_path, limits=limits, **options)  # type: ignore[arg-type]

    await session.set_mode("plan")
    assert session.mode == "plan"
    await session.close()
