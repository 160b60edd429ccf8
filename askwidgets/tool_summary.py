"""What a tool use does, in one line: the command, the file with its lines, the pattern, the server and the tool.

Inputs of the tools: https://docs.claude.com/en/api/agent-sdk/python#tool-input-output-types.
Nothing is taken for granted about them, since other versions and MCP servers send what they like.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePath

__all__ = ["ToolSummary", "input_text", "relative_path", "summarize"]

_LONGEST = 160
_MOST_COMPARED = 250_000
"""Pairs of lines; beyond them, lines are only counted: to compare many that are alike takes minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSummary:
    """The one line of a tool use."""

    title: str
    """What is used."""
    subject: str = ""
    """What it is used on; set in code."""
    note: str = ""
    """What else is worth knowing without unfolding the row."""

    def __str__(self) -> str:
        subject = f": {self.subject}" if self.subject else ""
        note = f" ({self.note})" if self.note else ""

        return f"{self.title}{subject}{note}"


def summarize(name: str, tool_input: Mapping[str, object], cwd: str = "") -> ToolSummary:
    """Say in one line what a tool use does; paths are told from ``cwd``."""
    if name.startswith("mcp__") and name not in _SUMMARIZERS:
        server, _, tool = name.removeprefix("mcp__").partition("__")

        return ToolSummary(title=f"{server}: {tool}" if tool else server, subject=_first_text(tool_input))

    summarizer = _SUMMARIZERS.get(name)
    summary = summarizer(tool_input, cwd) if summarizer else ToolSummary(title=name, subject=_first_text(tool_input))

    return ToolSummary(title=summary.title, subject=_one_line(summary.subject), note=_one_line(summary.note))


def input_text(tool_input: Mapping[str, object], key: str) -> str:
    """Give a text of the input; empty where there is none."""
    value = tool_input.get(key)

    return value if isinstance(value, str) else ""


def relative_path(path: str, cwd: str) -> str:
    """Tell a path from the working directory, where it is below it."""
    if cwd and PurePath(path).is_relative_to(cwd):
        return str(PurePath(path).relative_to(cwd))

    return path


def _one_line(text: str) -> str:
    line = " ".join(text.split())

    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _first_text(tool_input: Mapping[str, object]) -> str:
    texts = (value for value in tool_input.values() if isinstance(value, str) and value.strip())
    first = next(texts, "")

    if first or not tool_input:
        return _one_line(first)

    return _one_line(json.dumps(dict(tool_input), ensure_ascii=False, default=str))


def _bash(tool_input: Mapping[str, object], _cwd: str) -> ToolSummary:
    return ToolSummary(
        title="Bash", subject=input_text(tool_input, "command"), note=input_text(tool_input, "description")
    )


def _read(tool_input: Mapping[str, object], cwd: str) -> ToolSummary:
    offset, limit = tool_input.get("offset"), tool_input.get("limit")
    first = offset if isinstance(offset, int) else 1
    lines = f"from line {first}" if isinstance(offset, int) else ""

    if isinstance(limit, int):
        lines = f"lines {first} to {first + limit - 1}"

    return ToolSummary(title="Read", subject=_path(tool_input, cwd), note=lines)


def _write(tool_input: Mapping[str, object], cwd: str) -> ToolSummary:
    lines = len(input_text(tool_input, "content").splitlines())

    return ToolSummary(title="Write", subject=_path(tool_input, cwd), note=_count(lines, "line"))


def _edit(tool_input: Mapping[str, object], cwd: str) -> ToolSummary:
    edits = tool_input.get("edits")
    added = removed = 0

    for edit in edits if isinstance(edits, list) else [tool_input]:
        if isinstance(edit, Mapping):
            more, less = _changed_lines(input_text(edit, "old_string"), input_text(edit, "new_string"))
            added, removed = added + more, removed + less

    return ToolSummary(title="Edit", subject=_path(tool_input, cwd), note=f"+{added} \N{MINUS SIGN}{removed}")


def _changed_lines(old: str, new: str) -> tuple[int, int]:
    old_lines, new_lines = old.splitlines(), new.splitlines()

    if len(old_lines) * len(new_lines) > _MOST_COMPARED:
        same = sum((Counter(old_lines) & Counter(new_lines)).values())
    else:
        blocks = SequenceMatcher(a=old_lines, b=new_lines, autojunk=False).get_matching_blocks()
        same = sum(block.size for block in blocks)

    return len(new_lines) - same, len(old_lines) - same


def _notebook_edit(tool_input: Mapping[str, object], cwd: str) -> ToolSummary:
    mode = input_text(tool_input, "edit_mode") or "replace"

    return ToolSummary(title="Edit notebook", subject=_path(tool_input, cwd), note=mode)


def _search(title: str) -> Callable[[Mapping[str, object], str], ToolSummary]:
    def summarizer(tool_input: Mapping[str, object], cwd: str) -> ToolSummary:
        path = input_text(tool_input, "path")
        place = input_text(tool_input, "glob") or (relative_path(path, cwd) if path else "")

        return ToolSummary(title=title, subject=input_text(tool_input, "pattern"), note=f"in {place}" if place else "")

    return summarizer


def _agent(tool_input: Mapping[str, object], _cwd: str) -> ToolSummary:
    kind = input_text(tool_input, "subagent_type")

    return ToolSummary(title="Subagent", subject=input_text(tool_input, "description"), note=kind)


def _plain(title: str, key: str) -> Callable[[Mapping[str, object], str], ToolSummary]:
    def summarizer(tool_input: Mapping[str, object], _cwd: str) -> ToolSummary:
        return ToolSummary(title=title, subject=input_text(tool_input, key))

    return summarizer


def _path(tool_input: Mapping[str, object], cwd: str) -> str:
    path = input_text(tool_input, "file_path") or input_text(tool_input, "notebook_path")

    return relative_path(path, cwd) if path else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_SUMMARIZERS: Mapping[str, Callable[[Mapping[str, object], str], ToolSummary]] = {
    "Agent": _agent,
    "Bash": _bash,
    "Edit": _edit,
    "Glob": _search("Glob"),
    "Grep": _search("Grep"),
    "MultiEdit": _edit,
    "NotebookEdit": _notebook_edit,
    "Read": _read,
    "Skill": _plain("Skill", "skill"),
    "StructuredOutput": _plain("Reply as data", ""),
    "Task": _agent,
    "ToolSearch": _plain("Search tools", "query"),
    "WebFetch": _plain("Fetch", "url"),
    "WebSearch": _plain("Search the web", "query"),
    "Write": _write,
    "mcp__kernel__add_cell": _plain("Add a cell", "source"),
    "mcp__kernel__inspect": _plain("Inspect", "name"),
    "mcp__kernel__list_variables": _plain("List variables", ""),
    "mcp__kernel__run_python": _plain("Run Python", "code"),
}
