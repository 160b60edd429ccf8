"""How a tool use is shown to a person: one sentence, and its input to read.

The permission form and the transcript both use it. Nothing here draws widgets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from urllib.parse import urlsplit

from askwidgets.file_change import FileChange, file_change
from askwidgets.hidden import reveal
from askwidgets.markup import LARGEST_COMPARED, code_html, diff_html, diff_text, text_html
from askwidgets.tool_edit import edit_field, edit_text
from askwidgets.tool_summary import relative_path

__all__ = [
    "hidden_characters",
    "input_preview",
    "input_text",
    "tool_action",
    "tool_code",
    "tool_html",
    "tool_sentence",
]

_DEEPEST = 12
_MOST_ENTRIES = 400
_LONGEST_PREVIEW = 100
_LONGEST_LINE = 200
_MANY_LINES = 20

_ACTIONS = {
    "Bash": ("run a command", "", ""),
    "BashOutput": ("read what a background command wrote", "", ""),
    "Edit": ("edit {}", "file_path", "a file"),
    "EnterPlanMode": ("make a plan first", "", ""),
    "ExitPlanMode": ("carry out its plan", "", ""),
    "Glob": ("find files named {}", "pattern", "by a pattern"),
    "Grep": ("search files for {}", "pattern", "a pattern"),
    "KillShell": ("stop a background command", "", ""),
    "MultiEdit": ("edit {}", "file_path", "a file"),
    "NotebookEdit": ("edit the notebook {}", "notebook_path", ""),
    "Read": ("read {}", "file_path", "a file"),
    "Skill": ("use the skill {}", "skill", ""),
    "SlashCommand": ("run the command {}", "command", ""),
    "Task": ("start a subagent: {}", "description", "without a description"),
    "Agent": ("start a subagent: {}", "description", "without a description"),
    "TodoWrite": ("update its list of tasks", "", ""),
    "ToolSearch": ("look for a tool: {}", "query", ""),
    "WebFetch": ("fetch a page from {}", "url", "the web"),
    "WebSearch": ("search the web for {}", "query", "something"),
    "Write": ("write {}", "file_path", "a file"),
    "mcp__kernel__add_cell": ("add a cell to your notebook", "", ""),
    "mcp__kernel__run_python": ("run Python in your kernel", "", ""),
}
"""What a tool does, the field that says to what, and what to say without that field."""

_CODE = {"mcp__kernel__add_cell": "source", "mcp__kernel__run_python": "code"}
"""The fields of the kernel's own tools that hold Python."""
_LANGUAGES = {"Bash": "bash", **dict.fromkeys(_CODE, "python")}


def tool_sentence(tool_name: str, tool_input: Mapping[str, object], title: str = "", cwd: str = "") -> str:
    """Say in one plain sentence what Claude wants to do; ``title`` is the CLI's own, where it has one."""
    return _line(title) or f"Claude wants to {tool_action(tool_name, tool_input, cwd)}"


def tool_action(tool_name: str, tool_input: Mapping[str, object], cwd: str = "") -> str:
    """Say in a few plain words what the tool does: ``read notes.txt``; paths are told from ``cwd``."""
    if tool_name not in _ACTIONS:
        return _unknown_action(tool_name)

    words, field, without = _ACTIONS[tool_name]
    value = tool_input.get(field)
    subject = _line(relative_path(value, cwd) if field.endswith("_path") else value) if isinstance(value, str) else ""
    if tool_name == "WebFetch":
        subject = _host(subject)

    return words.format(subject or without).strip()


def tool_html(tool_name: str, tool_input: Mapping[str, object], cwd: str = "") -> str:
    """Show a tool's whole input: a command highlighted, a change to a file as a difference, all else as a list.

    The file that an edit would change is read, to compare with; see ``askwidgets/file_change.py``.
    """
    command = tool_input.get("command")
    if tool_name == "Bash" and isinstance(command, str):
        rest = {name: value for name, value in tool_input.items() if name != "command"}
        return f'<div class="ask-tool-input">{_code_html(command, "bash")}{_rest_html(rest)}</div>'

    code = tool_input.get(_CODE.get(tool_name, ""))
    if isinstance(code, str):
        rest = {name: value for name, value in tool_input.items() if value is not code}
        return f'<div class="ask-tool-input">{_code_html(code, "python")}{_rest_html(rest)}</div>'

    change = file_change(tool_name, tool_input, cwd)
    if change is not None:
        return f'<div class="ask-tool-input">{_change_html(change, cwd)}</div>'

    if not tool_input:
        return '<div class="ask-tool-input ask-note">It takes no input.</div>'

    body = _entries_html(tool_input)
    if tool_name in _ACTIONS and not any(isinstance(value, (Mapping, list)) for value in tool_input.values()):
        return f'<div class="ask-tool-input">{body}</div>'

    summary = f"Input: {text_html(input_preview(tool_input))}"
    return f'<div class="ask-tool-input"><details class="ask-tree"><summary>{summary}</summary>{body}</details></div>'


def input_preview(tool_input: Mapping[str, object]) -> str:
    """Give an input as one short plain line: ``query: weather, limit: 10``."""
    parts = (f"{name}: {_short(value)}" for name, value in tool_input.items())
    return _clipped(", ".join(parts), _LONGEST_PREVIEW) or "none"


