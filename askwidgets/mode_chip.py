"""How a permission mode is shown: a chip, in red where tools run without asking."""

from __future__ import annotations

from askwidgets.markup import text_html
from askwidgets.permissions import BYPASS

__all__ = ["BYPASS_WARNING", "PLANNING", "bypass_warning_html", "mode_chip_html"]

BYPASS_WARNING = f"Mode {BYPASS}: every tool runs without asking."
"""Stays in the cell of each turn that ran in it."""

PLANNING = "Claude plans first: nothing is changed until you approve its plan."
"""In place of the tool use with which the agent enters plan mode."""

_RED = "background:#c62828;border-radius:3px;color:#fff;padding:0 4px"
"""Red enough to read white on, in light and dark themes alike."""


def mode_chip_html(mode: str) -> str:
    """Show a mode in the status line; nothing while it is not known."""
    if not mode:
        return ""

    style = f' style="{_RED}"' if mode == BYPASS else ""

    return f'<span class="ask-mode" title="Permission mode"{style}>mode {text_html(mode)}</span>'


def bypass_warning_html() -> str:
    """Show the warning."""
    return f'<p><small><strong style="{_RED}">{BYPASS_WARNING}</strong></small></p>'
