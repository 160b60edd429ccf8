"""The magics in a real shell, with the real CLI on the scripted model."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import askwidgets
from askwidgets.errors import AskWidgetsError, OptionError, ScriptError, UnansweredError
from tests.agent import QUESTION, cli_processes
from tests.notebook_shell import assert_refused, loaded_shell, run_cell

SCRIPT = f"""
- when: "ask*"
  steps:
    - ask: {QUESTION}
    - say: "You said: {{last_result}}"
- when: "*"
  steps:
    - say: Hello.
"""
ANSWERED = 'Your questions have been answered: "Which store should hold sessions?"="SQLite"'


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    (tmp_path / "script.yaml").write_text(SCRIPT)
    with loaded_shell(tmp_path) as shell:
        shell.user_ns["folder"] = str(tmp_path)
        yield shell


@pytest.fixture
def demo(shell: InteractiveShell, tmp_path: Path) -> InteractiveShell:
    with capture_output():
        shell.run_line_magic("claude", f"demo {tmp_path / 'script.yaml'}")

    return shell


@pytest.mark.agent
def test_a_cell_runs_a_turn_and_binds_it(demo: InteractiveShell) -> None:
    result, printed = run_cell(demo, "%%claude --into turn\nhello there")

    assert result.success
    assert demo.user_ns["turn"].text == "Hello."
    assert "Hello." in printed


@pytest.mark.agent
def test_answers_given_beforehand_reach_the_model(demo: InteractiveShell) -> None:
    demo.user_ns["given"] = {"Which store*": "SQLite"}
    result, printed = run_cell(demo, "%%claude --answers given --into turn\nask me")

    assert result.success
    assert ANSWERED in demo.user_ns["turn"].text
    assert "Answered" in printed


@pytest.mark.agent
def test_answers_can_stand_in_a_file(demo: InteractiveShell, tmp_path: Path) -> None:
    """By variables, also by those that have the names of our own."""
    (tmp_path / "a.yaml").write_text('"*": SQLite\n')
    demo.user_ns["line"] = demo.user_ns["self"] = str(tmp_path)
    _, printed = run_cell(demo, "%claude demo $self/script.yaml")
    assert "scripted model" in printed
    result, _ = run_cell(demo, "%%claude --answers $line/a.yaml --into turn\nask me")

    assert result.success
    assert ANSWERED in demo.user_ns["turn"].text


@pytest.mark.agent
def test_with_nobody_there_a_question_fails_the_cell_with_the_line_to_add(demo: InteractiveShell) -> None:
    """B45."""
    result, printed = run_cell(demo, "%%claude\nask me")

    assert isinstance(result.error_in_exec, UnansweredError)
    assert "Redis, SQLite" in printed
    assert "Add a line to the answers" in printed
    assert "Traceback" not in printed


@pytest.mark.agent
def test_the_magic_works_where_it_cannot_be_awaited(demo: InteractiveShell) -> None:
    for cell in [
        "%%time\n%%claude --into turn\nhello",
        "%%capture captured\n%%claude --into turn\nhello",
        "def ask():\n    get_ipython().run_cell_magic('claude', '--into turn', 'hello')\n\nask()",
    ]:
        demo.user_ns.pop("turn", None)
        result, printed = run_cell(demo, cell)

        assert result.success, printed
        assert demo.user_ns["turn"].text == "Hello."


def test_a_turn_in_a_thread_leaves_no_task_behind_also_where_asyncio_is_patched() -> None:
    # In a process of its own, because nobody takes the patch back.
    code = """
        import asyncio, threading
        from askwidgets.kernel import run_nested

        left = []

        async def run_inside():
            run_nested(asyncio.sleep(0))

        async def leave():
            left.append(asyncio.get_running_loop().create_task(asyncio.sleep(3600)))

        asyncio.run(run_inside())
        thread = threading.Thread(target=run_nested, args=(leave(),))
        thread.start()
        thread.join(10)
        print(left[0].cancelled())
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, timeout=30, check=False)

    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.agent
def test_two_sessions_keep_their_own_conversations(demo: InteractiveShell) -> None:
    run_cell(demo, "%%claude --into one\nhello")
    run_cell(demo, "%%claude -s other --into two\nhello")
    _, printed = run_cell(demo, "%claude status")
    waited, _ = run_cell(demo, "which = 'other'\n%claude wait $which")

    assert waited.success
    assert demo.user_ns["one"].session_id != demo.user_ns["two"].session_id
    assert "main: ready" in printed
    assert "other: ready" in printed


