"""Permissions given beforehand: rules in the CLI's syntax that allow or deny a tool use with nobody asked.

The syntax is that of https://code.claude.com/docs/en/permissions. What cannot be judged for certain, such as a
command that holds another one, is not covered by a rule that allows, and is by one that denies.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import final
from urllib.parse import urlsplit

from askwidgets.command_parts import command_parts, guessed_parts
from askwidgets.errors import OptionError
from askwidgets.pattern import pattern_matches
from askwidgets.permissions import Decision, PermissionRequest, Rule

__all__ = ["Policy", "parse_rule", "rule_covers", "rule_text"]

_RULE = re.compile(r"\s*([^\s()]+)\s*(?:\((.*)\))?\s*", re.DOTALL)

_ALSO_NAMED = {
    "Edit": frozenset({"Edit", "MultiEdit", "NotebookEdit", "Write"}),
    "Read": frozenset({"Glob", "Grep", "Read"}),
}
"""A rule for ``Edit`` speaks of all tools that edit files, one for ``Read`` of all that read them."""

_PATH_FIELDS = {
    "Edit": "file_path",
    "Glob": "path",
    "Grep": "path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
    "Read": "file_path",
    "Write": "file_path",
}

_NAME_FIELDS = {"Agent": "subagent_type", "Skill": "skill", "Task": "subagent_type"}

_UNKNOWN_FOLDER = "/\0"
"""Stands for the working directory where it is not known, so that relative paths still compare."""

_TOKEN = re.compile(r"\*\*/|\*\*|\*|\?|.", re.DOTALL)


@final
class Policy:
    """Decides by rules alone, usable as ``permit=``; what no rule covers is denied.

    ::

        Policy(allow=["Read", "Bash(git status*)"], deny=["Read(.env)"], plan="approve")
    """

    def __init__(
        self,
        *,
        allow: Iterable[Rule | str] = (),
        deny: Iterable[Rule | str] = (),
        plan: str | None = None,
        keep_planning: str = "",
    ) -> None:
        """Take rules, and what becomes of a plan: ``approve``, or the words that send it back.

        Raises:
            OptionError: a rule does not parse, or ``plan`` is another word.
        """
        if plan not in {None, "approve"}:
            raise OptionError("plan", plan, "approve, or {keep_planning: words}")

        self.allow: tuple[Rule, ...] = tuple(rule if isinstance(rule, Rule) else parse_rule(rule) for rule in allow)
        self.deny: tuple[Rule, ...] = tuple(rule if isinstance(rule, Rule) else parse_rule(rule) for rule in deny)
        self.plan = plan
        self.keep_planning = keep_planning

    async def __call__(self, request: PermissionRequest, /) -> Decision:
        """Allow or deny by the rules; one that denies goes before all that allow."""
        if request.tool_name == "ExitPlanMode":
            return self._plan_decision()

        denying = self._denying(request)
        if denying is not None:
            return Decision(allow=False, message=f"Denied beforehand by the rule {denying}.", by="script")

        if self._allows(request):
            return Decision(allow=True, by="script")

        line = f"allow: [{json.dumps(rule_text(_exact_rule(request)), ensure_ascii=False)}]"
        message = f"Nobody is here to allow {request.tool_name}, and no rule does. Add to the answers: {line}"
        return Decision(allow=False, message=message, by="script")

    def covers(self, request: PermissionRequest) -> bool:
        """Tell whether the rules decide; otherwise somebody is to be asked."""
        if request.tool_name == "ExitPlanMode":
            return self.plan is not None or bool(self.keep_planning)

        return self._denying(request) is not None or self._allows(request)

    def _plan_decision(self) -> Decision:
        if self.keep_planning or self.plan is None:
            message = self.keep_planning or "Nobody is here to approve the plan. Add to the answers: plan: approve"
            return Decision(allow=False, message=message, by="script")

        return Decision(allow=True, by="script")

    def _denying(self, request: PermissionRequest) -> Rule | None:
        return next((rule for rule in self.deny if _rule_reaches(rule, request)), None)

    def _allows(self, request: PermissionRequest) -> bool:
        if self._allows_input(request, request.input):
            return True

        command = request.input.get("command")
        parts = command_parts(command) if request.tool_name == "Bash" and isinstance(command, str) else None
        return bool(parts) and all(self._allows_input(request, {"command": part}) for part in parts or ())

    def _allows_input(self, request: PermissionRequest, tool_input: Mapping[str, object]) -> bool:
        return any(rule_covers(rule, request.tool_name, tool_input, cwd=request.cwd) for rule in self.allow)


def parse_rule(text: str) -> Rule:
    """Parse a rule in the CLI's syntax.

    Raises:
        OptionError: it is neither a tool's name nor ``Tool(what)``.
    """
    match = _RULE.fullmatch(text)
    if not match:
        raise OptionError("rule", text, "a tool, or a tool and what: Read, or Bash(git status*)")

    name, content = match.groups()
    return Rule(tool_name=name, content=None if content in {None, "", "*"} else _unescaped(content))


def rule_text(rule: Rule) -> str:
    """Write a rule as the CLI's settings files have it, and as ``parse_rule`` reads it."""
    if rule.content is None:
        return rule.tool_name

    escaped = rule.content.replace("\\", "\\\\").replace("(", r"\(").replace(")", r"\)")
    # What means the same without is written as a person would.
    return f"{rule.tool_name}({rule.content if _unescaped(rule.content) == rule.content else escaped})"


