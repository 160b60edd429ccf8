"""How a tool use is shown: one sentence, and its input, readable and harmless."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from askwidgets.highlighting import LOOKS
from askwidgets.tool_view import hidden_characters, input_preview, input_text, tool_html, tool_sentence

ATTACK = "</div></code></pre><script>alert(1)</script><img src=x onerror=alert(1)>"
ALLOWED = LOOKS | {"code", "dd", "del", "details", "div", "dl", "dt", "em", "ins", "pre", "span", "summary"}
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20) | st.just(ATTACK),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9) | st.just(ATTACK), inner, max_size=4)
    ),
    max_leaves=20,
)


class Tags(HTMLParser):
    """Collects the tags of a fragment, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the tag and the names of its attributes."""
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        """Note what can be read."""
        self.text += data


@pytest.mark.parametrize(
    ("tool_name", "tool_input", "sentence"),
    [
        ("Bash", {"command": "ls"}, "Claude wants to run a command"),
        ("Write", {"file_path": "/work/a/b.txt"}, "Claude wants to write a/b.txt"),
        ("Read", {"file_path": "/etc/hosts"}, "Claude wants to read /etc/hosts"),
        ("Edit", {}, "Claude wants to edit a file"),
        ("WebFetch", {"url": "https://example.com/x?y"}, "Claude wants to fetch a page from example.com"),
        ("WebFetch", {"url": "http://[x"}, "Claude wants to fetch a page from http://[x"),
        ("Task", {"description": "Count\nlines"}, "Claude wants to start a subagent: Count lines"),
        ("mcp__weather__get_forecast", {}, "Claude wants to use get_forecast of the MCP server weather"),
        ("Unheard", {"a": 1}, "Claude wants to use the tool Unheard"),
        ("", {}, "Claude wants to use the tool without a name"),
        ("Read", {"file_path": 3}, "Claude wants to read a file"),
    ],
)
def test_a_tool_use_is_said_in_one_plain_sentence(tool_name: str, tool_input: dict[str, object], sentence: str) -> None:
    assert tool_sentence(tool_name, tool_input, cwd="/work") == sentence


def test_the_title_of_the_cli_goes_before_our_sentence() -> None:
    assert tool_sentence("Bash", {}, "Claude wants to\nlist files") == "Claude wants to list files"


def test_a_sentence_stays_short_and_hides_nothing() -> None:
    sentence = tool_sentence("Read", {"file_path": "/\u202e" + "x" * 1000})
    assert len(sentence) < 250
    assert "\u202e" not in sentence
    assert "U+202E" in sentence


def test_a_command_is_highlighted_and_stands_whole() -> None:
    html = tool_html("Bash", {"command": "echo 'a b' && ls", "description": "Say it", "timeout": 5})
    text = Tags(html).text
    assert "echo 'a b' && ls" in text
    assert "Say it" in text
    assert "timeout" in text
    assert "<samp>" in html


def test_long_code_says_how_long_it_is_for_its_end_may_be_out_of_sight() -> None:
    assert "41 lines" in tool_html("Bash", {"command": "ls\n" * 40})
    assert "lines" not in tool_html("Bash", {"command": "ls\n" * 4})


def test_an_edit_is_a_colored_difference_with_the_file_on_disk(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("a\nb\nc\n")
    html = tool_html("Edit", {"file_path": "one.py", "old_string": "b", "new_string": "B"}, str(tmp_path))
    assert "<del>-b</del>" in html
    assert "<ins>+B</ins>" in html
    assert " a\n" in Tags(html).text


def test_a_new_file_is_shown_as_code_and_not_as_a_difference(tmp_path: Path) -> None:
    html = tool_html("Write", {"file_path": "new.py", "content": "import os\n"}, str(tmp_path))
    assert "This is a new file." in html
    assert "<b>import </b>" in html


def test_text_too_long_to_compare_is_still_shown_whole(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("a" * 300_000)
    html = tool_html("Write", {"file_path": "big.txt", "content": "b" * 300_000}, str(tmp_path))
    assert "b" * 300_000 in html


def test_an_edit_that_changes_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("a")
    html = tool_html("Edit", {"file_path": "one.txt", "old_string": "a", "new_string": "a"}, str(tmp_path))
    assert "changes nothing" in html


def test_an_unknown_tool_is_a_folded_tree_with_a_preview() -> None:
    """B65."""
    html = tool_html("mcp__a__b", {"place": {"name": "Lisbon", "at": [38.7, -9.1]}, "days": 3})
    assert html.startswith(
        '<div class="ask-tool-input"><details class="ask-tree"><summary>Input: place: {...}, days: 3'
    )
    assert "Lisbon" in html
    assert "38.7" in html
    assert "open" not in Tags(html).attributes


def test_a_plain_input_of_a_known_tool_is_not_folded() -> None:
    assert "<details" not in tool_html("WebFetch", {"url": "https://example.com", "prompt": "read"})


@pytest.mark.parametrize("tool_name", ["Bash", "Edit", "Read", "mcp__a__b", "EnterPlanMode"])
def test_there_is_never_an_empty_box(tool_name: str) -> None:
    """B65."""
    assert "takes no input" in tool_html(tool_name, {})


def test_deep_and_long_inputs_are_shown_to_their_end() -> None:
    deep: object = "the bottom"
    for _ in range(60):
        deep = {"below": [deep]}

    assert "the bottom" in tool_html("mcp__a__b", {"deep": deep})
    assert "item 999" in tool_html("mcp__a__b", {"long": [f"item {number}" for number in range(1000)]})


def test_an_input_nested_beyond_all_measure_raises_nothing() -> None:
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]

    assert "nested too deeply" in tool_html("mcp__a__b", {"deep": deep})
    assert hidden_characters({"deep": deep}) == []


@given(
    st.sampled_from(["Bash", "Edit", "MultiEdit", "NotebookEdit", "Read", "Write", "WebFetch", "mcp__a__b", ATTACK]),
    st.dictionaries(
        st.sampled_from(["command", "description", "old_string", "new_string", "content", "edits", "url", ATTACK]),
        VALUES,
    ),
)
def test_whatever_comes_is_shown_without_anything_that_runs(tool_name: str, tool_input: dict[str, object]) -> None:
    """B48."""
    tags = Tags(tool_html(tool_name, tool_input))
    assert set(tags.tags) <= ALLOWED
    assert tags.attributes <= {"class", "dir"}
    assert tool_sentence(tool_name, tool_input)
    assert input_text(tool_name, tool_input) is not None
    assert len(input_preview(tool_input)) <= 100


def test_hidden_characters_are_named_once_wherever_they_are() -> None:
    names = hidden_characters({"a\u200b": ["x\u202e", {"b": "y\u202e"}], "c": 3})
    assert len(names) == 2
    assert any("U+202E" in name for name in names)
    assert hidden_characters({"command": "echo '\N{GRINNING FACE}'\n\tls"}) == []
