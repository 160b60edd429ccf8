"""The rows of the transcript that show what tools the agent uses: one line each, the rest folded."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Literal

from askwidgets.markup import ansi_html, code_html, diff_html, markdown_html, text_html
from askwidgets.tool_result import ToolResult, cut_text
from askwidgets.tool_summary import ToolSummary, input_text, relative_path, summarize

__all__ = ["AGENT_TOOLS", "State", "ToolRow", "rows_html", "rows_plain"]

State = Literal["running", "background", "failed", "denied", "stopped", "done"]

AGENT_TOOLS = frozenset({"Agent", "Task"})
"""Tools that start a subagent."""

_CODE: Mapping[str, tuple[str, str]] = {
    "Bash": ("command", "bash"),
    "mcp__kernel__add_cell": ("source", "python"),
    "mcp__kernel__run_python": ("code", "python"),
}
"""The field of an input that is code, and its language."""

_FOLDED = 3
"""So many rows of one kind stand folded as one line."""
_LONGEST_NESTED = 2_000

_MARKS: Mapping[State, str] = {
    "running": "\N{MIDLINE HORIZONTAL ELLIPSIS}",
    "background": "\N{CLOCKWISE OPEN CIRCLE ARROW}",
    "failed": "\N{BALLOT X}",
    "denied": "\N{CIRCLED DIVISION SLASH}",
    "stopped": "\N{BLACK SQUARE}",
    "done": "\N{CHECK MARK}",
}
_LINE_NUMBER = re.compile(r"^ *\d+[\t→]", re.MULTILINE)


@dataclass(slots=True, kw_only=True)
class ToolRow:
    """One tool use as far as it has come."""

    name: str
    input: Mapping[str, object]
    cwd: str = ""
    state: State = "running"
    result: ToolResult = field(default_factory=ToolResult)
    progress: str = ""
    """What a subagent or a background task is doing or has done, in its own words."""
    is_background: bool = False
    """It goes on after its first result, which says only that it has begun."""
    duration: float | None = None
    """Seconds; shown where it is set."""
    rows: list[ToolRow] = field(default_factory=list)
    """The tool uses of a subagent."""

    @property
    def summary(self) -> ToolSummary:
        """The row's one line."""
        return summarize(self.name, self.input, self.cwd)

    def settle(self, result: ToolResult) -> None:
        """Take in what the tool gave back."""
        # What code run in the kernel shows stands in the cell already.
        self.result = replace(result, images=()) if self.name == "mcp__kernel__run_python" else result
        self.state = "failed" if result.is_error else "done"


def rows_html(rows: Sequence[ToolRow]) -> str:
    """Show rows of one kind: one by one, or folded as one where they are many."""
    content = "".join(_row_html(row) for row in rows)

    if len(rows) < _FOLDED:
        return content

    count = f"{len(rows)} times"
    odd = [row.state for row in rows if row.state != "done"]
    states = "".join(f", {odd.count(state)} {state}" for state in dict.fromkeys(odd))
    worst = min((row.state for row in rows), key=list(_MARKS).index)
    line = _line_html(worst, ToolSummary(title=rows[0].summary.title, note=f"{count}{states}"))

    return f'<details class="ask-tool"><summary>{line}</summary><div class="ask-rows">{content}</div></details>'


def rows_plain(rows: Sequence[ToolRow], indent: str = "") -> str:
    """Give the rows as text, one line each."""
    lines = []

    for row in rows:
        state = "" if row.state == "done" else f" [{row.state}]"
        lines.append(f"{indent}{_MARKS[row.state]} {row.summary}{state}")

        if row.rows:
            lines.append(rows_plain(row.rows, f"{indent}  "))

    return "\n".join(lines)


def _row_html(row: ToolRow, longest: int | None = None) -> str:
    line = _line_html(row.state, row.summary, _aside(row))
    details = _input_html(row) + _rows_inside(row) + _result_html(row, longest)

    return f'<details class="ask-tool"><summary>{line}</summary><div class="ask-rows">{details}</div></details>'


def _line_html(state: State, summary: ToolSummary, aside: str = "") -> str:
    mark = f'<span class="ask-{state}" role="img" aria-label="{state}">{_MARKS[state]}</span>'
    subject = f" <code>{text_html(summary.subject)}</code>" if summary.subject else ""
    notes = " · ".join(note for note in (summary.note, aside, "" if state in {"done", "running"} else state) if note)
    note = f" <small>{text_html(notes)}</small>" if notes else ""

    return f"{mark} <b>{text_html(summary.title)}</b>{subject}{note}"


def _aside(row: ToolRow) -> str:
    """What only the result tells."""
    parts = []

    if row.name in {"Grep", "Glob"} and row.state == "done":
        hits = sum(1 for line in row.result.text.splitlines() if line.strip())
        none = row.result.text.startswith("No ")
        parts.append("nothing found" if none or not hits else f"{hits} lines")

    if row.progress:
        parts.append(" ".join(row.progress.split())[:160])

    if row.duration is not None:
        parts.append(f"{row.duration:.1f} s")

    return " · ".join(parts)


def _rows_inside(row: ToolRow) -> str:
    return "".join(_row_html(nested, _LONGEST_NESTED) for nested in row.rows)


def _input_html(row: ToolRow) -> str:
    path = input_text(row.input, "file_path")
    shown = relative_path(path, row.cwd)

    if row.name in _CODE:
        field_name, language = _CODE[row.name]

        return code_html(cut_text(input_text(row.input, field_name))[0], language)

    if row.name == "Write":
        return diff_html("", _lines(input_text(row.input, "content")), shown)

    if row.name in {"Edit", "MultiEdit"}:
        edits = row.input.get("edits")
        changes = [edit for edit in edits if isinstance(edit, Mapping)] if isinstance(edits, list) else [row.input]

        return "".join(
            diff_html(_lines(input_text(edit, "old_string")), _lines(input_text(edit, "new_string")), shown)
            for edit in changes
        )

    if row.name in AGENT_TOOLS:
        prompt, _ = cut_text(input_text(row.input, "prompt"), _LONGEST_NESTED)

        return f"<blockquote>{markdown_html(prompt)}</blockquote>" if prompt else ""

    if row.name in {"Read", "Grep", "Glob"} and row.state == "done":
        return ""

    text = json.dumps(dict(row.input), ensure_ascii=False, indent=2, default=str)

    return code_html(cut_text(text)[0], "json") if row.input else ""


def _lines(text: str) -> str:
    """Cut a text, and let its last line end like the others: it is only a piece of a file."""
    shown, _ = cut_text(text)

    return shown if shown.endswith("\n") or not shown else f"{shown}\n"


def _result_html(row: ToolRow, longest: int | None) -> str:
    text, note = cut_text(row.result.text, longest) if longest else cut_text(row.result.text)
    told = f"<p><small>{text_html(note)}</small></p>" if note else ""

    if not text.strip() or (row.name in {"Edit", "MultiEdit", "Write"} and row.state == "done"):
        return told

    if row.name in AGENT_TOOLS and row.state == "done":
        return markdown_html(text) + told

    if row.name == "Read" and row.state == "done":
        suffix = PurePath(input_text(row.input, "file_path")).suffix.removeprefix(".")

        return code_html(_LINE_NUMBER.sub("", text), suffix) + told

    return ansi_html(text) + told
