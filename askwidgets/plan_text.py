"""The text of a plan: from the tool's input, else from the plan file that the CLI wrote."""

from __future__ import annotations

from pathlib import Path

from askwidgets.permissions import PermissionRequest

__all__ = ["plan_text"]

_LARGEST = 1_000_000


def plan_text(request: PermissionRequest) -> str:
    """Give the plan in Markdown; empty where none was supplied.

    A plan file is read only where the CLI keeps plans, in ``plans`` of its configuration directory: a model
    could name any other.
    """
    plan = request.input.get("plan")
    if isinstance(plan, str) and plan.strip():
        return plan

    path = request.input.get("planFilePath")
    if not isinstance(path, str) or not path or not request.config_directory:
        return ""

    folder = Path(request.config_directory, "plans")
    try:
        file = Path(path).resolve()
        if not file.is_relative_to(folder.resolve()) or not file.is_file() or file.stat().st_size > _LARGEST:
            return ""

        text = file.read_text("utf-8")
    except (OSError, RuntimeError, ValueError):
        return ""

    return text if text.strip() else ""
