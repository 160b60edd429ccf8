"""Permissions and plans: what the agent wants to do, and what the person decided.

Values only; the session turns them to and from the SDK's own (``PermissionUpdate`` and the
``PermissionResult`` classes, https://docs.claude.com/en/api/agent-sdk/permissions).
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

__all__ = ["Decision", "PermissionRequest", "Permit", "Rule", "Suggestion"]


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
    interrupt: bool = False
    """With a deny: end the turn."""
    mode: str = ""
    """Set this permission mode as well; empty leaves it."""
    by: str = "person"


class Permit(Protocol):
    """Whatever can decide about a tool use: a form, a policy, a terminal."""

    def __call__(self, request: PermissionRequest, /) -> Awaitable[Decision]:
        """Decide; cancelled when the agent no longer waits."""
