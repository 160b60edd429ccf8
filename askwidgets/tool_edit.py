"""A tool's input as text that a person can change before allowing it, and the changed text as input again."""

from __future__ import annotations

import json
from collections.abc import Mapping

from askwidgets.errors import OptionError
from askwidgets.hidden import reveal

__all__ = ["edit_field", "edit_text", "edited_input"]

_MAIN_FIELDS = {
    "Bash": "command",
    "Edit": "new_string",
    "NotebookEdit": "new_source",
    "Write": "content",
    "mcp__kernel__add_cell": "source",
    "mcp__kernel__run_python": "code",
}
_REQUIRED = {
    "Bash": ("command",),
    "Edit": ("file_path", "old_string", "new_string"),
    "Glob": ("pattern",),
    "Grep": ("pattern",),
    "NotebookEdit": ("notebook_path", "new_source"),
    "Read": ("file_path",),
    "WebFetch": ("url", "prompt"),
    "WebSearch": ("query",),
    "Write": ("file_path", "content"),
    "mcp__kernel__add_cell": ("source",),
    "mcp__kernel__run_python": ("code",),
}
_MAY_BE_EMPTY = frozenset({"content", "new_source", "new_string", "old_string"})


def edit_field(tool_name: str, tool_input: Mapping[str, object]) -> str:
    """Name the one field that is edited as plain text; empty where the whole input is edited as JSON.

    A text area of a browser drops carriage returns and shows no hidden characters; JSON escapes both.
    """
    name = _MAIN_FIELDS.get(tool_name, "")
    value = tool_input.get(name)
    if not isinstance(value, str) or "\r" in value or reveal(value)[1]:
        return ""

    return name


def edit_text(tool_name: str, tool_input: Mapping[str, object]) -> str:
    """Give what stands in the text area at first."""
    name = edit_field(tool_name, tool_input)
    if name:
        return str(tool_input[name])

    return json.dumps(dict(tool_input), indent=2, default=str)


def edited_input(tool_name: str, tool_input: Mapping[str, object], text: str) -> dict[str, object]:
    """Read the changed text back as the tool's input.

    Raises:
        OptionError: The text does not fit the tool.
    """
    name = edit_field(tool_name, tool_input)
    edited = {**tool_input, name: text} if name else _parsed(text)

    for field, value in edited.items():
        _check(field, value, tool_input.get(field))

    for field in _REQUIRED.get(tool_name, ()):
        if field not in edited:
            raise OptionError(field, None, "a value, for the tool needs it")

    return edited


def _parsed(text: str) -> dict[str, object]:
    name, wanted = "the input", "JSON: an object in braces"
    try:
        parsed: object = json.loads(text)
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1].strip()
        name, wanted = f"line {error.lineno}", f"JSON ({error.msg})"
        raise OptionError(name, line, wanted) from None
    except RecursionError:
        raise OptionError(name, "too deeply nested", wanted) from None

    if not isinstance(parsed, dict):
        raise OptionError(name, parsed, wanted)

    return parsed


def _check(field: str, value: object, before: object) -> None:
    """Refuse a value of another type than the model gave, and an empty one that does nothing."""
    if before is None:
        return

    number = isinstance(before, (int, float)) and not isinstance(before, bool)
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) if number else type(value) is type(before)
    if not fits:
        kinds = {str: "text", bool: "true or false", list: "a list", dict: "an object"}
        raise OptionError(field, value, kinds.get(type(before), "a number"))

    if value == "" and before != "" and field not in _MAY_BE_EMPTY:
        raise OptionError(field, value, "some text")
