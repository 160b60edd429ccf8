"""Questions of MCP servers (elicitation): told in the cell, with what became of them.

The CLI runs the SDK's hooks for them and answers by itself: what a hook gives back is ignored now, and the server
reads ``cancel``. https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from claude_agent_sdk import HookContext, HookInput, HookJSONOutput, HookMatcher
from claude_agent_sdk.types import HookEvent

from askwidgets.hidden import plain
from askwidgets.turn import Notice

__all__ = ["elicitation_hooks", "elicitation_notice"]

_LONGEST = 600
"""Characters of a server's words that are shown."""


def elicitation_hooks(tell: Callable[[Notice], None]) -> dict[HookEvent, list[HookMatcher]]:
    """Make the hooks that tell of each question, and of what the server was given."""

    async def told(hook_input: HookInput, _tool_use_id: str | None, _context: HookContext) -> HookJSONOutput:
        tell(elicitation_notice(cast("Mapping[str, object]", hook_input)))
        return {}

    hooks = {name: [HookMatcher(hooks=[told])] for name in ("Elicitation", "ElicitationResult")}

    # The CLI has these events; the SDK's type does not name them yet.
    return cast("dict[HookEvent, list[HookMatcher]]", hooks)


def elicitation_notice(hook_input: Mapping[str, object]) -> Notice:
    """Say what a server asks, or what became of it."""
    server = f"The MCP server {_shown(hook_input.get('mcp_server_name') or 'without a name')}"

    if hook_input.get("hook_event_name") == "ElicitationResult":
        action = _shown(hook_input.get("action") or "cancel")

        if action == "cancel":
            return Notice(f"{server} got no answer ({action}): its questions cannot be answered here.")

        return Notice(f"{server} was answered by Claude Code or its settings ({action}).")

    address = hook_input.get("url")
    where = f" It names the address {_shown(address)}." if address else ""
    wanted = _fields(hook_input.get("requested_schema"))
    fields = f" It wants: {', '.join(wanted)}." if wanted else ""

    return Notice(f"{server} asks: {_shown(hook_input.get('message') or 'nothing in words')}{fields}{where}")


def _fields(schema: object) -> list[str]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None

    return [_shown(name) for name in properties] if isinstance(properties, Mapping) else []


def _shown(value: object) -> str:
    text = plain(str(value))

    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
