"""The cell that runs a turn, as the host of what the agent asks: a form while it waits, a receipt afterwards.

Runs on the kernel's loop, in the cell's context, so that outputs land in that cell.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from ipywidgets import Widget

from askwidgets.allowances import SessionAllowances
from askwidgets.answers import Answers, unanswered
from askwidgets.display import Bundle, CellOutputs
from askwidgets.form import QuestionForm
from askwidgets.permission_form import PermissionForm
from askwidgets.permission_receipt import decision_receipt
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.plan_form import PlanForm
from askwidgets.policy import Policy
from askwidgets.questions import Outcome, QuestionRequest
from askwidgets.receipt import Receipt, interrupted_receipt, question_receipt
from askwidgets.transcript import Transcript

__all__ = ["CellHost", "WaitingForm"]

T = TypeVar("T")

_WAITING = "Waiting for your answer"


class WaitingForm(Protocol):
    """A form that stands in a cell until somebody settles it."""

    @property
    def widget(self) -> Widget:
        """What stands in the cell."""

    def close(self) -> None:
        """Close all its widgets."""


@dataclass(kw_only=True)
class CellHost:
    """Asks in one cell; ``ask`` and ``permit`` are what a session is handed for the turn."""

    outputs: CellOutputs
    transcript: Transcript
    allowances: SessionAllowances
    """What the person allowed for the whole session."""
    answers: Answers | None = None
    """Given beforehand; asked first."""
    policy: Policy = field(default_factory=Policy)
    """Permissions given beforehand; denies what it does not cover, in words."""
    is_attended: bool = True
    """Whether somebody is at a frontend; otherwise what has no entry fails."""
    timeout: float | None = None
    """Seconds that a question may wait; ``None`` for no limit."""
    pending: dict[str, WaitingForm] = field(default_factory=dict)
    """What waits now, by tool use."""

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Settle a question by the answers given beforehand, else by a form.

        Raises:
            UnansweredError: no entry fits, and nobody is here.
            AnswerError: the entry does not fit the question.
        """
        outcome = await self.given_outcome(request)

        if outcome is not None:
            return outcome

        form = QuestionForm(request, timeout=self.timeout)

        return await self._settled(
            form,
            request.tool_use_id,
            waits=form.outcome(),
            receipt=lambda outcome: question_receipt(request, outcome),
            interrupted=lambda: interrupted_receipt(request, form.drafts()),
        )

    async def permit(self, request: PermissionRequest) -> Decision:
        """Decide about a tool use by what was given beforehand, else by a form."""
        decision = await self.given_decision(request)

        if decision is not None:
            return decision

        form = PlanForm(request) if request.tool_name == "ExitPlanMode" else PermissionForm(request)
        decision = await self._settled(
            form,
            request.tool_use_id,
            waits=form.decision(),
            receipt=lambda decision: decision_receipt(request, decision),
            interrupted=lambda: decision_receipt(request, Decision(allow=False, by="interrupt")),
        )

        if decision.for_session:
            self.allowances.add(request)

        return decision

    async def given_outcome(self, request: QuestionRequest) -> Outcome | None:
        """Settle a question without asking; ``None`` where a person has to.

        Raises:
            UnansweredError: no entry fits, and nobody is here.
            AnswerError: the entry does not fit the question.
        """
        if self.answers is not None and self.answers.covers(request):
            outcome = await self.answers(request)
            self.show_outcome(request, outcome)

            return outcome

        if not self.is_attended:
            raise unanswered(request, self.answers)

        return None

    async def given_decision(self, request: PermissionRequest) -> Decision | None:
        """Decide without asking; ``None`` where a person has to."""
        if self.allowances.covers(request):
            return Decision(allow=True, by="session")

        if self.is_attended and not self.policy.covers(request):
            return None

        decision = await self.policy(request)
        self.show_decision(request, decision)

        return decision

    def show_outcome(self, request: QuestionRequest, outcome: Outcome) -> None:
        """Leave the receipt of a question that no form asked."""
        self.outputs.show(question_receipt(request, outcome).bundle())

    def show_decision(self, request: PermissionRequest, decision: Decision) -> None:
        """Leave the receipt of a permission that no form asked."""
        self.outputs.show(decision_receipt(request, decision).bundle())

    async def _settled(
        self,
        form: WaitingForm,
        tool_use_id: str,
        *,
        waits: Awaitable[T],
        receipt: Callable[[T], Receipt],
        interrupted: Callable[[], Receipt],
    ) -> T:
        """Let the form stand until it is settled; then its receipt stands in its place."""
        output = self.outputs.show(_form_bundle(form))
        self.transcript.cover(tool_use_id)
        self.pending[tool_use_id] = form
        self.transcript.status(_WAITING)

        try:
            result = await waits
        except asyncio.CancelledError:
            output.update(interrupted().bundle())
            raise
        else:
            output.update(receipt(result).bundle())
        finally:
            del self.pending[tool_use_id]
            self.transcript.status(_WAITING if self.pending else "")
            form.close()

        return result


def _form_bundle(form: WaitingForm) -> Bundle:
    """Show the widget, with a text for where no widget can be shown."""
    view = {"version_major": 2, "version_minor": 0, "model_id": form.widget.model_id}

    return {
        "application/vnd.jupyter.widget-view+json": view,
        "text/plain": f"{_WAITING}, in a frontend that shows widgets.",
    }
