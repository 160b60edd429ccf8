"""Whom a session asks that was told nobody else: the person at the terminal, where a script runs in one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from askwidgets.answers import unanswered
from askwidgets.environment import read_environment
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Outcome, QuestionRequest
from askwidgets.terminal_text import is_terminal

if TYPE_CHECKING:
    from askwidgets.terminal_form import TerminalForm

__all__ = ["TerminalPerson"]


class TerminalPerson:
    """Asks at the terminal; where there is none, a question fails the turn and a permission is denied."""

    def __init__(self) -> None:
        self._form: TerminalForm | None = None

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Settle a question.

        Raises:
            UnansweredError: nobody is here.
            PromptInterrupt: the person pressed Ctrl-C.
        """
        form = self._found_form()

        if form is None:
            raise unanswered(request)

        return await form.ask(request)

    async def permit(self, request: PermissionRequest) -> Decision:
        """Decide about a tool use.

        Raises:
            PromptInterrupt: the person pressed Ctrl-C.
        """
        form = self._found_form()

        if form is None:
            message = f"{request.tool_name} needs a permission, and nobody is here to give it."

            return Decision(allow=False, message=message)

        return await form.permit(request)

    def _found_form(self) -> TerminalForm | None:
        if not is_terminal() or read_environment(os.environ).unattended:
            return None

        if self._form is None:
            from askwidgets.terminal_form import TerminalForm  # noqa: PLC0415 - it loads prompt_toolkit

            self._form = TerminalForm()

        return self._form