@pytest.mark.agent
def test_new_starts_the_conversation_afresh(demo: InteractiveShell) -> None:
    run_cell(demo, "%%claude --into one\nhello")
    run_cell(demo, "%%claude --new --into two\nhello")

    assert demo.user_ns["one"].session_id != demo.user_ns["two"].session_id


@pytest.mark.agent
def test_unloading_leaves_no_process_and_no_thread_and_no_hook(demo: InteractiveShell) -> None:
    """B34."""
    run_cell(demo, "%%claude\nhello")
    assert cli_processes()
    demo.run_line_magic("unload_ext", "askwidgets")

    assert not cli_processes()
    assert not [thread for thread in threading.enumerate() if "askwidgets" in thread.name]
    assert "claude" not in demo.magics_manager.magics["cell"]
    assert "claude" not in demo.magics_manager.magics["line"]


@pytest.mark.parametrize(
    ("cell", "kind", "words"),
    [
        ("%%claude\n  \n", OptionError, "some text"),
        ("%%claude -s 2nd\nhello", OptionError, "session's name"),
        ("%%claude --mode yolo\nhello", OptionError, "bypassPermissions"),
        ("%%claude --answers nothing_there\nhello", OptionError, "YAML or JSON file"),
        ("%%claude --cwd /nowhere/at/all\nhello", OptionError, "an existing directory"),
    ],
)
def test_bad_input_is_said_in_a_line_or_two_without_a_traceback(
    shell: InteractiveShell, cell: str, kind: type[AskWidgetsError], words: str
) -> None:
    assert_refused(shell, cell, kind, words)


def test_an_unknown_option_is_ipythons_own_usage_error(shell: InteractiveShell) -> None:
    _, printed = run_cell(shell, "%%claude --inot x\nhello")

    assert "UsageError: %%claude: unrecognized arguments: --inot x; did you mean --into?" in printed
    _, printed = run_cell(shell, "%%claude Which store?\nhello")
    assert "unrecognized arguments: Which store?; the prompt stands on the lines below." in printed


def test_an_unknown_word_names_those_there_are(shell: InteractiveShell) -> None:
    _, printed = run_cell(shell, "%claude dance")

    assert "no such word" in printed
    assert "status" in printed
    _, printed = run_cell(shell, "%claude anwser")
    assert "Did you mean `%claude answer`?" in printed


@pytest.mark.parametrize("word", ["new", "interrupt", "close"])
def test_an_unknown_session_is_not_taken_for_one(shell: InteractiveShell, word: str) -> None:
    result, _ = run_cell(shell, f"%claude {word} mian")

    assert isinstance(result.error_in_exec, OptionError)


def test_a_script_that_does_not_parse_is_said_with_its_line(shell: InteractiveShell, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("- - say: hello\n  - shout: hello\n")
    result, printed = run_cell(shell, f"%claude demo {tmp_path / 'bad.yaml'}")

    assert isinstance(result.error_in_exec, ScriptError)
    assert "bad.yaml, line 2" in printed


def test_loading_says_nothing_and_starts_nothing(caplog: pytest.LogCaptureFixture) -> None:
    shell = InteractiveShell()

    with caplog.at_level(logging.DEBUG, "askwidgets"):
        result, printed = run_cell(shell, "%load_ext askwidgets")

    assert result.success
    assert printed == ""
    assert not caplog.records
    assert not cli_processes()
    askwidgets.unload_ipython_extension(shell)


def test_a_setting_that_was_refused_does_not_keep_the_extension_from_loading_again(shell: InteractiveShell) -> None:
    run_cell(shell, "%config ClaudeMagics.rerun = 'ask'")
    run_cell(shell, "%config ClaudeMagics.max_turns = 'many'")
    result, _ = run_cell(shell, "%reload_ext askwidgets")
    _, printed = run_cell(shell, "%config ClaudeMagics")

    assert result.success
    assert "Current: 'ask'" in printed
    assert [type(known).__name__ for known in shell.configurables].count("ClaudeMagics") == 1


def test_help_lists_every_word_and_the_docstring_every_option(shell: InteractiveShell) -> None:
    _, printed = run_cell(shell, "%claude help")
    docstring = shell.magics_manager.magics["cell"]["claude"].__doc__

    assert "%claude demo" in printed
    assert "--max-budget-usd" in docstring
