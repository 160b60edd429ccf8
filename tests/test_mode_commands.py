"""``%claude mode`` and ``%claude model`` in a real shell, with the real CLI on the scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.errors import OptionError
from askwidgets.permissions import PermissionRequest
from askwidgets.session_options import MODES
from tests.notebook_shell import loaded_shell, run_cell

pytestmark = pytest.mark.agent

SCRIPT = """
- when: "run*"
  steps:
    - use: {tool: Bash, input: {command: "touch ran.txt"}}
    - say: "{last_result}"
- when: "*"
  steps:
    - say: Hello.
"""
RED = "\x1b[1;31mbypassPermissions\x1b[0m"


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    with loaded_shell(tmp_path) as shell:
        run(shell, f"%claude demo {tmp_path / 'script.yaml'}")
        yield shell


@pytest.fixture
def sandbox() -> Iterator[None]:
    """Tell the CLI that root may bypass permissions here."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("IS_SANDBOX", "1")
        yield


def run(shell: InteractiveShell, cell: str) -> str:
    return run_cell(shell, cell)[1]


def test_a_mode_is_shown_and_switched_between_turns(shell: InteractiveShell) -> None:
    run(shell, "%%claude\nhello")
    assert run(shell, "%claude mode").strip() == "Session main is in mode default."
    assert "in mode plan." in run(shell, "%claude mode plan")
    run(shell, "%%claude --mode acceptEdits\nhello")
    assert "in mode acceptEdits." in run(shell, "%claude mode main")
    assert "in mode default." in run(shell, "%claude mode default main")
    assert "wanted one of default, acceptEdits" in run(shell, "%claude mode yolo")
    assert "wanted one of: main" in run(shell, "%claude mode plan other")


def test_its_help_page_names_every_mode_and_what_can_be_locked(shell: InteractiveShell) -> None:
    page = run(shell, "%claude help modes")
    locked = ("allowed_modes", "allowed_models", "offer_always_allow")
    traits = shell.magics_manager.registry["ClaudeMagics"].trait_names()
    assert not [word for word in (*MODES, *locked, "--without-asking", "clear") if word not in page]
    assert not [name for name in locked if name not in traits]


def test_a_model_is_shown_and_switched(shell: InteractiveShell) -> None:
    run(shell, "%%claude\nhello")
    assert "the default model" in run(shell, "%claude model")
    assert "uses claude-x." in run(shell, "%claude model claude-x")
    run(shell, "%%claude --into turn\nhello")
    assert shell.user_ns["turn"].model == "claude-x"


def test_what_is_allowed_for_the_session_is_listed_and_forgotten(shell: InteractiveShell) -> None:
    run(shell, "%%claude\nhello")
    notebook = shell.magics_manager.registry["ClaudeMagics"].notebook
    request = PermissionRequest(tool_name="Bash", input={"command": "touch ran.txt"})
    notebook.allowances("main").add(request)
    assert "  Bash(touch ran.txt)" in run(shell, "%claude mode").splitlines()
    assert "asks about everything again" in run(shell, "%claude mode clear")
    assert "Bash" not in run(shell, "%claude mode")
    assert not notebook.allowances("main").covers(request)


@pytest.mark.usefixtures("sandbox")
def test_bypass_needs_its_word_in_each_kernel_and_is_shown_in_red(shell: InteractiveShell, tmp_path: Path) -> None:
    """B29."""
    for cell in ("%%claude --mode bypassPermissions\nrun it", "%claude mode bypassPermissions"):
        assert "`%claude mode bypassPermissions --without-asking`" in run(shell, cell)

    assert "to stand behind" in run(shell, "%claude mode plan --without-asking")
    assert RED in run(shell, "%claude mode bypassPermissions --without-asking")
    printed = run(shell, "%%claude --mode bypassPermissions\nrun it")
    assert "Mode bypassPermissions: every tool runs without asking." in printed
    assert (tmp_path / "ran.txt").exists()
    assert f"Session main is in mode {RED}." in run(shell, "%claude mode")


@pytest.mark.usefixtures("sandbox")
def test_the_word_for_bypass_is_never_remembered(shell: InteractiveShell) -> None:
    run(shell, "%claude mode bypassPermissions --without-asking")
    run(shell, "%%claude --mode bypassPermissions\nhello")
    run(shell, "%%claude --new\nhello")
    assert "in mode default." in run(shell, "%claude mode")
    shell.run_line_magic("reload_ext", "askwidgets")
    shell.run_line_magic("config", "ClaudeMagics.mode = 'bypassPermissions'")
    result = shell.run_cell("%%claude\nhello")
    assert isinstance(result.error_in_exec, OptionError)
    assert "--without-asking" in str(result.error_in_exec)
