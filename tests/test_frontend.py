"""What a person sits at, as the shell knows it: a console of a kernel, a terminal that is none, a bare shell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.frontend import Frontend
from askwidgets.line_form import LineForm
from tests.agent import QUESTION
from tests.environments import Environment
from tests.scripted_kernel import NEWEST, scripted_kernel, ways
from tests.terminal import ENTER, Terminal


def test_a_shell_that_is_no_terminal_is_asked_by_forms_where_they_can_be_answered() -> None:
    frontend = Frontend(InteractiveShell())

    assert not frontend.is_text
    assert not frontend.is_attended
    assert frontend.prompts(is_awaited=True) is None
    assert isinstance(frontend.prompts(is_awaited=False), LineForm)
    assert isinstance(frontend.prompts(is_awaited=True, way="text"), LineForm)


@pytest.mark.kernel
@pytest.mark.parametrize("way", ways(NEWEST))
def test_a_frontend_without_widgets_can_be_asked_in_text_and_stopped_meanwhile(way: str, tmp_path: Path) -> None:
    """B37, B41."""
    script = f"""
    - when: "*"
      steps:
        - ask: {QUESTION}
        - say: "The model read: {{last_result}}"
    """

    with scripted_kernel(tmp_path, script, way, setup="%config ClaudeMagics.ask = 'text'") as kernel:
        stopped = kernel.execute("%%claude\none")
        kernel.wait_until(lambda: stopped.stdin_prompts, "the prompt")
        kernel.interrupt()
        assert "KeyboardInterrupt" in kernel.finish(stopped).text
        assert stopped.text.count("\nInterrupted\n") == 1

        asking = kernel.execute("%%claude -b --into turn\ntwo")
        kernel.wait_until(lambda: asking.stdin_prompts, "the prompt")
        kernel.reply_to_stdin("/notes small")
        kernel.wait_until(lambda: len(asking.stdin_prompts) == 2, "the prompt after the note")
        kernel.reply_to_stdin("2")
        assert kernel.finish(asking).status == "ok", asking.text
        assert kernel.value("turn.answers") == "{'Which store should hold sessions?': 'SQLite'}"
        assert kernel.shown() == []


@pytest.mark.ci
@pytest.mark.kernel
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pexpect")
def test_jupyter_console_is_known_at_once_and_asked_through_input(tmp_path: Path) -> None:
    """B37."""
    program = Environment(ipykernel="7.4.0", requirements=("jupyter-console<7",)).interpreter()
    (tmp_path / "script.yaml").write_text(
        f"""
        - - say: "Let me ask first."
          - ask: {QUESTION}
          - say: "The model read: {{last_result}}"
        """
    )

    with Terminal.started([str(program.parent / "jupyter-console")], tmp_path) as terminal:
        terminal.wait_for("In [1]:")
        terminal.type("%load_ext askwidgets", ENTER)
        terminal.wait_for("In [2]:")
        terminal.type("%claude demo script.yaml", ENTER)
        terminal.wait_for("In [3]:")
        terminal.type("%%claude", ENTER, "one", ENTER, ENTER, ENTER)
        terminal.wait_for("A number, or your own answer:")
        assert terminal.text.count("Let me ask first.") == 1
        terminal.type("2", ENTER)
        terminal.wait_for('="SQLite"')
        terminal.wait_for("In [4]:")
        assert terminal.text.count("\nAnswered\n") == 1
