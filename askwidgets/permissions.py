"""Permissions and plans: what the agent wants to do, and what the person decided.

Values, and the JSON of the CLI's permission updates that they come from and go back as
(https://docs.claude.com/en/api/agent-sdk/permissions). It uses neither widgets nor the SDK.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

__all__ = [
    "ALWAYS_ASK",
    "BYPASS",
    "Decision",
    "PermissionRequest",
    "Permit",
    "Rule",
    "Suggestion",
    "denial",
    "destination_text",
    "lasting_decision",
    "lasting_suggestions",
    "parse_suggestion",
    "permission_request",
    "permission_updates",
    "suggestion_text",
    "wire_suggestion",
]

ALWAYS_ASK = frozenset({"AskUserQuestion", "ExitPlanMode"})
"""Tools that put something before the person each time; nothing allows them beforehand."""

BYPASS = "bypassPermissions"
"""The mode in which every tool runs without asking; questions and plans still ask."""

_DESTINATIONS = {
    "session": "until this session ends",
    "localSettings": "saved in .claude/settings.local.json",
    "projectSettings": "saved in .claude/settings.json, which the project shares",
    "userSettings": "saved in your own ~/.claude/settings.json, for every project",
}

_MODES = {"acceptEdits": ", in which files of the working directory are edited without asking"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A permission rule in the CLI's syntax: ``Bash(git status*)``, or ``Read`` for the whole tool."""

    tool_name: str
    content: str | None = None
    """What it matches within the tool; ``None`` covers every use."""

    def __str__(self) -> str:
        return self.tool_name if self.content is None else f"{self.tool_name}({self.content})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What the CLI suggests to allow from now on, and where it would keep that."""

    kind: Literal["rules", "mode", "directories"]
    rules: tuple[Rule, ...] = ()
    behavior: str = "allow"
    mode: str = ""
    directories: tuple[str, ...] = ()
    destination: str = "session"
    """``session``, ``localSettings``, ``projectSettings`` or ``userSettings``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionRequest:
    """One tool use that waits for the person; also a plan (``ExitPlanMode``)."""

    tool_name: str
    input: Mapping[str, object]
    tool_use_id: str = ""
    agent_id: str | None = None
    title: str = ""
    """The CLI's own sentence for it; may be empty."""
    display_name: str = ""
    description: str = ""
    decision_reason: str = ""
    blocked_path: str = ""
    suggestions: tuple[Suggestion, ...] = ()
    cwd: str = ""
    """The session's working directory, for paths that are relative."""
    config_directory: str = ""
    """Where the session's CLI keeps its files, plans among them; empty where that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the person decided about a tool use."""

    allow: bool
    updated_input: Mapping[str, object] | None = None
    """The input as the person changed it; ``None`` leaves it as it was."""
    suggestions: tuple[Suggestion, ...] = ()
    """What to allow from now on, each where its ``destination`` says."""
    message: str = ""
    """With a deny: what the model reads."""
    reason: str = ""
    """The person's own words, for the receipt; the message quotes them."""
    interrupt: bool = False
    """With a deny: end the turn."""
    mode: str = ""
    """Set this permission mode as well; empty leaves it."""
    for_session: bool = False
    """With an allow: also allow what ``askwidgets.allowances`` names for the rest of the session."""
    by: str = "person"
    """Who decided: ``person``, ``script``, ``session`` (allowed before), or the command that did."""


class Permit(Protocol):
    """Whatever can decide about a tool use: a form, a policy, a terminal."""

    def __call__(self, request: PermissionRequest, /) -> Awaitable[Decision]:
        """Decide; cancelled when the agent no longer waits."""


def permission_request(
    tool_name: str, tool_input: Mapping[str, object], context: object, *, cwd: str = "", config_directory: str = ""
) -> PermissionRequest:
    """Read a request off the context that the SDK's ``can_use_tool`` gets; what it lacks stays empty."""
    updates = getattr(context, "suggestions", None) or ()
    suggestions = (parse_suggestion(_update_mapping(update)) for update in updates)
    agent_id = getattr(context, "agent_id", None)

    return PermissionRequest(
        tool_name=tool_name,
        input=tool_input,
        tool_use_id=_text(context, "tool_use_id"),
        agent_id=agent_id if isinstance(agent_id, str) else None,
        title=_text(context, "title"),
        display_name=_text(context, "display_name"),
        description=_text(context, "description"),
        decision_reason=_text(context, "decision_reason"),
        blocked_path=_text(context, "blocked_path"),
        suggestions=tuple(suggestion for suggestion in suggestions if suggestion is not None),
        cwd=cwd,
        config_directory=config_directory,
    )


def parse_suggestion(update: Mapping[str, object]) -> Suggestion | None:
    """Parse a permission update of the CLI; ``None`` for one that adds nothing, or that is not understood."""
    destination = update.get("destination")
    kept = destination if isinstance(destination, str) and destination else "session"
    kind = update.get("type")
    rules = _rules(update.get("rules"))

    if kind == "addRules" and rules:
        behavior = update.get("behavior")
        if behavior in {"allow", "deny", "ask"}:
            return Suggestion(kind="rules", rules=rules, behavior=str(behavior), destination=kept)

        return None

    mode = update.get("mode")
    if kind == "setMode" and isinstance(mode, str) and mode:
        return Suggestion(kind="mode", mode=mode, destination=kept)

    directories = _strings(update.get("directories"))
    if kind == "addDirectories" and directories:
        return Suggestion(kind="directories", directories=directories, destination=kept)

    return None


