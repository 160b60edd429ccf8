"""What a session does not take, or its service or its CLI does not, is said in words."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from askwidgets.errors import (
    CliError,
    OptionError,
    SessionError,
    SignInError,
    TurnError,
)
from askwidgets.session import Session
from askwidgets.session_options import SessionOptions
from tests.agent import scripted_model, scripted_session

pytestmark = [pytest.mark.agent, pytest.mark.anyio]


async def test_no_sign_in_and_no_key_says_what_to_do(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "config"), "ANTHROPIC_API_KEY": ""}

    async with Session(cwd=tmp_path, env=env, setting_sources=[]) as session:
        with pytest.raises(SignInError) as raised:
            await session.prompt("one")

    assert "python -m askwidgets login" in str(raised.value)
    assert "%claude demo" in str(raised.value)


@pytest.mark.parametrize(
    ("status", "words"),
    [(400, "no such thing"), (529, "Overloaded")],
)
async def test_a_service_that_says_no_fails_the_turn(tmp_path: Path, status: int, words: str) -> None:
    script = f"- - fail: {{status: {status}, message: {words}}}\n"

    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path, env={"CLAUDE_CODE_MAX_RETRIES": "0"}) as session:
            with pytest.raises(TurnError, match=str(status)):
                await session.prompt("one")

            assert session.last is not None


@pytest.mark.parametrize("kind", ["missing", "a directory", "not executable"])
async def test_a_bad_cli_path_is_said_before_anything_starts(tmp_path: Path, kind: str) -> None:
    """B35."""
    path = tmp_path / "claude"

    if kind == "a directory":
        path.mkdir()
    elif kind == "not executable":
        path.write_text("#!/bin/sh\n")

    async with Session(cli_path=path, cwd=tmp_path) as session:
        with pytest.raises(CliError, match="Set cli_path"):
            await session.prompt("one")


async def test_a_setting_that_the_cli_never_sees_is_not_said_to_be_its_failure(tmp_path: Path) -> None:
    async with Session(cwd=tmp_path, session_store="nowhere://x") as session:
        with pytest.raises(SessionError, match=r"^session_store is"):
            await session.prompt("Greet me.")


async def test_an_empty_prompt_is_refused(tmp_path: Path) -> None:
    session = Session(cwd=tmp_path)

    with pytest.raises(OptionError, match="some text"):
        await session.prompt(" \n")


async def test_one_text_is_not_taken_for_a_list_of_its_letters() -> None:
    for name in ("add_dirs", "allowed_tools", "setting_sources", "tools"):
        with pytest.raises(OptionError, match=r"wanted a list: \['Read'\]"):
            Session(**cast("SessionOptions", {name: "Read"}))


async def test_an_unknown_mode_or_effort_is_refused_with_those_there_are_and_so_is_an_option(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="acceptEdits"):
        Session(cwd=tmp_path, mode="yolo")

    with pytest.raises(OptionError, match="wanted one of low, medium"):
        Session(cwd=tmp_path, effort="huge")

    with pytest.raises(TypeError, match="unexpected keyword argument 'modle'"):
        Session(cwd=tmp_path, modle="sonnet")  # type: ignore[call-arg]


async def test_a_conversation_that_is_not_there_is_said_once_and_the_next_prompt_starts_a_new_one(
    tmp_path: Path,
) -> None:
    unknown = "00000000-0000-4000-8000-000000000000"

    with scripted_model("[[{say: One.}], [{say: Two.}]]") as server:
        async with scripted_session(server, tmp_path, resume=unknown) as session:
            with pytest.raises(OptionError, match=unknown):
                await session.prompt("Greet me.")

            assert (await session.prompt("Greet me.")).session_id != unknown
