"""The SDK's ``can_use_tool``: routes what waits for a person to those who ask, and their answer back.

Nothing that the model sends may raise out of it: bad input is denied in words, so that the model calls again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Protocol

from claude_agent_sdk import (
    PermissionResult,
    PermissionResultAllow,
    PermissionResultDeny,
    PermissionUpdate,
    ToolPermissionContext,
)

from askwidgets.errors import QuestionError
from askwidgets.limits import Limits
from askwidgets.permissions import Decision, PermissionRequest, permission_request, permission_updates
from askwidgets.questions import Outcome, QuestionRequest, denial, parse_question_request, updated_input

__all__ = ["Host", "ToolGate"]

_ALLOWED = frozenset({"answered", "replied", "asked_more"})


class Host(Protocol):
    """Where questions and permissions of the running turn go; records what came of them."""

    def ask(self, request: QuestionRequest, /) -> Awaitable[Outcome]:
        """Settle a question."""

    def permit(self, request: PermissionRequest, /) -> Awaitable[Decision]:
        """Decide about a tool use."""

    def fail(self, error: Exception, /) -> None:
        """End the turn with this error, once the agent has been stopped."""


@dataclass(slots=True)
class ToolGate:
    """One session's gate; ``host`` is set to that of the running turn."""

    cwd: str
    limits: Limits
    """What no decision goes past, whoever made it."""
    config_directory: str = ""
    """Where the session's CLI keeps its plans."""
    host: Host | None = None

    async def __call__(
        self, tool_name: str, tool_input: dict[str, object], context: ToolPermissionContext
    ) -> PermissionResult:
        """Answer the CLI's permission request; cancelled when the CLI no longer waits."""
        host = self.host

        # A subagent in the background may ask when the turn that started it has long ended.
        if host is None:
            return PermissionResultDeny(message="Nobody is here to decide: the turn is over.")

        try:
            # Before permissions are looked at, so that no rule about tools can ever answer a question.
            if tool_name == "AskUserQuestion":
                return await _question_result(host, tool_input, context)

            request = permission_request(
                tool_name, tool_input, context, cwd=self.cwd, config_directory=self.config_directory
            )
            request = self.limits.within(request)

            return _permission_result(request, self.limits.narrowed(await host.permit(request)))
        except QuestionError as error:
            # The message names the field, and the model repeats the call with it mended.
            return PermissionResultDeny(message=str(error))
        except Exception as error:  # noqa: BLE001 - whatever a host raises ends the turn there, never the session
            host.fail(error)

            return PermissionResultDeny(message=f"The host could not ask: {error}", interrupt=True)


async def _question_result(
    host: Host, tool_input: Mapping[str, object], context: ToolPermissionContext
) -> PermissionResult:
    request = parse_question_request(tool_input, tool_use_id=context.tool_use_id or "", agent_id=context.agent_id)
    outcome = await host.ask(request)

    if outcome.kind in _ALLOWED:
        return PermissionResultAllow(updated_input=updated_input(request, outcome))

    return PermissionResultDeny(message=denial(request, outcome))


def _permission_result(request: PermissionRequest, decision: Decision) -> PermissionResult:
    if not decision.allow:
        return PermissionResultDeny(message=decision.message, interrupt=decision.interrupt)

    updates = [PermissionUpdate.from_dict(update) for update in permission_updates(decision)]

    return PermissionResultAllow(
        updated_input=dict(request.input if decision.updated_input is None else decision.updated_input),
        updated_permissions=updates or None,
    )