def tool_code(tool_name: str, tool_input: Mapping[str, object], cwd: str = "") -> tuple[str, str, str]:
    """Give a tool's whole input for where there is only text: a line of ours, the code below it, and its language.

    The file that an edit would change is read, to compare with; see ``askwidgets/file_change.py``.
    """
    change = file_change(tool_name, tool_input, cwd)
    if change is None:
        language = _LANGUAGES.get(tool_name) if edit_field(tool_name, tool_input) else None
        return "", edit_text(tool_name, tool_input), language or "json"

    if not change.before:
        return f"{change.note}\n{change.path}".lstrip(), change.after, PurePath(change.path).suffix.removeprefix(".")

    difference = diff_text(change.before, change.after, change.path)
    return change.note if difference else f"{change.note}\nThis changes nothing.".lstrip(), difference, "diff"


def input_text(tool_name: str, tool_input: Mapping[str, object]) -> str:
    """Give an input as text: a command and code as they are, the file of an edit, all else as one short line."""
    code = "command" if tool_name == "Bash" else _CODE.get(tool_name)
    for field in (code,) if code else ("file_path", "notebook_path", "url"):
        value = tool_input.get(field)
        if isinstance(value, str):
            return value

    return input_preview(tool_input)


def hidden_characters(tool_input: Mapping[str, object]) -> list[str]:
    """Name the characters of an input that cannot be seen or that change the order of others, each once."""
    return list(dict.fromkeys(name for text in _texts(tool_input) for name in reveal(text)[1]))


def _unknown_action(tool_name: str) -> str:
    parts = tool_name.split("__", 2)
    if len(parts) == 3 and parts[0] == "mcp":  # noqa: PLR2004 -- mcp__server__tool
        return f"use {_line(parts[2])} of the MCP server {_line(parts[1])}"

    return f"use the tool {_line(tool_name) or 'without a name'}"


def _change_html(change: FileChange, cwd: str) -> str:
    same = change.before == change.after
    words = change.note or ("This changes nothing." if same else "")
    note = f'<div class="ask-note">{text_html(words)}</div>' if words else ""
    # A new file reads best as what it is, and too much text to compare must be shown all the same.
    if same or not change.before or len(change.before) + len(change.after) > LARGEST_COMPARED:
        return note + _code_html(change.after, PurePath(change.path).suffix)

    return note + diff_html(change.before, change.after, relative_path(change.path, cwd))


def _code_html(code: str, language: str) -> str:
    """Show code; of long code say how long, since its end may be out of sight."""
    lines = code.count("\n") + 1
    note = f'<div class="ask-note">{lines:,} lines</div>' if lines > _MANY_LINES else ""
    return note + code_html(code, language)


def _rest_html(rest: Mapping[str, object]) -> str:
    """Show the fields beside a command, its description as a plain sentence."""
    description = rest.get("description")
    if not isinstance(description, str):
        return _entries_html(rest) if rest else ""

    others = {name: value for name, value in rest.items() if name != "description"}
    sentence = f'<div class="ask-note">{text_html(description)}</div>' if description else ""
    return sentence + (_entries_html(others) if others else "")


def _entries_html(value: Mapping[str, object] | list[object], depth: int = 0) -> str:
    """List the entries of an object or a list, what is nested in them folded."""
    entries = list(value.items()) if isinstance(value, Mapping) else list(enumerate(value, start=1))
    rows = "".join(
        f"<dt>{text_html(str(name))}</dt><dd>{_value_html(item, depth + 1)}</dd>"
        for name, item in entries[:_MOST_ENTRIES]
    )
    left = dict(entries[_MOST_ENTRIES:])
    more = f"<dt>{len(left):,} more</dt><dd>{_json_html(left)}</dd>" if left else ""
    return f'<dl class="ask-entries">{rows}{more}</dl>'


def _value_html(value: object, depth: int) -> str:
    if isinstance(value, (Mapping, list)) and value:
        if depth > _DEEPEST:
            return _json_html(value)

        summary = f"{len(value):,} {'field' if isinstance(value, Mapping) else 'item'}{'s' if len(value) > 1 else ''}"
        return f"<details><summary>{summary}</summary>{_entries_html(value, depth)}</details>"

    if isinstance(value, str):
        return f'<span class="ask-value" dir="auto">{text_html(value)}</span>' if value else "<em>empty</em>"

    return f'<span class="ask-value">{text_html(_short(value))}</span>'


def _json_html(value: object) -> str:
    """Show all of a value that is too deep or too long for a list."""
    try:
        text = json.dumps(value, indent=1, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):
        text = "(nested too deeply to show)"

    return f"<pre>{text_html(text)}</pre>"


def _texts(value: object) -> Iterator[str]:
    """Give every text in a value, names of fields too."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting.extend((*item.keys(), *item.values()))
        elif isinstance(item, (list, tuple)):
            waiting.extend(item)


def _short(value: object) -> str:
    if isinstance(value, str):
        return _line(value)

    if isinstance(value, Mapping):
        return "{...}" if value else "{}"

    if isinstance(value, list):
        return "[...]" if value else "[]"

    if value is None:
        return "none"

    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _line(text: str) -> str:
    """Make one plain line of a text."""
    return _clipped(reveal(" ".join(text.split()))[0], _LONGEST_LINE)


def _clipped(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url
