"""A row says in one line what is used and how it went, and holds the rest folded."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from askwidgets.tool_result import Image, ToolResult
from askwidgets.tool_row import State, ToolRow, rows_html, rows_plain

HOSTILE = "</code></details><img src=x onerror=alert(1)><script>alert(2)</script>"
STATES: list[State] = ["running", "background", "failed", "denied", "stopped", "done"]


def bash(command: str = "ls", output: str = "out", *, state: State = "done") -> ToolRow:
    return ToolRow(name="Bash", input={"command": command}, state=state, result=ToolResult(text=output))


def test_a_command_and_its_output_stand_folded_under_one_line() -> None:
    html = rows_html([bash("echo hi", "hi\n")])
    summary, details = html.split("</summary>")
    assert summary.startswith('<details class="ask-tool"><summary>')
    assert "<b>Bash</b> <code>echo hi</code>" in summary
    assert "hi\n" in details
    assert " open" not in html


@pytest.mark.parametrize("state", STATES)
def test_the_state_is_told_in_words_too(state: State) -> None:
    assert f'aria-label="{state}"' in rows_html([bash(state=state)])
    assert (f"[{state}]" in rows_plain([bash(state=state)])) == (state != "done")


def test_code_run_in_the_kernel_is_shown_as_code_and_its_images_where_they_were_made() -> None:
    row = ToolRow(name="mcp__kernel__run_python", input={"code": "x = 1"})
    row.settle(ToolResult(text="done", images=(Image(media_type="image/png", data=""),)))
    html = rows_html([row])

    assert "<b>Run Python</b> <code>x = 1</code>" in html
    assert "&quot;code&quot;" not in html
    assert row.result == ToolResult(text="done")


def test_colors_of_a_terminal_are_kept() -> None:
    html = rows_html([bash(output="\x1b[31mred\x1b[0m plain")])
    assert "\x1b" not in html
    assert 'style="color:' in html


def test_an_edit_is_shown_as_a_difference() -> None:
    row = ToolRow(name="Edit", input={"file_path": "/w/a.py", "old_string": "a = 1", "new_string": "a = 2"}, cwd="/w")
    html = rows_html([row])
    assert "<del>-a = 1</del>" in html
    assert "<ins>+a = 2</ins>" in html
    assert "/w/" not in html
    assert "No newline" not in html


def test_a_file_that_was_read_is_shown_without_the_numbers_of_its_lines() -> None:
    result = ToolResult(text="     1\timport os\n     2\tos.name\n")
    html = rows_html([ToolRow(name="Read", input={"file_path": "a.py"}, state="done", result=result)])
    assert "1\t" not in html
    assert "os.name" in html


def test_an_unknown_tool_shows_its_nested_input() -> None:
    """B65."""
    html = rows_html([ToolRow(name="Unheard", input={"outer": {"inner": [1, "<b>"]}})])
    assert "inner" in html.split("</summary>")[1]
    assert "&lt;b&gt;" in html
    assert "<b>&" not in html


def test_three_rows_of_a_kind_fold_to_one_line_that_counts_them() -> None:
    html = rows_html([bash("a"), bash("b", state="failed"), bash("c", state="running")])
    assert "3 times, 1 failed, 1 running" in html.split("</summary>")[0]
    assert html.count("<summary>") == 4
    assert rows_html([bash("a"), bash("b")]).count("<summary>") == 2


def test_the_rows_of_a_subagent_stand_in_its_own() -> None:
    row = ToolRow(name="Agent", input={"description": "Look", "prompt": "**go**"}, rows=[bash("deep")])
    assert "<code>deep</code>" in rows_html([row]).split("</summary>", 1)[1]
    assert rows_plain([row]).splitlines()[1].startswith("  ")


def test_a_long_result_is_cut_and_its_size_said() -> None:
    html = rows_html([bash(output="x" * 50_000)])
    assert len(html) < 12_000
    assert "50 kB in all" in html


@given(st.sampled_from(["Bash", "Read", "Edit", "Write", "Agent", "Grep", HOSTILE]), st.sampled_from(STATES))
def test_nothing_that_a_tool_says_becomes_markup(name: str, state: State) -> None:
    """B48."""
    keys = ["command", "description", "file_path", "old_string", "new_string", "content", "prompt", "pattern", HOSTILE]
    row = ToolRow(name=name, input=dict.fromkeys(keys, HOSTILE), progress=HOSTILE, state=state)
    row.result = ToolResult(text=HOSTILE)
    html = rows_html([row, row, row])
    assert "<img" not in html
    assert "<script" not in html
    assert html.count("<details") == html.count("</details>") == 4
