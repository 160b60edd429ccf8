"""The one line of a tool use names what a person wants to know."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import given, strategies as st

from askwidgets.tool_summary import relative_path, summarize

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=200),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=9), values, max_size=3),
    max_leaves=8,
)
NAMES = ["Bash", "Read", "Write", "Edit", "MultiEdit", "Grep", "Glob", "Agent", "mcp__a__b", "mcp__", "Unknown"]
KEYS = ["command", "file_path", "edits", "old_string", "new_string", "offset", "limit", "pattern", "path", "other"]


@pytest.mark.parametrize(
    ("name", "tool_input", "line"),
    [
        ("Bash", {"command": "ls -la\n# all", "description": "List"}, "Bash: ls -la # all (List)"),
        ("Read", {"file_path": "/w/a.py"}, "Read: a.py"),
        ("Read", {"file_path": "/w/a.py", "offset": 10, "limit": 5}, "Read: a.py (lines 10 to 14)"),
        ("Read", {"file_path": "/w/a.py", "offset": 10}, "Read: a.py (from line 10)"),
        ("Write", {"file_path": "/w/a.py", "content": "a\nb\n"}, "Write: a.py (2 lines)"),
        (
            "Edit",
            {"file_path": "/e/a.py", "old_string": "a\nb", "new_string": "a\nc\nd"},
            "Edit: /e/a.py (+2 \N{MINUS SIGN}1)",
        ),
        (
            "MultiEdit",
            {"file_path": "/w/a", "edits": [{"old_string": "x", "new_string": ""}, {"new_string": "y"}]},
            "Edit: a (+1 \N{MINUS SIGN}1)",
        ),
        ("Grep", {"pattern": "TODO", "path": "/w/src"}, "Grep: TODO (in src)"),
        ("Glob", {"pattern": "**/*.py"}, "Glob: **/*.py"),
        ("WebFetch", {"url": "https://example.org/", "prompt": "p"}, "Fetch: https://example.org/"),
        ("mcp__tickets__close", {"id": 7, "reason": "done"}, "tickets: close: done"),
        ("Agent", {"description": "Look around", "subagent_type": "Explore"}, "Subagent: Look around (Explore)"),
        ("Unheard", {"nested": {"a": [1]}}, 'Unheard: {"nested": {"a": [1]}}'),
        ("Unheard", {}, "Unheard"),
    ],
)
def test_each_tool_is_told_in_one_line(name: str, tool_input: Mapping[str, object], line: str) -> None:
    """B65."""
    assert str(summarize(name, tool_input, "/w")) == line


@given(st.sampled_from(NAMES), st.dictionaries(st.sampled_from(KEYS), JSON))
def test_any_input_gives_one_line_of_bearable_length(name: str, tool_input: Mapping[str, object]) -> None:
    """B65."""
    summary = summarize(name, tool_input, "/w")
    assert "\n" not in summary.subject
    assert len(summary.subject) < 200


def test_a_path_outside_the_working_directory_is_told_whole() -> None:
    assert relative_path("/etc/hosts", "/w") == "/etc/hosts"
    assert relative_path("/w/a/b", "/w") == "a/b"
    assert relative_path("/w/a/b", "") == "/w/a/b"


def test_many_lines_that_are_alike_are_told_at_once() -> None:
    old, new = "a\n" * 20_000, "a\n" * 20_000 + "b\n"
    started = time.process_time()

    assert str(summarize("Edit", {"file_path": "x", "old_string": old, "new_string": new})).endswith(
        "(+1 \N{MINUS SIGN}0)"
    )
    assert time.process_time() - started < 2
