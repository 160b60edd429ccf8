"""The report on the installation."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.diagnosis import Finding, findings

pytestmark = pytest.mark.agent

SECRET = "sk-ant-planted-4711"  # noqa: S105 - planted, to be searched for


def report(home: Path, **variables: str) -> str:
    """Run ``python -m askwidgets doctor`` with a home of its own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC", "CLAUDE"))}
    env |= {"HOME": str(home), "CLAUDE_CONFIG_DIR": str(home / "config"), **variables}
    done = subprocess.run(
        [sys.executable, "-m", "askwidgets", "doctor"], env=env, capture_output=True, text=True, check=True
    )

    return done.stdout


def test_it_names_versions_and_the_cli_and_says_how_to_sign_in(tmp_path: Path) -> None:
    text = report(tmp_path)

    for name in ("askwidgets", "claude-agent-sdk", "ipykernel", "ipywidgets", "CLI", "kernel", "frontend"):
        assert f"ok   {name}: " in text

    assert "fix  sign-in: not signed in" in text
    assert "askwidgets login" in text


def test_it_says_that_a_key_is_set_and_never_the_key(tmp_path: Path) -> None:
    text = report(tmp_path, ANTHROPIC_API_KEY=SECRET)

    assert "ok   sign-in: ANTHROPIC_API_KEY is set" in text
    assert SECRET not in text


def test_in_a_terminal_shell_questions_are_asked_in_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    shell = InteractiveShell.instance()

    try:
        found = {finding.name: finding for finding in findings()}
    finally:
        shell.clear_instance()

    assert found["kernel"].found == "none here: questions are asked in text"
    assert found["frontend"].found == "a terminal"


def test_what_is_wrong_stands_with_what_to_do() -> None:
    assert str(Finding(name="CLI", found="none", advice="Install it.")) == "fix  CLI: none\n     Install it."
