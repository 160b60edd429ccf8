"""Real shells with the magics loaded, in which the scripted model answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from IPython.utils.capture import capture_output

from askwidgets.conversation import parse_conversation
from askwidgets.errors import AskWidgetsError
from askwidgets.model_server import ModelServer
from askwidgets.notebook import Notebook
from askwidgets.script import parse_script
from askwidgets.turn import ToolUse, Turn

__all__ = ["ALLOW_ALL", "NotebookShell", "assert_refused", "loaded_shell", "results", "run_cell"]

ALLOW_ALL: Mapping[str, object] = {"allow": ["mcp__kernel__run_python", "mcp__kernel__add_cell"]}
"""Permissions given beforehand for the kernel's tools that ask."""


def run_cell(shell: InteractiveShell, cell: str) -> tuple[ExecutionResult, str]:
    """Run a cell; gives its result and what it printed."""
    with capture_output(display=False) as captured:
        result = shell.run_cell(cell, store_history=True)

    return result, captured.stdout + captured.stderr


def assert_refused(shell: InteractiveShell, cell: str, kind: type[AskWidgetsError], words: str) -> None:
    """The cell fails with an error of ours, said without a traceback."""
    result, printed = run_cell(shell, cell)
    assert isinstance(result.error_in_exec, kind)
    assert words in printed
    assert "Traceback" not in printed


@contextmanager
def loaded_shell(folder: Path) -> Iterator[InteractiveShell]:
    """Load the magics into a new shell, whose agents work in the folder."""
    shell = InteractiveShell()
    run_cell(shell, "%load_ext askwidgets")
    run_cell(shell, f"%config ClaudeMagics.cwd = {str(folder)!r}")

    try:
        yield shell
    finally:
        run_cell(shell, "%unload_ext askwidgets")
        shell.reset()


class _ServedScript:
    """A script that answers for the model, on a server that the test can look into."""

    description = "The test's script answers."
    is_alone = True

    def __init__(self, server: ModelServer, folder: Path) -> None:
        self._server = server
        self._folder = folder
        server.start()

    def env(self) -> Mapping[str, str]:
        return {**self._server.env(self._folder / "config"), "HOME": str(self._folder), "IS_SANDBOX": "1"}

    def problem(self) -> None:
        return None

    def warning(self) -> str:
        return ""

    def close(self) -> None:
        self._server.close()


class NotebookShell:
    """Runs cells as a notebook does, numbered and kept in its history.

    ::

        with NotebookShell.scripted(script, tmp_path) as notebook:
            turn = notebook.prompt("explore it", "--with frame")
    """

    def __init__(self, shell: InteractiveShell, server: ModelServer) -> None:
        self.shell = shell
        self.server = server
        self.printed = ""
        """What the latest cell printed."""

    @classmethod
    @contextmanager
    def scripted(cls, script: str, folder: Path) -> Iterator[NotebookShell]:
        """Load the magics into a new shell and let a script answer for the model."""
        with loaded_shell(folder) as shell:
            notebook = cls(shell, ModelServer(parse_script(script)))
            shell.user_ns["allow_all"] = ALLOW_ALL
            notebook.notebook.use(_ServedScript(notebook.server, folder))
            yield notebook

    @property
    def notebook(self) -> Notebook:
        """What the magics work on."""
        notebook: Notebook = self.shell.magics_manager.registry["ClaudeMagics"].notebook

        return notebook

    def run(self, cell: str) -> ExecutionResult:
        """Run a cell; what it prints is kept."""
        result, self.printed = run_cell(self.shell, cell)

        return result

    def prompt(self, prompt: str, options: str = "") -> Turn:
        """Run a turn, with permission for the kernel's tools, and give it."""
        result = self.run(f"%%claude --into turn --answers allow_all {options}\n{prompt}")
        assert result.success, self.printed
        turn = self.notebook.sessions["main"].last
        assert isinstance(turn, Turn)

        return turn

    def sent(self) -> list[Mapping[str, object]]:
        """The content blocks that were sent for the latest prompt, without what the CLI adds."""
        messages = parse_conversation(self.server.requests[-1]).messages
        prompts = [message for message in messages if message["role"] == "user" and "tool_result" not in str(message)]
        content = prompts[-1]["content"]

        if isinstance(content, str):
            return [{"type": "text", "text": content}]

        assert isinstance(content, list)

        return [block for block in content if not str(block.get("text", "")).startswith("<system-reminder>")]


def results(turn: Turn) -> list[tuple[str, str]]:
    """Each tool use of a turn with the text that it gave back."""
    return [(use.name.removeprefix("mcp__kernel__"), _text(use)) for use in turn.tool_uses]


def _text(use: ToolUse) -> str:
    if isinstance(use.result, str):
        return use.result

    assert isinstance(use.result, list)

    return "\n".join(str(block.get("text", f"[{block['type']}]")) for block in use.result)