def wire_suggestion(suggestion: Suggestion) -> dict[str, object]:
    """Build the permission update of the CLI, as ``PermissionUpdate.from_dict`` takes it."""
    if suggestion.kind == "mode":
        return {"type": "setMode", "mode": suggestion.mode, "destination": suggestion.destination}

    if suggestion.kind == "directories":
        return {
            "type": "addDirectories",
            "directories": list(suggestion.directories),
            "destination": suggestion.destination,
        }

    return {
        "type": "addRules",
        "rules": [_wire_rule(rule) for rule in suggestion.rules],
        "behavior": suggestion.behavior,
        "destination": suggestion.destination,
    }


def permission_updates(decision: Decision) -> list[dict[str, object]]:
    """Build every permission update that a decision asks for, the change of mode last."""
    updates = [wire_suggestion(suggestion) for suggestion in decision.suggestions] if decision.allow else []
    if decision.allow and decision.mode:
        updates.append(wire_suggestion(Suggestion(kind="mode", mode=decision.mode)))

    return updates


def denial(request: PermissionRequest, reason: str = "", *, interrupt: bool = False) -> str:
    """Build what the model reads when a person denies; of a plan, their remarks alone."""
    if request.tool_name == "ExitPlanMode":
        return reason or "The user wants to keep planning and gave no remarks. Revise the plan, or ask what to change."

    stopped = " and stopped the turn" if interrupt else ""
    words = f"The user denied this use of {request.tool_name}{stopped}; it was not run."
    if reason:
        return f"{words} The user said: {reason}"

    return f"{words} They gave no reason: do not try the same in another way; ask, or go on without it."


def suggestion_text(suggestion: Suggestion) -> str:
    """Say in words what a suggestion allows, and where that is kept."""
    where = destination_text(suggestion.destination)
    if suggestion.kind == "mode":
        does = _MODES.get(suggestion.mode, "")
        return f"Switch to the permission mode {suggestion.mode}{does}, {where}"

    if suggestion.kind == "directories":
        return f"Always allow access to {_listed(suggestion.directories)}, {where}"

    verb = {"allow": "allow", "deny": "deny"}.get(suggestion.behavior, "ask before")
    return f"Always {verb} {_listed(str(rule) for rule in suggestion.rules)}, {where}"


def destination_text(destination: str) -> str:
    """Say where the CLI keeps a permission update."""
    return _DESTINATIONS.get(destination, f"kept in {destination}")


def lasting_suggestions(request: PermissionRequest) -> tuple[Suggestion, ...]:
    """Pick what ``Always allow`` gives: the rules suggested, and only without any the rest.

    The CLI may suggest a rule and, beside it, a directory and a mode that reach much further. Rules that are
    kept in the same place are put together. None for a tool that always asks.
    """
    if request.tool_name in ALWAYS_ASK:
        return ()

    rules: dict[str, tuple[Rule, ...]] = {}
    for suggestion in request.suggestions:
        is_safe = not any(rule.tool_name in ALWAYS_ASK for rule in suggestion.rules)
        if suggestion.kind == "rules" and suggestion.behavior == "allow" and is_safe:
            kept = rules.get(suggestion.destination, ())
            rules[suggestion.destination] = (*kept, *(rule for rule in suggestion.rules if rule not in kept))

    together = tuple(Suggestion(kind="rules", rules=rules[place], destination=place) for place in rules)
    return together or tuple(suggestion for suggestion in request.suggestions if suggestion.kind != "rules")


def lasting_decision(suggestions: tuple[Suggestion, ...]) -> Decision:
    """Allow with what ``Always allow`` gives; for this session too, where it is a rule."""
    # A session that does not read the settings in which the CLI saves a rule would ask again.
    has_rules = any(suggestion.rules for suggestion in suggestions)
    return Decision(allow=True, suggestions=suggestions, for_session=has_rules)


def _update_mapping(update: object) -> Mapping[str, object]:
    """Give a permission update as the CLI's mapping, also where the SDK has made an object of it."""
    if isinstance(update, Mapping):
        return update

    rules = [
        {"toolName": getattr(rule, "tool_name", None), "ruleContent": getattr(rule, "rule_content", None)}
        for rule in getattr(update, "rules", None) or ()
    ]
    fields = ("type", "behavior", "mode", "directories", "destination")
    return {"rules": rules, **{name: getattr(update, name, None) for name in fields}}


def _rules(value: object) -> tuple[Rule, ...]:
    if not isinstance(value, (list, tuple)):
        return ()

    rules: list[Rule] = []
    for item in value:
        tool_name = item.get("toolName") if isinstance(item, Mapping) else None
        content = item.get("ruleContent") if isinstance(item, Mapping) else None
        # One rule that is not understood would leave the rest with another meaning in words than on the wire.
        if not isinstance(tool_name, str) or not tool_name or not (content is None or isinstance(content, str)):
            return ()

        rules.append(Rule(tool_name=tool_name, content=content or None))

    return tuple(rules)


def _wire_rule(rule: Rule) -> dict[str, str]:
    wire = {"toolName": rule.tool_name}
    if rule.content is not None:
        wire["ruleContent"] = rule.content

    return wire


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        return ()

    return tuple(value)


def _text(context: object, name: str) -> str:
    value = getattr(context, name, None)
    return value if isinstance(value, str) else ""


def _listed(words: Iterable[str]) -> str:
    """Join words as a sentence lists them."""
    items = list(words)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
