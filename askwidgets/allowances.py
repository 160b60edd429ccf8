"""What a person allowed for the rest of a session: kept here, not in the CLI, so that it can be forgotten.

An allowance never covers another tool, nor a tool that always asks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from askwidgets.command_parts import command_parts
from askwidgets.permissions import ALWAYS_ASK, PermissionRequest, Rule, lasting_suggestions
from askwidgets.policy import rule_covers

__all__ = ["SessionAllowances", "allowance_text", "session_rules"]

_EDITED = {"Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path", "Write": "file_path"}
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
        # Also against a rule that was made some other way: these are questions to the person.
        if request.tool_name in ALWAYS_ASK:
            return False

        if (request.tool_name, _command(request.input)) in self._seen:
            return True

        # What the parts of a command run, each rule covers for itself.
        command = _command(request.input) if request.tool_name == "Bash" else ""
        parts = command_parts(command) if command else None
        inputs = [{"command": part} for part in parts] if parts else [request.input]
        return all(self._cover(request, tool_input) for tool_input in inputs)

    def clear(self) -> None:
        """Forget all of it; the next use asks again."""
        self._rules = ()
        self._seen = frozenset()

    def describe(self) -> list[str]:
        """List the rules in the CLI's syntax, in the order of their giving."""
        return [str(rule) for rule in self._rules]

    def _cover(self, request: PermissionRequest, tool_input: Mapping[str, object]) -> bool:
        name = request.tool_name
        rules = (rule for rule in self._rules if rule.tool_name == name)
        return any(rule_covers(rule, name, tool_input, cwd=request.cwd) for rule in rules)


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


def allowance_text(rule: Rule) -> str:
    """Say what a rule covers: whole tools and folders in words, all else in the CLI's syntax."""
    if rule.content is None:
        return f"every use of {rule.tool_name}"

    if rule.content.startswith("//") and rule.content.endswith("/**"):
        return f"{rule.tool_name} in {rule.content[1:-3] or '/'}"

    return str(rule)


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
        return _exactly(tool_name, f"/{folder.as_posix().rstrip('/')}", "/**")

    return _exactly(tool_name, f"/{file.as_posix()}")


def _exactly(tool_name: str, content: str, ending: str = "") -> tuple[Rule, ...]:
    """Make a rule for the very words; none where the rule syntax would read a pattern in them."""
    if not content or _PATTERN_CHARACTERS.search(content):
        return ()

    return (Rule(tool_name=tool_name, content=f"{content}{ending}"),)


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
