"""Asks in text, where no widget can be answered: at a terminal with lists, elsewhere line by line.

The receipt is the same as a form's.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from askwidgets.cell_host import CellHost
from askwidgets.interrupt import PromptInterrupt
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Outcome, QuestionRequest
from askwidgets.receipt import interrupted_receipt

__all__ = ["Prompts", "TextPrompt"]


class Prompts(Protocol):
    """What asks a person in text."""

    async def ask(self, request: QuestionRequest, /) -> Outcome:
        """Settle a question."""

    async def permit(self, request: PermissionRequest, /) -> Decision:
        """Decide about a tool use."""


@dataclass(frozen=True, slots=True)
class TextPrompt:
    """Asks for the cell of ``host``; ``ask`` and ``permit`` are what a session is handed."""

    host: CellHost
    prompts: Prompts

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Settle a question by the answers given beforehand, else by a prompt."""
        outcome = await self.host.given_outcome(request)

        if outcome is None:
            outcome = await self._prompted(request)
            self.host.show_outcome(request, outcome)

        return outcome

    async def permit(self, request: PermissionRequest) -> Decision:
        """Decide about a tool use by what was given beforehand, else by a prompt."""
        decision = await self.host.given_decision(request)

        if decision is not None:
            return decision

        decision = await self._decided(request)
        self.host.show_decision(request, decision)

        if decision.for_session:
            self.host.allowances.add(request)

        return decision

    async def _prompted(self, request: QuestionRequest) -> Outcome:
        self.host.transcript.cover(request.tool_use_id)

        try:
            return await asyncio.wait_for(self.prompts.ask(request), self.host.timeout)
        except asyncio.TimeoutError:
            return Outcome(kind="timed_out")
        except (asyncio.CancelledError, PromptInterrupt):
            self.host.outputs.show(interrupted_receipt(request, {}).bundle())
            raise

    async def _decided(self, request: PermissionRequest) -> Decision:
        self.host.transcript.cover(request.tool_use_id)

        try:
            return await self.prompts.permit(request)
        except (asyncio.CancelledError, PromptInterrupt):
            self.host.show_decision(request, None)
            raise
