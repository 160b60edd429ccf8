"""The CLI as a program."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from askwidgets.cli import auth_status, find_cli, write_launcher
from askwidgets.errors import CliError


def test_by_default_it_is_the_one_inside_the_sdk() -> None:
    found = find_cli()

    assert found.parent.name == "_bundled"
    assert os.access(found, os.X_OK)


def test_what_cannot_be_started_is_said_with_what_to_set(tmp_path: Path) -> None:
    """B35."""
    plain = tmp_path / "plain"
    plain.write_text("")

    for path, problem in [(tmp_path / "no", "does not exist"), (tmp_path, "directory"), (plain, "not executable")]:
        with pytest.raises(CliError, match=problem) as raised:
            find_cli(path)

        assert str(path) in str(raised.value)
        assert len(str(raised.value).splitlines()) == 2


@pytest.fixture
def launch(tmp_path: Path) -> str:
    """Launch a program that tells its process, group and session, from a shell that tells its own process."""
    program = tmp_path / "it's a program"
    program.write_text('#!/bin/sh\nps -o pid=,pgid=,sid= -p $$\necho "$1"\n')
    program.chmod(0o700)

    return f'echo $$; {shlex.quote(str(write_launcher(program, tmp_path)))} "two words"; exit'


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups to leave")
def test_the_launcher_starts_a_program_in_a_group_of_its_own(launch: str) -> None:
    """In the kernel's session: Linux may share out the processor by session, which took texts a tenth longer."""
    done = subprocess.run(["sh", "-c", launch], capture_output=True, text=True, check=True, start_new_session=True)
    shell, program, argument = done.stdout.splitlines()
    pid, group, session = program.split()

    assert pid == group != shell.strip()
    assert session == shell.strip()
    assert argument == "two words"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups to leave")
def test_the_launcher_leaves_a_terminal_behind(launch: str) -> None:
    """What a server of the CLI's reads from there would stop the whole group."""
    told = str(pexpect.run(shlex.join(["sh", "-c", launch]), encoding="utf-8", timeout=30)).splitlines()
    pid, group, session = told[1].split()

    assert pid == group == session
    assert told[2] == "two words"


@pytest.mark.agent
def test_without_a_sign_in_the_status_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    assert auth_status()["loggedIn"] is False
