"""The kernel's tools, called by the scripted model through the real CLI, in a real shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from askwidgets.errors import OptionError
from tests.notebook_shell import NotebookShell, results

pytestmark = pytest.mark.agent

READING = """
- when: "*"
  steps:
    - use: {tool: mcp__kernel__list_variables, input: {}}
    - use: {tool: mcp__kernel__inspect, input: {name: prices}}
    - use: {tool: mcp__kernel__inspect, input: {name: "Out[3]"}}
    - use: {tool: mcp__kernel__inspect, input: {name: picture}}
    - use: {tool: mcp__kernel__inspect, input: {name: nothing}}
    - say: Done.
"""

HIDING = """
- when: "*"
  steps:
    - use: {tool: mcp__kernel__list_variables, input: {}}
    - use: {tool: mcp__kernel__inspect, input: {name: api_key}}
    - use: {tool: mcp__kernel__inspect, input: {name: settings}}
    - use: {tool: mcp__kernel__inspect, input: {name: copied}}
    - use: {tool: mcp__kernel__inspect, input: {name: "In[3]"}}
    - use: {tool: mcp__kernel__inspect, input: {name: "Out[4]"}}
    - say: Done.
"""

PIXEL = "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs="
"""A GIF of one pixel."""


def running(*codes: str) -> str:
    """A script that runs each code."""
    uses = "".join(f"    - use: {{tool: mcp__kernel__run_python, input: {{code: {code!r}}}}}\n" for code in codes)

    return f'- when: "*"\n  steps:\n{uses}    - say: Done.\n'


def test_the_reading_tools_give_values_without_asking(tmp_path: Path) -> None:
    with NotebookShell.scripted(READING, tmp_path) as notebook:
        notebook.run("prices = [1.5, 2.5]\nprices")
        notebook.run(f"import base64\npicture = base64.b64decode({PIXEL!r})")
        notebook.run("allow_all = {}")
        variables, prices, out, picture, nothing = results(notebook.prompt("look"))

    assert "base64: module base64\n" in variables[1]
    assert variables[1].endswith("\nprices: list of 2 items: [1.5, 2.5]")
    assert prices == ("inspect", "list, 2 items\n[1.5, 2.5]")
    assert out == prices
    assert picture[1].startswith("bytes, shown as an image\n[image]")
    assert nothing[1].startswith("the name is 'nothing'; wanted a variable of the kernel, such as allow_all, base64")


def test_secrets_are_not_read(tmp_path: Path) -> None:
    with NotebookShell.scripted(HIDING, tmp_path) as notebook:
        notebook.run("api_key = 'sk-12345678'\nsettings = {'api_key': api_key, 'depth': 3}\ncopied = [api_key]")
        notebook.run("api_key")
        used = [text for _, text in results(notebook.prompt("look"))]
        requests = str(notebook.server.requests)

    assert used[1].startswith("the name is 'api_key'; wanted one that may be read")
    assert used[2] == "dict, 2 items\n{'api_key': <hidden>, 'depth': 3}"
    assert used[3] == "list, 1 items\n['<hidden>']"
    assert used[4].startswith("api_key = '<hidden>'")
    assert used[5] == "<hidden>"
    assert "sk-12345678" not in requests


def test_a_secret_that_the_person_named_is_read(tmp_path: Path) -> None:
    with NotebookShell.scripted(HIDING, tmp_path) as notebook:
        notebook.run("api_key = 'sk-12345678'")
        turn = notebook.prompt("look", "--with api_key")
        sent = notebook.sent()

    assert results(turn)[1] == ("inspect", "sk-12345678")
    assert "api_key:\nsk-12345678" in str(sent[1]["text"])


def test_code_runs_in_the_namespace_and_its_output_comes_back(tmp_path: Path) -> None:
    codes = [
        "print('hello')\ntotal = sum(prices)\ntotal",
        "1 / 0",
        "import asyncio\nawait asyncio.sleep(0)\n'awaited'",
        "print('x' * 50_000)",
        "total;",
        "this is no Python",
    ]

    with NotebookShell.scripted(running(*codes), tmp_path) as notebook:
        notebook.run("prices = [1.5, 2.5]")
        used = [text for _, text in results(notebook.prompt("run"))]
        total, count = notebook.shell.user_ns["total"], notebook.shell.execution_count
        after = notebook.run("'own'").result

    assert used[0] == "hello\n4.0"
    assert "ZeroDivisionError: division by zero" in used[1]
    assert used[2] == "'awaited'"
    assert len(used[3]) < 20_100
    assert "50 kB in all" in used[3]
    assert used[4] == "It ran, and gave no output."
    assert "SyntaxError" in used[5]
    assert total == sum([1.5, 2.5])
    assert count == 5
    assert str(after) == "own"


def test_what_code_of_the_agent_changed_is_no_news_to_it(tmp_path: Path) -> None:
    with NotebookShell.scripted(running("made = 1"), tmp_path) as notebook:
        notebook.prompt("run")
        notebook.run("own = 2")
        notebook.prompt("run")
        (changes, _) = notebook.sent()

    assert "own: int: 2" in str(changes["text"])
    assert "made" not in str(changes["text"])


def test_a_prompt_to_which_nothing_is_added_is_sent_as_it_is(tmp_path: Path) -> None:
    with NotebookShell.scripted('- when: "plain*"\n  steps:\n    - say: Hello.\n', tmp_path) as notebook:
        notebook.run("x = 1")
        turn = notebook.prompt("plain {unknown}", "--no-context")
        sent = notebook.sent()
        notebook.prompt("plain again")
        again = notebook.sent()

    assert turn.text == "Hello."
    assert sent == [{"type": "text", "text": "plain {unknown}\n"}]
    assert len(again) == 1


def test_without_permission_code_is_not_run(tmp_path: Path) -> None:
    with NotebookShell.scripted(running("made = 1"), tmp_path) as notebook:
        notebook.run("allow_all = {}")
        turn = notebook.prompt("run")
        is_made = "made" in notebook.shell.user_ns

    assert turn.tool_uses[0].is_error
    assert not is_made


def test_a_name_that_is_not_there_sends_nothing(tmp_path: Path) -> None:
    with NotebookShell.scripted(running("made = 1"), tmp_path) as notebook:
        result = notebook.run("%%claude --with missing\nlook")

        assert isinstance(result.error_in_exec, OptionError)
        assert not notebook.server.requests
        assert not notebook.notebook.sessions


def test_the_help_page_says_what_the_model_is_shown(tmp_path: Path) -> None:
    with NotebookShell.scripted(running("made = 1"), tmp_path) as notebook:
        notebook.run("%claude help context")

        assert "<notebook-context>" in notebook.printed
        assert notebook.run("%claude help dancing").error_in_exec is not None
