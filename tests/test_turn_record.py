"""What a turn says when the model's service says no, or a limit is reached; on the real CLI."""

from __future__ import annotations

from pathlib import Path

import pytest

from askwidgets.errors import SignInError, TurnError
from askwidgets.session_options import SessionOptions
from tests.agent import scripted_model, scripted_session

FIRST = "- - say: First.\n  - use: {tool: Bash, input: {command: ls}}\n"
MORE = "  - use: {tool: Bash, input: {command: ls}}\n  - say: End."
ONCE = {"CLAUDE_CODE_MAX_RETRIES": "0"}
NOBODY = "http://127.0.0.1:9"
"""The port of a service that nothing here offers."""


@pytest.mark.agent
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("rest", "options", "kind", "lines"),
    [
        (
            "  - fail: {status: 401, message: invalid x-api-key}",
            SessionOptions(env=ONCE),
            SignInError,
            ["refuses the key or the sign-in: Invalid API key", "Correct ANTHROPIC_API_KEY or unset it"],
        ),
        (
            "  - fail: {status: 529, message: Overloaded}",
            SessionOptions(env=ONCE),
            TurnError,
            ["529 Overloaded", "Run the cell again; what the agent had said and done by then is not lost."],
        ),
        (
            "  - fail: {status: 429, message: Slower}",
            SessionOptions(env=ONCE),
            TurnError,
            ["429", "Wait a little, then run the cell again."],
        ),
        (
            MORE,
            SessionOptions(max_turns=1),
            TurnError,
            ["Reached maximum number of turns (1)", "Raise --max-turns, or run another cell to go on."],
        ),
        (
            MORE,
            SessionOptions(max_budget_usd=1e-7),
            TurnError,
            ["Reached maximum budget", "Raise --max-budget-usd, or run another cell to go on."],
        ),
    ],
    ids=["401", "529", "429", "turns", "budget"],
)
async def test_an_end_that_nobody_wants_says_what_to_do_and_keeps_the_text(
    rest: str, options: SessionOptions, kind: type[Exception], lines: list[str], tmp_path: Path
) -> None:
    with scripted_model(FIRST + rest) as server:
        async with scripted_session(server, tmp_path, **options) as session:
            with pytest.raises(kind) as raised:
                await session.prompt("Go.")

            assert session.last is not None
            assert session.last.text == "First."
            assert session.failure is raised.value

    said = str(raised.value).split("\n")
    assert len(said) == len(lines)
    assert [line for line, words in zip(said, lines, strict=True) if words not in line] == []


@pytest.mark.agent
@pytest.mark.anyio
async def test_a_service_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    with scripted_model("- - say: Hello.") as server:
        env = {**ONCE, "ANTHROPIC_BASE_URL": NOBODY}
        async with scripted_session(server, tmp_path, env=env) as session:
            with pytest.raises(TurnError, match=r"Connection refused.*\nRun the cell again") as raised:
                await session.prompt("Go.")

            assert session.last is not None
            assert (session.last.text, session.failure) == ("", raised.value)
