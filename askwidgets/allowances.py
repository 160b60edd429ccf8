"""What a person allowed for the rest of a session: kept here, not in the CLI, so that it can be forgotten.

An allowance never covers another tool, nor a tool that always asks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from askwidgets.permissions import ALWAYS_ASK, PermissionRequest, Rule, lasting_suggestions
from askwidgets.policy import rule_covers

__all__ = ["SessionAllowances", "session_rules"]

_EDITED = {"Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path", "Write": "file_path"}
_PATH_FIELDS = {**_EDITED, "Glob": "path", "Grep": "path", "Read": "file_path"}
_PATTERN_CHARACTERS = re.compile(r"[*?\[\]{}!\\]")


class SessionAllowances:
    """The tool uses that need no asking until the session ends.

    ::

        allowances.add(request)  # the person chose `Allow for this session`
        allowances.covers(request)  # asks nobody when true
    """

    def __init__(self) -> None:
        self._rules: tuple[Rule, ...] = ()
        self._seen: frozenset[tuple[str, str]] = frozenset()

    def add(self, request: PermissionRequest) -> None:
        """Cover from now on what ``session_rules`` names for this request, and this request itself."""
        rules = session_rules(request)
        if not rules:
            return

        self._rules = (*self._rules, *(rule for rule in rules if rule not in self._rules))
        # The parts of a command each have a rule of their own; together they have none.
        command = _command(request.input)
        if command:
            self._seen |= {(request.tool_name, command)}

    def covers(self, request: PermissionRequest) -> bool:
        """Tell whether the person has allowed this already."""
        if request.tool_name in ALWAYS_ASK:
            return False

        if (request.tool_name, _command(request.input)) in self._seen:
            return True

        tool_input = _resolved_input(request)
        return tool_input is not None and any(
            rule_covers(rule, request.tool_name, tool_input)
            for rule in self._rules
            if rule.tool_name == request.tool_name
        )

    def clear(self) -> None:
        """Forget all of it; the next use asks again."""
        self._rules = ()
        self._seen = frozenset()

    def describe(self) -> list[str]:
        """List the rules in the CLI's syntax, in the order of their giving."""
        return [str(rule) for rule in self._rules]


def session_rules(request: PermissionRequest) -> tuple[Rule, ...]:
    """Name what ``Allow for this session`` covers: this tool, within what the CLI suggests for it.

    Without a suggestion a command is covered as it stands, an edit within the working directory, and any
    other tool as a whole. Empty where nothing can be covered.
    """
    if request.tool_name in ALWAYS_ASK:
        return ()

    suggested = tuple(
        rule
        for suggestion in lasting_suggestions(request)
        for rule in suggestion.rules
        if rule.tool_name == request.tool_name
    )
    return suggested or _own_rules(request)


def _own_rules(request: PermissionRequest) -> tuple[Rule, ...]:
    tool_name = request.tool_name
    if tool_name == "Bash":
        return _exactly(tool_name, _command(request.input))

    if tool_name not in _EDITED:
        return (Rule(tool_name=tool_name),)

    file = _resolved(request.input.get(_EDITED[tool_name]), request.cwd)
    folder = _resolved(request.cwd)
    if file is None:
        return ()

    # A rule whose path is absolute begins with two slashes.
    if folder is not None and file.is_relative_to(folder):
        return _exactly(tool_name, f"/{folder.as_posix()}", "/**")

    return _exactly(tool_name, f"/{file.as_posix()}")


def _exactly(tool_name: str, content: str, ending: str = "") -> tuple[Rule, ...]:
    """Make a rule for the very words; none where the rule syntax would read a pattern in them."""
    if not content or _PATTERN_CHARACTERS.search(content):
        return ()

    return (Rule(tool_name=tool_name, content=f"{content}{ending}"),)


def _resolved_input(request: PermissionRequest) -> Mapping[str, object] | None:
    """Give the input with its path resolved: neither a link nor ``..`` may lead out of what was allowed."""
    field = _PATH_FIELDS.get(request.tool_name)
    if field is None or field not in request.input:
        return request.input

    file = _resolved(request.input[field], request.cwd)
    return None if file is None else {**request.input, field: str(file)}


def _resolved(path: object, folder: str = "") -> Path | None:
    """Follow a path to where it leads; ``None`` for what is no path."""
    if not isinstance(path, str) or not path:
        return None

    try:
        return Path(folder, path).resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _command(tool_input: Mapping[str, object]) -> str:
    command = tool_input.get("command")
    return command if isinstance(command, str) else ""
