"""A tool's input edited as text: what does not fit is refused in words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from askwidgets.errors import OptionError
from askwidgets.tool_edit import edit_field, edit_text, edited_input

BASH = {"command": "ls", "timeout": 5, "run_in_background": False}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_code_for_the_kernel_is_edited_as_code() -> None:
    assert edit_field("mcp__kernel__run_python", {"code": "x = 1"}) == "code"
    assert edited_input("mcp__kernel__add_cell", {"source": "a", "kind": "code"}, "b") == {
        "source": "b",
        "kind": "code",
    }


@given(
    st.sampled_from(["Bash", "Write", "mcp__a__b"]),
    st.fixed_dictionaries(
        {"command": st.text(min_size=1), "file_path": st.text(min_size=1), "content": st.text()}, optional={"x": VALUES}
    ),
)
def test_text_that_is_left_as_it_was_gives_the_same_input(tool_name: str, tool_input: dict[str, object]) -> None:
    assert edited_input(tool_name, tool_input, edit_text(tool_name, tool_input)) == tool_input


def test_a_command_is_edited_as_plain_text_and_keeps_what_stands_beside_it() -> None:
    assert edit_text("Bash", BASH) == "ls"
    assert edited_input("Bash", BASH, "ls -la") == {**BASH, "command": "ls -la"}


@pytest.mark.parametrize("command", ["a\r\nb", "rm \u202e# efas"])
def test_text_that_a_text_area_would_change_or_hide_is_edited_as_json(command: str) -> None:
    assert edit_field("Bash", {"command": command}) == ""
    text = edit_text("Bash", {"command": command})
    assert text.isascii()
    assert edited_input("Bash", {"command": command}, text) == {"command": command}


def test_an_unknown_tool_is_edited_as_json() -> None:
    assert edited_input("mcp__a__b", {"days": 3, "at": [1]}, '{"days": 4.5, "at": []}') == {"days": 4.5, "at": []}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1"),
        ("{\n", "line 2"),
        ('{\n"days" 3}', "line 2"),
        ("[1]", "an object in braces"),
        ('{"days": "3"}', "wanted a number"),
        ('{"days": true}', "wanted a number"),
        ('{"place": ""}', "wanted some text"),
        ('{"place": 3}', "wanted text"),
        ('{"now": 1}', "wanted true or false"),
        ('{"at": {}}', "wanted a list"),
        ('{"more": []}', "wanted an object"),
        ("[" * 100_000, "nested"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(text: str, said: str) -> None:
    tool_input = {"days": 3, "place": "Lisbon", "now": True, "at": [1], "more": {}}
    with pytest.raises(OptionError, match=said):
        edited_input("mcp__a__b", tool_input, text)


def test_an_empty_command_is_refused() -> None:
    with pytest.raises(OptionError, match="command is ''; wanted some text"):
        edited_input("Bash", BASH, "")


def test_a_field_that_the_tool_needs_may_not_go() -> None:
    tool_input = {"url": "https://example.com", "prompt": "read"}
    with pytest.raises(OptionError, match="prompt"):
        edited_input("WebFetch", tool_input, json.dumps({"url": "https://example.com"}))


def test_a_file_may_be_written_empty() -> None:
    assert edited_input("Write", {"file_path": "a", "content": "x"}, "") == {"file_path": "a", "content": ""}
