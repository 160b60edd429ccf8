"""An MCP server on the real CLI: its tools need a permission, and its questions are told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from askwidgets.elicitations import elicitation_notice
from askwidgets.session import Session
from askwidgets.transcript import Transcript
from askwidgets.turn import Notice
from tests import asking_server
from tests.agent import scripted_model, scripted_session
from tests.recorded_outputs import RecordedOutputs
from tests.test_permission_agent import Person, click

pytestmark = pytest.mark.anyio

GREET = {"tool": "mcp__asker__greet", "input": {}}
ADD = {"tool": "mcp__asker__add", "input": {"a": 1, "b": 2}}


def script(*uses: Mapping[str, object]) -> str:
    # The server connects while the first turn goes on.
    return json.dumps([[{"say": "Hello."}], [*({"use": use} for use in uses), {"say": "{last_result}"}]])


async def prompt(session: Session, person: Person) -> tuple[str, str, list[str]]:
    """Give what the model read last, what the cell shows, and what the session had to say."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    notices: list[str] = []

    def see(message: object) -> None:
        transcript.feed(message)

        if isinstance(message, Notice):
            notices.append(message.text)

    await session.prompt("hello")
    turn = await session.prompt("go", permit=person, on_message=see)
    transcript.finish()
    return turn.text, outputs.html, notices


@pytest.mark.agent
@pytest.mark.parametrize(("text", "read"), [("Allow once", "3"), ("Deny", "The user denied this use")])
async def test_a_tool_of_an_mcp_server_runs_only_when_it_is_allowed(text: str, read: str, tmp_path: Path) -> None:
    asking_server.configure(tmp_path)
    person = Person(click(text))
    with scripted_model(script(ADD)) as server:
        async with scripted_session(server, tmp_path, setting_sources=["project"]) as session:
            said, _, _ = await prompt(session, person)

    assert said.startswith(read)
    assert [(request.tool_name, dict(request.input)) for request in person.requests] == [
        ("mcp__asker__add", {"a": 1, "b": 2})
    ]


@pytest.mark.agent
async def test_an_allowance_for_the_session_covers_that_tool_and_no_other_of_the_server(tmp_path: Path) -> None:
    """B67."""
    asking_server.configure(tmp_path)
    person = Person(click("Allow for this session"), click("Deny"))
    with scripted_model(script(ADD, ADD, GREET)) as server:
        async with scripted_session(server, tmp_path, setting_sources=["project"]) as session:
            await prompt(session, person)

    assert [request.tool_name for request in person.requests] == ["mcp__asker__add", "mcp__asker__greet"]


@pytest.mark.agent
async def test_a_question_of_an_mcp_server_is_told_with_what_became_of_it(tmp_path: Path) -> None:
    asking_server.configure(tmp_path)
    with scripted_model(script(GREET)) as server:
        async with scripted_session(server, tmp_path, setting_sources=["project"]) as session:
            said, html, notices = await prompt(session, Person(click("Allow once")))

    assert said == "They said: cancel"
    assert notices == [
        f"The MCP server asker asks: {asking_server.QUESTION} It wants: name.",
        "The MCP server asker got no answer (cancel): its questions cannot be answered here.",
    ]
    assert "Who is &lt;b&gt;there&lt;/b&gt;?" in html


@pytest.mark.parametrize(
    ("hook_input", "text"),
    [
        (
            {"mcp_server_name": "a", "message": "Sign in", "url": "https://e.org/in"},
            "The MCP server a asks: Sign in It names the address https://e.org/in.",
        ),
        ({}, "The MCP server without a name asks: nothing in words"),
        (
            {"mcp_server_name": "a\x1b[31m\u202eb", "message": "x" * 700, "requested_schema": "no"},
            f"The MCP server a\u2039U+202E\u203ab asks: {'x' * 600}…",
        ),
        (
            {"hook_event_name": "ElicitationResult", "mcp_server_name": "a", "action": "accept"},
            "The MCP server a was answered by Claude Code or its settings (accept).",
        ),
    ],
)
def test_whatever_a_server_sends_becomes_a_safe_line(hook_input: Mapping[str, object], text: str) -> None:
    assert elicitation_notice(hook_input).text == text
