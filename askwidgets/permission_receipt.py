"""What stays in the notebook of a permission and of a plan: a receipt, for people and for programs.

Beside the fields that every receipt has (``askwidgets/receipt.py``), the machine-readable form holds::

    tool_name      the tool
    input          its input as the model gave it
    updated_input  the input as the person changed it
    rules          what was allowed from now on, each in words
    mode           the permission mode that was set with it
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from askwidgets.permissions import Decision, PermissionRequest, suggestion_text
from askwidgets.receipt import Receipt, ReceiptLine, ReceiptRow
from askwidgets.tool_summary import relative_path, summarize
from askwidgets.tool_view import input_text, tool_sentence

__all__ = ["decision_receipt", "permission_receipt", "plan_receipt"]


_INTERRUPTED = Decision(allow=False, by="interrupt")


def decision_receipt(request: PermissionRequest, decision: Decision | None) -> Receipt:
    """Make the receipt of a permission or of a plan; ``None`` is for an agent that stopped waiting."""
    make = plan_receipt if request.tool_name == "ExitPlanMode" else permission_receipt
    return make(request, decision or _INTERRUPTED)


def permission_receipt(request: PermissionRequest, decision: Decision) -> Receipt:
    """Make the receipt of a tool use that was allowed or denied."""
    rules = [suggestion_text(suggestion) for suggestion in decision.suggestions]
    # Told from the working directory, which another machine has elsewhere.
    text = relative_path(input_text(request.tool_name, request.input), request.cwd)
    row = ReceiptRow(
        label=summarize(request.tool_name, request.input).title,
        question=_code(text),
        lines=(*_changed(request, decision), *(ReceiptLine(text=rule) for rule in rules)),
        preview=_fenced(text) if "\n" in text.strip() else "",
        preview_label="All of it",
    )
    status = _status(decision, allowed="Allowed", denied="Denied")

    return Receipt(
        status=status,
        by=_by(decision),
        remark=_remark(decision),
        words=decision.reason,
        rows=(row,),
        data=_data("permission", request, decision, status=status, title=_title(request), rules=rules),
    )


def plan_receipt(request: PermissionRequest, decision: Decision) -> Receipt:
    """Make the receipt of a plan that was approved or sent back."""
    plan = request.input.get("plan")
    updated = (decision.updated_input or {}).get("plan")
    status = _status(decision, allowed="Approved", denied="Kept planning")
    text = str(updated or plan or "")
    remarks = ["with changes"] if updated else []
    if decision.allow and decision.mode:
        remarks.append(f"mode {decision.mode}")

    return Receipt(
        status=status,
        by=_by(decision),
        remark=", ".join(remarks),
        words=decision.reason,
        rows=(ReceiptRow(preview=text, preview_label="Plan"),) if text else (),
        data=_data("plan", request, decision, status=status, title="", rules=[]),
    )


def _title(request: PermissionRequest) -> str:
    """Say for programs what the form asked; a person reads it off the row."""
    return tool_sentence(request.tool_name, request.input, request.title, request.cwd)


def _status(decision: Decision, *, allowed: str, denied: str) -> str:
    if decision.by == "interrupt":
        return "Interrupted"

    return allowed if decision.allow else denied


def _by(decision: Decision) -> str:
    return "person" if decision.by == "interrupt" else decision.by


def _remark(decision: Decision) -> str:
    """Say how far a permission goes."""
    if decision.by == "interrupt":
        return "nothing was sent"

    if not decision.allow:
        return "and stopped the turn" if decision.interrupt else ""

    extent = "always" if decision.suggestions else "for this session" if decision.for_session else "once"
    return f"{extent}, with changes" if decision.updated_input is not None else extent


def _code(text: str) -> str:
    """Quote the first line of an input so that nothing in it reads as Markdown."""
    lines = text.strip().split("\n")
    longest = max((len(run) for run in re.findall("`+", lines[0])), default=0)
    fence = "`" * (longest + 1)
    quoted = f"{fence} {lines[0]} {fence}" if longest else f"`{lines[0]}`"
    return f"{quoted} …" if len(lines) > 1 else quoted


def _fenced(text: str) -> str:
    fence = "~" * max(3, 1 + max((len(run) for run in re.findall("~+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def _changed(request: PermissionRequest, decision: Decision) -> tuple[ReceiptLine, ...]:
    if decision.updated_input is None:
        return ()

    return (ReceiptLine(text=input_text(request.tool_name, decision.updated_input), typed=True),)


def _data(
    kind: str, request: PermissionRequest, decision: Decision, *, status: str, title: str, rules: list[str]
) -> Mapping[str, object]:
    """Give what programs read, without what is empty."""
    data: dict[str, object] = {
        "version": 1,
        "kind": kind,
        "status": status,
        "by": decision.by,
        "title": title,
        "tool_name": request.tool_name,
        "input": dict(request.input),
        "updated_input": dict(decision.updated_input) if decision.updated_input is not None else None,
        "rules": rules,
        "mode": decision.mode,
        "reason": decision.reason,
    }
    return {name: value for name, value in data.items() if value not in (None, "", [])}
