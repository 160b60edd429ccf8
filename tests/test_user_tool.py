"""Functions of the person's as tools: what the model is told of them, and calls through the real CLI."""

from __future__ import annotations

from pathlib import Path

import pytest

import askwidgets
from askwidgets.errors import OptionError
from askwidgets.user_tool import user_tools
from tests.notebook_shell import NotebookShell, results

DEFINED = '''
import askwidgets

@askwidgets.tool
def price(item: str, *, count: int = 1) -> float:
    """Look up what an item costs."""
    print("looked up")
    return {"pen": 1.5}[item] * count

@askwidgets.tool
async def later(item: str) -> str:
    """Answer later."""
    import asyncio
    await asyncio.sleep(0)
    return item.upper()
'''

SCRIPT = """
- when: "*call*"
  steps:
    - use: {tool: mcp__kernel__price, input: {item: pen, count: 2}}
    - use: {tool: mcp__kernel__price, input: {item: ink}}
    - use: {tool: mcp__kernel__price, input: {item: pen, count: many}}
    - use: {tool: mcp__kernel__later, input: {item: pen}}
    - say: Done.
- when: "*"
  steps:
    - say: Hello.
"""


def test_the_signature_and_the_docstring_are_what_the_model_reads() -> None:
    @askwidgets.tool
    def price(item: str, *, count: int = 1) -> float:
        """Look up what an item costs."""
        return len(item) * count

    (found,) = user_tools({"price": price, "again": price, "other": len, "x": 1})

    assert (found.name, found.description) == ("price", "Look up what an item costs.")
    assert found.schema["required"] == ["item"]
    assert price("abc", count=2) == 6
    assert found.call(item="abc", count="2") == 6


def test_a_parameter_that_has_no_name_is_an_error() -> None:
    with pytest.raises(OptionError, match="given by name"):

        @askwidgets.tool
        def anything(*values: int) -> int:
            return len(values)


def test_an_annotation_without_a_schema_is_an_error() -> None:
    class Odd:
        pass

    with pytest.raises(OptionError, match="JSON Schema"):

        @askwidgets.tool
        def odd(value: Odd) -> None:
            """Take something odd."""


@pytest.mark.agent
def test_the_model_calls_a_function_that_is_defined_between_two_turns(tmp_path: Path) -> None:
    with NotebookShell.scripted(SCRIPT, tmp_path) as notebook:
        notebook.shell.user_ns["allow_all"] = {"allow": ["mcp__kernel__price", "mcp__kernel__later"]}
        before = notebook.prompt("hello")
        assert notebook.run(DEFINED).success, notebook.printed
        turn = notebook.prompt("call it")
        used = results(turn)

    assert used[0] == ("price", "float\n3.0")
    assert used[1] == ("price", "KeyError: 'ink'")
    assert "Input validation error" in used[2][1]
    assert used[3] == ("later", "PEN")
    assert turn.session_id == before.session_id
