"""Permissions and plans on the real CLI: a tool really runs or does not, a rule really spares the next question."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import pytest

from askwidgets.allowances import SessionAllowances
from askwidgets.conversation import Conversation
from askwidgets.decision_form import DecisionForm
from askwidgets.model_server import ModelServer
from askwidgets.permission_form import PermissionForm
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.plan_form import PlanForm
from askwidgets.reply import Reply, Text, ToolUse
from askwidgets.session import Session
from tests.agent import scripted_model, scripted_session
from tests.decisions import button, field, html

pytestmark = [pytest.mark.agent, pytest.mark.anyio]

DEADLINE = 30.0
"""Seconds that a turn may take before its test fails."""
RUNS = """
- - use: {tool: Bash, input: {command: "echo ran > ran.txt"}}
  - say: "{last_result}"
"""


class Person:
    """Answers each form with what the next of ``drives`` does to it, as the cell does with a real one."""

    def __init__(self, *drives: Callable[[DecisionForm], None]) -> None:
        self.drives = list(drives)
        self.requests: list[PermissionRequest] = []
        self.allowances = SessionAllowances()

    async def __call__(self, request: PermissionRequest) -> Decision:
        """Decide as the cell does: by what was allowed before, else by a form."""
        if self.allowances.covers(request):
            return Decision(allow=True, by="session")

        self.requests.append(request)
        is_plan = request.tool_name == "ExitPlanMode"
        form = PlanForm(request) if is_plan else PermissionForm(request)
        asyncio.get_running_loop().call_soon(self.drives.pop(0), form)
        try:
            decision = await form.decision()
        finally:
            form.close()

        if decision.for_session:
            self.allowances.add(request)

        return decision


def click(*texts: str, **typed: str) -> Callable[[DecisionForm], None]:
    """Type into fields, then click buttons."""

    def drive(form: DecisionForm) -> None:
        for label, value in typed.items():
            field(form, label.replace("_", " ")).set_state({"value": value})

        for text in texts:
            button(form, text).click()

    return drive


async def prompt(session: Session, person: Person, text: str = "go") -> str:
    turn = await asyncio.wait_for(session.prompt(text, permit=person), DEADLINE)
    return turn.text


def uses(*inputs: tuple[str, Mapping[str, object]]) -> str:
    """Write a script of one turn that uses tools one after the other."""
    steps = [{"use": {"tool": tool, "input": dict(tool_input)}} for tool, tool_input in inputs]
    return json.dumps([[*steps, {"say": "{last_result}"}]])


async def test_a_command_that_is_allowed_runs(tmp_path: Path) -> None:
    person = Person(click("Allow once"))
    with scripted_model(RUNS) as server:
        async with scripted_session(server, tmp_path) as session:
            await prompt(session, person)

    assert (tmp_path / "ran.txt").read_text() == "ran\n"
    assert [request.tool_name for request in person.requests] == ["Bash"]


async def test_a_command_that_is_denied_does_not_run_and_the_model_reads_why(tmp_path: Path) -> None:
    """B58."""
    with scripted_model(RUNS) as server:
        async with scripted_session(server, tmp_path) as session:
            said = await prompt(session, Person(click("Deny", Reason="use ran.log")))

    assert not (tmp_path / "ran.txt").exists()
    assert said == "The user denied this use of Bash; it was not run. The user said: use ran.log"


async def test_deny_and_stop_ends_the_turn_and_the_session_goes_on(tmp_path: Path) -> None:
    script = RUNS + '- - say: "Here again."\n'
    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            person = Person(click("Deny and stop"))
            stopped = asyncio.ensure_future(session.prompt("go", permit=person))
            await asyncio.wait([stopped], timeout=DEADLINE)
            assert stopped.done()
            stopped.exception()
            assert await prompt(session, person, "again") == "Here again."

    assert not (tmp_path / "ran.txt").exists()


async def test_an_edited_command_is_what_runs(tmp_path: Path) -> None:
    drive = click("Edit first", "Allow as edited", Changed_input="echo edited > edited.txt")
    with scripted_model(RUNS) as server:
        async with scripted_session(server, tmp_path) as session:
            await prompt(session, Person(drive))

    assert (tmp_path / "edited.txt").read_text() == "edited\n"
    assert not (tmp_path / "ran.txt").exists()


@pytest.mark.parametrize(("text", "lands"), [("Allow once", True), ("Deny", False)])
async def test_a_file_lands_only_when_it_is_allowed(text: str, *, lands: bool, tmp_path: Path) -> None:
    script = uses(("Write", {"file_path": str(tmp_path / "new.txt"), "content": "text"}))
    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            await prompt(session, Person(click(text)))

    assert (tmp_path / "new.txt").exists() == lands


async def test_an_edit_is_shown_against_the_file_and_lands(tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text("one\ntwo\n")
    edit = {"file_path": str(file), "old_string": "two", "new_string": "three"}
    shown: list[str] = []

    def drive(form: DecisionForm) -> None:
        shown.append(html(form))
        button(form, "Allow once").click()

    script = uses(("Read", {"file_path": str(file)}), ("Edit", edit))
    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            await prompt(session, Person(drive))

    assert "<del>-two</del>" in shown[0]
    assert "<ins>+three</ins>" in shown[0]
    assert file.read_text() == "one\nthree\n"


@pytest.mark.parametrize("sources", [["local"], []])
async def test_an_always_rule_spares_the_second_question_and_is_saved_where_it_says(
    sources: list[Literal["local"]], tmp_path: Path
) -> None:
    """B67."""
    command = "python3 -c 'print(1)'"
    person = Person(click("Always allow"))
    with scripted_model(uses(("Bash", {"command": command}), ("Bash", {"command": command}))) as server:
        async with scripted_session(server, tmp_path, setting_sources=sources) as session:
            assert await prompt(session, person) == "1"

    assert len(person.requests) == 1
    settings = json.loads((tmp_path / ".claude" / "settings.local.json").read_text())
    # In its files the CLI escapes parentheses.
    assert settings["permissions"]["allow"] == ["Bash(python3 -c 'print\\(1\\)')"]


async def test_always_allowing_an_edit_switches_the_mode_as_it_says(tmp_path: Path) -> None:
    """B67."""
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    person = Person(click("Always allow"))
    with scripted_model(uses(*(("Write", {"file_path": str(file), "content": "x"}) for file in files))) as server:
        async with scripted_session(server, tmp_path) as session:
            await prompt(session, person)

    assert all(file.exists() for file in files)
    assert len(person.requests) == 1


async def test_an_allowance_for_the_session_spares_the_next_and_ends_when_it_is_forgotten(tmp_path: Path) -> None:
    """B67."""
    files = [tmp_path / f"{number}.txt" for number in range(3)]
    turns = [
        [{"use": {"tool": "Write", "input": {"file_path": str(file), "content": "x"}}}, {"say": "ok"}] for file in files
    ]
    person = Person(click("Allow for this session"), click("Deny"))
    with scripted_model(json.dumps(turns)) as server:
        async with scripted_session(server, tmp_path) as session:
            await prompt(session, person)
            await prompt(session, person)
            assert len(person.requests) == 1
            person.allowances.clear()
            await prompt(session, person)

    assert [file.exists() for file in files] == [True, True, False]
    assert not (tmp_path / ".claude").exists()


async def test_an_interrupt_ends_the_form_and_the_command_does_not_run(tmp_path: Path) -> None:
    """B27."""
    asked = asyncio.Event()
    forms: list[DecisionForm] = []

    def wait(form: DecisionForm) -> None:
        forms.append(form)
        asked.set()

    with scripted_model(RUNS) as server:
        async with scripted_session(server, tmp_path) as session:
            turn = asyncio.ensure_future(session.prompt("go", permit=Person(wait)))
            await asyncio.wait_for(asked.wait(), DEADLINE)
            late = button(forms[0], "Allow once")
            turn.cancel()
            with pytest.raises(asyncio.CancelledError):
                await turn

            assert forms[0].done
            late.click()

    assert not (tmp_path / "ran.txt").exists()


class Planner:
    """Plays a model that writes its plan file, asks for approval, and goes on with ``then``."""

    def __init__(self, plans: Sequence[str], then: Sequence[ToolUse] = ()) -> None:
        self.uses: list[Callable[[str], ToolUse]] = []
        for plan in plans:
            self.uses += [self._written(plan), lambda _path: ToolUse(tool="ExitPlanMode", input={})]

        self.uses += [lambda _path, use=use: use for use in then]  # type: ignore[misc]
        self.mismatches: tuple[str, ...] = ()

    @staticmethod
    def _written(plan: str) -> Callable[[str], ToolUse]:
        return lambda path: ToolUse(tool="Write", input={"file_path": path, "content": plan})

    def respond(self, conversation: Conversation) -> Reply:
        """Give the next tool use, at last what its result said."""
        if conversation.replies >= len(self.uses):
            results = conversation.all_tool_results
            return Reply(blocks=(Text(text=results[-1].text),))

        return Reply(blocks=(self.uses[conversation.replies](conversation.plan_file),))


async def plan(planner: Planner, person: Person, home: Path) -> tuple[str, ...]:
    """Run a turn in plan mode and give what the model read from its tools."""
    with ModelServer(planner) as server:
        async with scripted_session(server, home, mode="plan") as session:
            await prompt(session, person)

        return server.tool_results()


async def test_an_approved_plan_is_read_by_the_model_as_approved(tmp_path: Path) -> None:
    person = Person(click("Approve plan"))
    results = await plan(Planner(["## Steps\n1. Count"]), person, tmp_path)
    assert person.requests[0].input["plan"] == "## Steps\n1. Count"
    assert "approved" in results[-1]
    assert "1. Count" in results[-1]


async def test_remarks_are_what_the_model_reads_and_the_next_plan_asks_again(tmp_path: Path) -> None:
    """B30."""
    person = Person(click("Keep planning", Remarks="split step 1"), click("Approve plan"))
    results = await plan(Planner(["## First", "## Second"]), person, tmp_path)
    assert results[1] == "split step 1"
    assert [request.input["plan"] for request in person.requests] == ["## First", "## Second"]
    assert "approved" in results[-1]


async def test_an_edited_plan_is_what_the_model_carries_out(tmp_path: Path) -> None:
    person = Person(click("Edit plan", "Approve plan", Plan="## Edited\n1. Less"))
    results = await plan(Planner(["## Steps\n1. Count"]), person, tmp_path)
    assert "1. Less" in results[-1]
    assert "1. Count" not in results[-1]


@pytest.mark.parametrize(("text", "asks"), [("Approve plan", 2), ("Approve and accept edits", 1)])
async def test_accepting_edits_with_a_plan_spares_their_questions(text: str, asks: int, tmp_path: Path) -> None:
    write = ToolUse(tool="Write", input={"file_path": str(tmp_path / "new.txt"), "content": "x"})
    person = Person(click(text), click("Allow once"))
    await plan(Planner(["## Steps"], [write]), person, tmp_path)
    assert (tmp_path / "new.txt").exists()
    assert len(person.requests) == asks


async def test_a_plan_mode_without_a_plan_cannot_be_approved(tmp_path: Path) -> None:
    """B68."""
    person = Person(click("Keep planning", Remarks="write one"))
    with scripted_model(uses(("ExitPlanMode", {}))) as server:
        async with scripted_session(server, tmp_path, mode="plan") as session:
            assert await prompt(session, person) == "write one"

    assert dict(person.requests[0].input) == {}
