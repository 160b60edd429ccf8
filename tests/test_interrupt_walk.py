"""A turn interrupted at each point at which it awaits something, one after the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import anyio
import pytest

from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Answer, Outcome, QuestionRequest
from askwidgets.session import Session
from tests.agent import QUESTION, cli_processes, scripted_model, scripted_session

pytestmark = [pytest.mark.agent, pytest.mark.anyio]

SCRIPT = f"""
- when: "*work*"
  steps:
    - think: "Let me see."
    - say: "I ask first."
    - ask: {QUESTION}
    - use: {{tool: Bash, input: {{command: "echo made", description: Say something}}}}
    - say: "Done."
- when: "*greet*"
  steps:
    - say: "Hello there."
"""


class Walk:
    """Cancels a turn at its nth step: a message that arrives, or something that is asked and then answered."""

    def __init__(self, step: int) -> None:
        self.left = step
        self.task: asyncio.Task[object] | None = None

    def __call__(self, _message: object = None) -> None:
        """Take one step."""
        self.left -= 1

        if self.left == 0 and self.task is not None:
            self.task.cancel()

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Answer, with a step before and one after."""
        self()
        await asyncio.sleep(0)
        self()
        return Outcome(kind="answered", answers={request.questions[0].text: Answer(labels=("SQLite",))})

    async def permit(self, _request: PermissionRequest) -> Decision:
        """Allow, with a step before and one after."""
        self()
        await asyncio.sleep(0)
        self()
        return Decision(allow=True)


async def is_interrupted(session: Session, step: int) -> bool:
    """Run a turn that is cancelled at that step; false when it has fewer."""
    walk = Walk(step)
    walk.task = asyncio.create_task(session.prompt("Please work.", ask=walk.ask, permit=walk.permit, on_message=walk))
    with anyio.fail_after(20):
        await asyncio.wait([walk.task])

    return walk.task.cancelled()


@pytest.mark.timeout(240)
async def test_wherever_a_turn_is_interrupted_the_session_goes_on(tmp_path: Path) -> None:
    """B41, B62."""
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("Please greet me.")
            processes = cli_processes()
            steps = 0

            while await is_interrupted(session, steps + 1):
                steps += 1
                assert (session.is_running, session.waiting) == (False, 0)
                assert session.last is not None
                assert session.last.interrupted
                assert (await session.prompt("Please greet me.")).text == "Hello there."

            assert steps > 15
            assert session.last is not None
            assert session.last.text.endswith("Done.")
            assert cli_processes() == processes
