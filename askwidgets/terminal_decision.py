"""Permissions and plans in a terminal: what a tool would do, in color, and a list of the ways to answer."""

from __future__ import annotations

from askwidgets.allowances import allowance_text, session_rules
from askwidgets.errors import OptionError
from askwidgets.hidden import plain
from askwidgets.permissions import (
    Decision,
    PermissionRequest,
    denial,
    lasting_decision,
    lasting_suggestions,
    suggestion_text,
)
from askwidgets.plan_text import plan_text
from askwidgets.terminal_prompt import Row, pick, tell, type_line
from askwidgets.terminal_text import code_text, has_colors, markdown_text
from askwidgets.tool_edit import edit_field, edit_text, edited_input
from askwidgets.tool_view import hidden_characters, tool_code, tool_sentence

__all__ = ["asked_decision"]

_ALLOW, _SESSION, _ALWAYS, _EDIT, _DENY, _STOP = "allow", "session", "always", "edit", "deny", "stop"
_ACCEPT_EDITS = "acceptEdits"


async def asked_decision(request: PermissionRequest) -> Decision:
    """Ask a person at the terminal about a tool use or a plan.

    Raises:
        PromptInterrupt: the person pressed Ctrl-C.
    """
    if request.tool_name == "ExitPlanMode":
        return await _asked_plan(request)

    _tell_request(request)
    rows = _allow_rows(request)
    deny = [Row(value=_DENY, text="Deny, with a reason or without"), Row(value=_STOP, text="Deny and stop the turn")]

    while True:
        picked = await pick("Allow it?", rows, below=deny)

        if picked in {_DENY, _STOP}:
            return await _denied(request, interrupt=picked == _STOP)

        decision = await _edited(request) if picked == _EDIT else _allowed(request, picked)

        if decision is not None:
            return decision


def _tell_request(request: PermissionRequest) -> None:
    """Show what the tool would do, and what to look out for."""
    tell(plain(tool_sentence(request.tool_name, request.input, request.title, request.cwd)))

    if request.agent_id:
        tell(plain(f"Asked by the subagent {request.agent_id}."))

    note, code, language = tool_code(request.tool_name, request.input, request.cwd)
    tell("\n".join(filter(None, [plain(note), code_text(code, language, colored=has_colors())])))
    names = hidden_characters(request.input)

    if names:
        tell(plain(f"It holds characters that cannot be seen, written out above: {', '.join(names)}."))

    if request.decision_reason:
        tell(plain(f"Asked because: {request.decision_reason}"))

    if request.blocked_path:
        tell(plain(f"Outside of what is allowed: {request.blocked_path}"))


def _allow_rows(request: PermissionRequest) -> list[Row]:
    rules, lasting = session_rules(request), lasting_suggestions(request)
    rows = [Row(value=_ALLOW, text="Allow once")]

    if rules:
        covers = ", ".join(map(allowance_text, rules))
        rows.append(Row(value=_SESSION, text=f"Allow for this session: {covers}"))

    if lasting:
        rows.append(Row(value=_ALWAYS, text="; ".join(map(suggestion_text, lasting))))

    # A line takes no line breaks.
    if "\n" not in edit_text(request.tool_name, request.input):
        rows.append(Row(value=_EDIT, text="Edit first"))

    return rows


def _allowed(request: PermissionRequest, picked: str) -> Decision:
    if picked == _ALWAYS:
        return lasting_decision(lasting_suggestions(request))

    return Decision(allow=True, for_session=picked == _SESSION)


async def _edited(request: PermissionRequest) -> Decision | None:
    """Let the input be changed; ``None`` where what was typed does not fit the tool."""
    before = edit_text(request.tool_name, request.input)
    text = await type_line(edit_field(request.tool_name, request.input) or "Input", default=before)

    try:
        changed = edited_input(request.tool_name, request.input, text)
    except OptionError as error:
        tell(plain(str(error)))

        return None

    return Decision(allow=True, updated_input=None if changed == request.input else changed)


async def _denied(request: PermissionRequest, *, interrupt: bool) -> Decision:
    reason = (await type_line("Reason", hint="Enter alone gives none")).strip()
    message = denial(request, reason, interrupt=interrupt)

    return Decision(allow=False, message=message, reason=reason, interrupt=interrupt)


async def _asked_plan(request: PermissionRequest) -> Decision:
    plan = plan_text(request)
    tell("Claude has a plan")
    tell(markdown_text(plan, colored=has_colors()) if plan else "No plan was supplied, so there is nothing to approve.")
    approve = [Row(value=_ALLOW, text="Approve plan"), Row(value=_ACCEPT_EDITS, text="Approve and accept edits")]
    keep = [Row(value=_DENY, text="Keep planning, with remarks or without")]
    picked = await pick("Carry it out?", [*approve, *keep] if plan else keep)

    if picked == _DENY:
        remarks = (await type_line("Remarks", hint="Enter alone gives none")).strip()

        return Decision(allow=False, message=denial(request, remarks), reason=remarks)

    return Decision(allow=True, mode=_ACCEPT_EDITS if picked == _ACCEPT_EDITS else "")
