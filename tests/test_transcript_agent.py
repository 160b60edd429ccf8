"""The transcript of turns of the real CLI, with only the model scripted."""

from __future__ import annotations

from pathlib import Path

import pytest

from askwidgets.errors import SessionError, TurnError
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Answer, Outcome, QuestionRequest
from askwidgets.transcript import Transcript
from tests.agent import QUESTION, scripted_model, scripted_session
from tests.recorded_outputs import RecordedOutputs

SCRIPT = f"""
- - say: "Let **me** look.\\n\\n| a | b |\\n| - | - |\\n| 1 | 2 |"
  - use: {{tool: Bash, input: {{command: "printf '\\\\033[31mred\\\\033[0m'", description: Print}}}}
  - say: "```python\\nx = 1\\n```"
  - ask: {QUESTION}
  - say: Done.
"""


async def answer(request: QuestionRequest) -> Outcome:
    return Outcome(kind="answered", answers={request.questions[0].text: Answer(labels=("SQLite",))})


async def allow(_request: PermissionRequest) -> Decision:
    return Decision(allow=True)


async def play(script: str, home: Path) -> tuple[RecordedOutputs, Exception | None]:
    """Run one turn of the real CLI and draw it."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    transcript.status("Starting")
    problem = None

    with scripted_model(script) as server:
        async with scripted_session(server, home) as session:
            try:
                turn = await session.prompt("Go", ask=answer, permit=allow, on_message=transcript.feed)
            except SessionError as error:
                problem = error
            else:
                assert turn.text == transcript.text

    transcript.finish()

    return outputs, problem


@pytest.mark.agent
@pytest.mark.anyio
async def test_a_turn_of_the_real_cli_is_drawn_the_same_each_time(tmp_path_factory: pytest.TempPathFactory) -> None:
    """B46."""
    first, problem = await play(SCRIPT, tmp_path_factory.mktemp("first"))
    second, _ = await play(SCRIPT, tmp_path_factory.mktemp("second"))
    assert problem is None
    assert first.bundles == second.bundles
    assert "Bash: printf" in first.plain
    assert ">red</span>" in first.html
    assert "<th>a</th>" in first.html
    assert "<data>1</data>" in first.html
    assert "AskUserQuestion" not in first.html


@pytest.mark.agent
@pytest.mark.anyio
async def test_a_service_that_recovers_is_told_of_only_meanwhile(tmp_path: Path) -> None:
    outputs, problem = await play("- - fail: {status: 529, times: 1}\n  - say: Here again.", tmp_path)
    assert problem is None
    assert any("Retrying, attempt 1 of 10: overloaded, HTTP 529" in str(bundle) for bundle in outputs.sent)
    assert outputs.texts == ["Here again."]
    assert "Retrying" not in outputs.plain + outputs.html


@pytest.mark.agent
@pytest.mark.anyio
async def test_the_text_before_a_refusal_is_kept(tmp_path: Path) -> None:
    script = "- - say: First.\n  - use: {tool: Bash, input: {command: ls}}\n  - fail: {status: 400, message: bad}"
    outputs, problem = await play(script, tmp_path)
    assert isinstance(problem, TurnError)
    assert outputs.texts == ["First."]
    assert "bad" not in outputs.plain
