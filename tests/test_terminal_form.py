"""Questions in a terminal, typed into a real IPython and a real script; only the model is scripted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal import CTRL_C, DOWN, ENTER, SPACE, Terminal

pytestmark = [pytest.mark.agent, pytest.mark.skipif(sys.platform == "win32", reason="there is no pexpect")]

SCRIPT = r"""
- when: "*one*"
  steps:
    - say: "Let me **ask** first."
    - ask:
        questions:
          - question: "Which store \e]0;stolen\a\e[31mshould hold sessions?"
            header: Store
            multiSelect: false
            options:
              - {label: Redis, description: in memory, preview: "import redis"}
              - {label: SQLite, description: one file, preview: "import sqlite3"}
    - say: "The model read: {last_result}"
- when: "*several*"
  steps:
    - ask:
        questions:
          - question: "Which checks run in CI?"
            header: CI
            multiSelect: true
            options: [{label: lint, description: fast}, {label: types, description: slow}]
          - question: "On which Python?"
            header: Python
            multiSelect: false
            options: [{label: oldest, description: first}, {label: newest, description: last}]
    - say: "The model read: {last_result}"
- when: "*command*"
  steps:
    - use: {tool: Bash, input: {command: "touch made", description: Make a file}}
    - say: "The model read: {last_result}"
"""

ALONE = """
import asyncio, os, tempfile
import askwidgets
from askwidgets.model_server import ModelServer
from askwidgets.script import load_script

async def main():
    with ModelServer(load_script("script.yaml")) as server:
        async with askwidgets.Session(env=server.env(tempfile.mkdtemp()), setting_sources=[]) as session:
            turn = await session.prompt("one question")
            print("The turn:", turn.text)

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def ipython(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """IPython, with the scripted model; one for all tests, since each of them leaves it at a new cell."""
    folder = tmp_path_factory.mktemp("terminal")
    (folder / "script.yaml").write_text(SCRIPT)

    with Terminal.started([sys.executable, "-m", "IPython", "--no-banner"], folder) as terminal:
        terminal.wait_for("In [1]:")
        terminal.type("%load_ext askwidgets", ENTER)
        terminal.wait_for("In [2]:")
        terminal.type("%claude demo script.yaml", ENTER)
        terminal.wait_for("In [3]:")
        yield terminal


@pytest.fixture
def terminal(ipython: Terminal) -> Terminal:
    """The terminal, with nothing on its screen but a new cell."""
    ipython.clear()

    return ipython


def prompt(terminal: Terminal, text: str) -> None:
    """Type a cell that runs a turn."""
    terminal.type("%%claude --into turn", ENTER, text, ENTER, ENTER, ENTER)


def pick(terminal: Terminal, text: str) -> None:
    """Press the digit that stands before a row, and Enter."""
    terminal.wait_for(f") {text}")
    before = terminal.text.split(f") {text}")[-2]
    terminal.type(before[-1], ENTER)


def said(terminal: Terminal) -> str:
    """Wait for the end of the turn, and give what the model has read, on one line."""
    terminal.wait_for("claude-")
    terminal.type("turn.text.count('x') * 0 + 4711", ENTER)
    terminal.wait_for("]: 4711")

    return "".join(terminal.text.split("The model read: ")[-1].split("claude-")[0].splitlines())


def test_an_option_is_picked_with_the_arrow_keys_and_its_preview_follows(terminal: Terminal) -> None:
    prompt(terminal, "one question")
    terminal.wait_for("import redis")
    assert "import sqlite3" not in terminal.text
    terminal.type(DOWN)
    terminal.wait_for("import sqlite3")
    terminal.type(ENTER)

    assert '="SQLite" selected preview:' in said(terminal)
    assert terminal.text.count("Let me **ask** first.") == 1
    assert terminal.text.count("\nAnswered\n") == 1
    assert "AskUserQuestion" not in terminal.text


def test_what_the_model_writes_is_no_command_to_the_terminal(terminal: Terminal) -> None:
    """B48."""
    prompt(terminal, "one question")
    pick(terminal, "Redis")

    assert '="Redis"' in said(terminal)
    assert "Which store should hold sessions?" in terminal.text
    assert "stolen" not in terminal.title


def test_options_are_ticked_and_ones_own_words_stand_beside_them(terminal: Terminal) -> None:
    """B06, B51."""
    prompt(terminal, "several questions")
    terminal.wait_for("Your own answer")
    terminal.type(DOWN, SPACE, DOWN, SPACE, ENTER)
    terminal.wait_for("? Your own answer")
    terminal.type("audit weekly", ENTER)
    pick(terminal, "newest")
    pick(terminal, "Submit answers")

    read = said(terminal)
    assert '"Which checks run in CI?"="types, audit weekly"' in read
    assert '"On which Python?"="newest"' in read


def test_a_question_is_discussed_instead(terminal: Terminal) -> None:
    """B58, B59."""
    prompt(terminal, "one question")
    pick(terminal, "Discuss instead")
    terminal.wait_for("What should be discussed?")
    terminal.type("which is cheaper", ENTER)

    assert "which is cheaper" in said(terminal)
    assert "Declined" in terminal.text


def test_ctrl_c_interrupts_the_turn_and_the_session_goes_on(terminal: Terminal) -> None:
    """B27, B41."""
    prompt(terminal, "one question")
    terminal.wait_for("Discuss instead")
    terminal.type(CTRL_C)
    terminal.wait_for("KeyboardInterrupt: the turn was interrupted")
    assert terminal.text.count("\nInterrupted\n") == 1

    terminal.clear()
    prompt(terminal, "one question")
    pick(terminal, "Redis")
    assert '="Redis"' in said(terminal)


def test_a_permission_is_denied_with_a_reason(terminal: Terminal) -> None:
    prompt(terminal, "a command")
    pick(terminal, "Deny, with a reason or without")
    assert "touch made" in terminal.text
    terminal.wait_for("? Reason")
    terminal.type("not here", ENTER)

    assert "The user said: not here" in said(terminal)
    assert terminal.text.count("\nDenied\n") == 1


def test_a_script_asks_at_its_terminal(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    (tmp_path / "alone.py").write_text(ALONE)

    with Terminal.started([sys.executable, "alone.py"], tmp_path) as terminal:
        pick(terminal, "SQLite")
        terminal.wait_for('="SQLite"')
