"""Conversations that go on after the kernel or the CLI has died, and what waited in them."""

from __future__ import annotations

import json
from pathlib import Path

import psutil
import pytest

from tests.agent import ASKS, GREETS, scripted_model
from tests.kernel import Kernel
from tests.scripted_kernel import answer, choices, cli_pids, served_kernel

pytestmark = pytest.mark.kernel

SCRIPT = ASKS + GREETS
READ = 'The model read: Your questions have been answered: "Which store should hold sessions?"="SQLite"'


def wait_until_written(kernel: Kernel, folder: Path) -> None:
    """Wait until the CLI has the question in its file of the conversation."""
    files = folder / "claude" / "projects"
    kernel.wait_until(lambda: any('"tool_use"' in path.read_text() for path in files.glob("*/*.jsonl")), "the file")


def test_a_question_that_waited_when_the_kernel_was_killed_is_asked_again_and_its_answer_is_the_tool_result(
    tmp_path: Path,
) -> None:
    with scripted_model(SCRIPT) as server:
        with served_kernel(server, tmp_path, 1) as kernel:
            kernel.execute("%%claude\nPlease ask me.")
            choices(kernel)
            wait_until_written(kernel, tmp_path)
            left = kernel.children()
            kernel.kill()
            assert psutil.wait_procs(left, timeout=5)[1] == []

        with served_kernel(server, tmp_path, 2) as kernel:
            listed = kernel.run("%claude resume")
            assert "Please ask me." in listed.text
            resumed = kernel.run("%claude resume last")
            assert resumed.status == "ok", resumed.text
            answer(kernel)
            kernel.wait_until(lambda: READ in resumed.text, "the turn that follows")
            assert "Answered" in resumed.text

        assert server.tool_results()[-1].startswith("Your questions have been answered")


def test_last_is_the_conversation_that_the_notebook_holds(tmp_path: Path) -> None:
    notebook = tmp_path / "analysis.ipynb"

    with scripted_model(SCRIPT) as server:
        with served_kernel(server, tmp_path, 1) as kernel:
            first = kernel.run("%%claude -s one --into one\nPlease greet me.")
            kernel.run("%%claude -s two --into two\nPlease greet me.")
            session_id = kernel.value("one.session_id").strip("'")
            assert kernel.value("two.session_id").strip("'") != session_id

        metadata = [output["metadata"] for output in first.outputs if output.get("metadata")]
        assert [entry["askwidgets"]["session_id"] for entry in metadata] == [session_id]
        outputs = [{"output_type": "display_data", "data": {}, "metadata": metadata[0]}]
        notebook.write_text(json.dumps({"cells": [{"cell_type": "code", "outputs": outputs}]}))

        with served_kernel(server, tmp_path, 2, JPY_SESSION_NAME=str(notebook)) as kernel:
            resumed = kernel.run("%%claude --resume last --into turn\nPlease greet me.")
            assert resumed.status == "ok", resumed.text
            assert kernel.value("turn.session_id") == repr(session_id)
            forked = kernel.run("%%claude --resume last --fork --into turn\nPlease greet me.")
            assert forked.status == "ok", forked.text
            assert kernel.value("turn.session_id") != repr(session_id)


def test_a_conversation_is_found_by_its_title_and_a_word_that_is_none_is_refused_while_it_goes_on(
    tmp_path: Path,
) -> None:
    with scripted_model(SCRIPT) as server, served_kernel(server, tmp_path, 1) as kernel:
        kernel.run("%%claude --into first\nPlease greet me.")
        refused = kernel.run("%%claude --resume lsat\nPlease greet me.")
        assert refused.status == "error"
        assert "--resume is 'lsat'; wanted last, a title, or an id or its beginning" in refused.text
        kernel.run("%%claude --into second\nPlease greet me.")
        assert kernel.value("first.session_id == second.session_id") == "True"

        kernel.run("import claude_agent_sdk; claude_agent_sdk.rename_session(first.session_id, 'sales of May')")
        resumed = kernel.run("%%claude -s another --resume 'sales of May' --into third\nPlease greet me.")
        assert resumed.status == "ok", resumed.text
        assert kernel.value("first.session_id == third.session_id") == "True"


def test_a_question_that_waited_when_the_cli_was_killed_is_asked_again_in_its_cell_with_the_draft(
    tmp_path: Path,
) -> None:
    with scripted_model(SCRIPT) as server, served_kernel(server, tmp_path, 1) as kernel:
        asking = kernel.execute("%%claude\nPlease ask me.")
        kernel.set_state(choices(kernel), index=1)
        kernel.wait_until(lambda: kernel.find(description="Submit answers", disabled=False), "the draft")
        wait_until_written(kernel, tmp_path)
        [pid] = cli_pids(kernel)
        psutil.Process(pid).kill()

        assert kernel.finish(asking).status == "error"
        assert "exit code -9" in asking.text
        kernel.wait_until(lambda: choices(kernel).state["index"] == 1, "the form with the draft")
        kernel.click(kernel.widget(description="Submit answers", disabled=False))
        kernel.wait_until(lambda: READ in asking.text, "the turn that follows")
