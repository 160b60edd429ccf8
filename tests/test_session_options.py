"""What follows from the options of a session, as the real CLI takes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from askwidgets.session import Session
from askwidgets.session_options import config_directory
from tests.agent import GREETS, scripted_model

nightly = pytest.mark.matrix


@pytest.mark.agent
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("chosen", "place"),
    [
        ("~/cafe\u0301", "work/~/caf\u00e9"),
        pytest.param("", "work", marks=nightly),
        pytest.param(None, "home/.claude", marks=nightly),
    ],
)
async def test_the_cli_keeps_its_files_in_the_configuration_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str | None, place: str
) -> None:
    """Relative to where the agent works, ``~`` a name like any other, accents composed; in the home by default."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()

    with scripted_model(GREETS) as server:
        env = {**server.env("unused"), "HOME": str(home), "IS_SANDBOX": "1"}
        del env["CLAUDE_CONFIG_DIR"]
        env |= {} if chosen is None else {"CLAUDE_CONFIG_DIR": chosen}

        async with Session(cwd=work, env=env, setting_sources=[]) as session:
            await session.prompt("Please greet me.")
            directory = config_directory(session.options)

    assert directory == tmp_path / place
    assert len(list(directory.glob("projects/*/*.jsonl"))) == 1