def _unescaped(content: str) -> str:
    return content.replace(r"\(", "(").replace(r"\)", ")").replace("\\\\", "\\")


def rule_covers(rule: Rule, tool_name: str, tool_input: Mapping[str, object], *, cwd: str = "") -> bool:
    """Tell whether the rule covers every part of a tool use, so that it may allow it.

    A relative path, of the rule or of the tool use, is taken from ``cwd``.
    """
    if not _names(rule.tool_name, tool_name):
        return False

    if rule.content is None:
        return True

    if tool_name == "Bash":
        command = str(tool_input.get("command", "")).strip()
        parts = command_parts(command)
        # A rule made by `Allow for this session` holds the command as it was shown, whatever its parts are.
        is_same = command == rule.content.strip()
        return is_same or (bool(parts) and all(_command_matches(rule.content, part) for part in parts or ()))

    if tool_name in _PATH_FIELDS:
        return all(_path_hits(rule.content, tool_name, tool_input, cwd))

    return _named_matches(rule.content, tool_name, tool_input)


def _rule_reaches(rule: Rule, request: PermissionRequest) -> bool:
    """Tell whether the rule covers any part of a tool use, so that it denies it."""
    if not _names(rule.tool_name, request.tool_name):
        return False

    if rule.content is None:
        return True

    if request.tool_name == "Bash":
        command = str(request.input.get("command", "")).strip()
        # What denies may guess: a part too many costs a question, a part too few a file.
        return any(_command_matches(rule.content, part) for part in [command, *guessed_parts(command)])

    if request.tool_name in _PATH_FIELDS:
        return any(_path_hits(rule.content, request.tool_name, request.input, request.cwd))

    return _named_matches(rule.content, request.tool_name, request.input)


def _names(named: str, tool_name: str) -> bool:
    # An MCP server's name stands for all of its tools.
    is_server = named.startswith("mcp__") and tool_name.startswith(f"{named}__")
    return is_server or tool_name in _ALSO_NAMED.get(named, ()) or pattern_matches(named, tool_name)


def _command_matches(content: str, command: str) -> bool:
    # "git log:*" and "git log *" end at a word: they cover "git log", not "git logs".
    for ending in (":*", " *"):
        if content.endswith(ending):
            prefix = content.removesuffix(ending)
            return pattern_matches(prefix, command) or pattern_matches(f"{prefix} *", command)

    return pattern_matches(content, command)


def _named_matches(content: str, tool_name: str, tool_input: Mapping[str, object]) -> bool:
    if tool_name == "WebFetch" and content.startswith("domain:"):
        try:
            host = urlsplit(str(tool_input.get("url", ""))).hostname
        except ValueError:
            return False

        return host is not None and pattern_matches(content.removeprefix("domain:").lower(), host)

    field = _NAME_FIELDS.get(tool_name)
    return field is not None and pattern_matches(content, str(tool_input.get(field, "")))


def _path_hits(content: str, tool_name: str, tool_input: Mapping[str, object], cwd: str) -> list[bool]:
    """Tell of the path as it is written, and of where its links lead, whether the rule names it."""
    path = str(tool_input.get(_PATH_FIELDS[tool_name]) or "")
    pattern = str(tool_input.get("pattern", "")) if tool_name == "Glob" else ""
    if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
        return [False, True]

    folder = cwd or _UNKNOWN_FOLDER
    written = os.path.normpath(Path(folder) / Path(path).expanduser())
    hits = [_path_matches(content, written, folder)]
    if cwd:
        hits.append(_path_matches(content, os.path.realpath(written), os.path.realpath(cwd)))

    return hits


def _path_matches(content: str, path: str, folder: str) -> bool:
    # As in .gitignore: a bare name is meant at any depth, and a folder with all that it holds.
    if content.startswith("//"):
        root, pattern = "/", content[2:]
    elif content.startswith("~/"):
        root, pattern = str(Path.home()), content[2:]
    else:
        is_bare = "/" not in content.rstrip("/")
        root, pattern = folder, ("**/" if is_bare else "") + content.removeprefix("./").lstrip("/")

    relative = os.path.relpath(path, root).replace(os.sep, "/")
    if relative == ".." or relative.startswith("../"):
        return False

    expressions = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    tokens = _TOKEN.findall(pattern.rstrip("/").removesuffix("/**"))
    expression = "".join(expressions.get(token) or re.escape(token) for token in tokens)
    return re.fullmatch(f"{expression}(?:/.*)?", relative, re.DOTALL) is not None


def _exact_rule(request: PermissionRequest) -> Rule:
    """Name the rule that would allow just this."""
    content = request.input.get("command" if request.tool_name == "Bash" else _PATH_FIELDS.get(request.tool_name, ""))
    if not isinstance(content, str) or not content:
        return Rule(tool_name=request.tool_name)

    is_absolute = request.tool_name != "Bash" and Path(content).is_absolute()
    return Rule(tool_name=request.tool_name, content=f"/{content}" if is_absolute else content)
