"""The cell that runs a turn, as the host of what the agent asks: a form while it waits, a receipt afterwards.

Runs on the kernel's loop, in the cell's context, so that outputs land in that cell.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from askwidgets.allowances import SessionAllowances
from askwidgets.answers import Answers, unanswered
from askwidgets.decision_form import DecisionForm
from askwidgets.display import Bundle, CellOutputs
from askwidgets.form import QuestionForm
from askwidgets.hidden import plain
from askwidgets.limits import Limits
from askwidgets.live_form import WAITING, error_line
from askwidgets.markup import text_html
from askwidgets.permission_form import PermissionForm
from askwidgets.permission_receipt import decision_receipt
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.plan_form import PlanForm
from askwidgets.policy import Policy
from askwidgets.questions import Answer, Outcome, QuestionRequest
from askwidgets.receipt import Receipt, question_receipt
from askwidgets.transcript import Transcript
from askwidgets.waiting import Waiting

__all__ = ["CellHost"]

T = TypeVar("T")

_logger = logging.getLogger("askwidgets")

_ANSWER_FIRST = 0.04
"""Seconds until a receipt is drawn: the thread that sends the answer needs the interpreter before that."""
_AFTERWARDS = 0.08
"""Seconds until a settled form is taken away: the answer leaves first."""
_NOBODY = "Nobody is here to answer, and no answer was given beforehand."


@dataclass(kw_only=True)
class CellHost:
    """Asks in one cell; ``ask`` and ``permit`` are what a session is handed for the turn."""

    outputs: CellOutputs
    transcript: Transcript
    allowances: SessionAllowances
    """What the person allowed for the whole session."""
    limits: Limits = field(default_factory=Limits)
    """What may be offered."""
    answers: Answers | None = None
    """Given beforehand; asked first."""
    policy: Policy = field(default_factory=Policy)
    """Permissions given beforehand; denies what it does not cover, in words."""
    is_attended: bool = True
    """Whether somebody is at a frontend."""
    unattended: str = "fail"
    """What becomes of a question without an entry where nobody is: ``fail`` or ``decline``."""
    timeout: float | None = None
    """Seconds that a question may wait; ``None`` for no limit."""
    notify: Callable[[str], None] | None = None
    """Called with what is asked, in one line, when something waits."""
    frontend: str = ""
    """The session of the frontend that runs the cell."""
    frozen: list[QuestionForm | DecisionForm] = field(default_factory=list)
    """Settled forms that stay open, each as its own receipt."""
    drafts: dict[str, Answer] = field(default_factory=dict)
    """What the person had put in when a form of this session froze, by question text."""
    pending: dict[str, Waiting] = field(default_factory=dict)
    """What waits now, by tool use, the oldest first."""
    _settled_forms: list[QuestionForm | DecisionForm] = field(default_factory=list, init=False)
    """Those that are still to be taken away."""
    _undrawn: list[Callable[[], None]] = field(default_factory=list, init=False)
    """Draws the receipts of settled forms that do not stand there yet."""

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Settle a question by the answers given beforehand, else by a form.

        Raises:
            UnansweredError: no entry fits, and nobody is here.
            AnswerError: the entry does not fit the question.
        """
        outcome = await self.given_outcome(request)

        return await self.ask_person(request) if outcome is None else outcome

    async def ask_person(
        self,
        request: QuestionRequest,
        *,
        drafts: Mapping[str, Answer] | None = None,
        notice: str = "",
        remark: str = "",
    ) -> Outcome:
        """Settle a question by a form.

        Args:
            request: the question.
            drafts: what the form holds at first, by question text.
            notice: a line of ours above the questions.
            remark: a few words of ours behind the receipt's status.
        """
        form = QuestionForm(request, timeout=self.timeout, drafts={**self.drafts, **(drafts or {})}, notice=notice)

        try:
            outcome = await self._settled(
                form, request.tool_use_id, waits=form.outcome(), receipt=form.receipt, remark=remark
            )
        except asyncio.CancelledError:
            # The agent may ask the same again once it goes on: what was typed is offered then.
            self.drafts.update(form.drafts())
            raise

        for question in request.questions:
            self.drafts.pop(question.text, None)

        return outcome

    async def permit(self, request: PermissionRequest) -> Decision:
        """Decide about a tool use by what was given beforehand, else by a form."""
        decision = await self.given_decision(request)

        if decision is not None:
            return decision

        form = self._decision_form(request)
        decision = await self._settled(form, request.tool_use_id, waits=form.decision(), receipt=form.receipt)

        if decision.for_session:
            self.allowances.add(request)

        return decision

    def _decision_form(self, request: PermissionRequest) -> DecisionForm:
        if request.tool_name != "ExitPlanMode":
            return PermissionForm(request, offer_always=self.limits.offer_always)

        return PlanForm(request, offer_edits=self.limits.allows_mode("acceptEdits"))

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

        if self.is_attended:
            return None

        if self.unattended == "fail":
            # The error shows the question; a failed row above it would say so twice.
            self.transcript.cover(request.tool_use_id)
            raise unanswered(request, self.answers)

        outcome = Outcome(kind="declined", words=_NOBODY, by="script")
        self.show_outcome(request, outcome)

        return outcome

    async def given_decision(self, request: PermissionRequest) -> Decision | None:
        """Decide without asking; ``None`` where a person has to."""
        # What was allowed for the session stands in its receipt already, so each further use leaves none.
        if self.allowances.covers(request):
            return Decision(allow=True, by="session")

        if self.is_attended and not self.policy.covers(request):
            return None

        decision = await self.policy(request)
        self.show_decision(request, decision)

        return decision

    def show_outcome(self, request: QuestionRequest, outcome: Outcome) -> None:
        """Leave the receipt of a question that no form asked."""
        self.transcript.cover(request.tool_use_id)
        self.outputs.show(_bundle(lambda: question_receipt(request, outcome)))

    def show_decision(self, request: PermissionRequest, decision: Decision | None) -> None:
        """Leave the receipt of a permission that no form asked; ``None`` where asking was interrupted."""
        self.transcript.cover(request.tool_use_id)
        self.outputs.show(_bundle(lambda: decision_receipt(request, decision)))

    async def _settled(
        self,
        form: QuestionForm | DecisionForm,
        tool_use_id: str,
        *,
        waits: Awaitable[T],
        receipt: Callable[[T | None], Receipt],
        remark: str = "",
    ) -> T:
        """Let the form stand until it is settled; then its receipt stands in its place."""
        entry = self.pending[tool_use_id] = Waiting(form=form)
        entry.show(self.outputs)
        self.transcript.cover(tool_use_id)
        self._show_waiting()

        if self.notify is not None:
            self.notify(plain(form.summary))

        try:
            result = await waits
        except asyncio.CancelledError:
            form.interrupt()
            entry.replace(_bundle(lambda: receipt(None)))
            raise
        else:
            self._undrawn.append(lambda: entry.replace(_bundle(lambda: _remarked(receipt(result), remark))))
            return result
        finally:
            del self.pending[tool_use_id]
            self._settled_forms.append(form)
            loop = asyncio.get_running_loop()
            loop.call_later(_ANSWER_FIRST, self._draw_settled)
            loop.call_later(_AFTERWARDS, self.clear)

    def _draw_settled(self) -> None:
        while self._undrawn:
            self._undrawn.pop(0)()

        self._show_waiting()

    def _show_waiting(self) -> None:
        asked = " / ".join(entry.form.summary for entry in self.pending.values())
        self.transcript.status(WAITING if self.pending else "", asked)

    def clear(self) -> None:
        """Take every settled form away; its receipt stands there."""
        self._draw_settled()

        while self._settled_forms:
            self._close(self._settled_forms.pop())

    def _close(self, form: QuestionForm | DecisionForm) -> None:
        """Close the form, unless a page that was reloaded shows it: no update of an output reaches that page.

        There the receipt stands in the form itself.
        """
        if form.delivery.frontend in {"", self.frontend}:
            form.close()
        else:
            self.frozen.append(form)


def _remarked(receipt: Receipt, remark: str) -> Receipt:
    return replace(receipt, remark=", ".join(filter(None, [receipt.remark, remark])))


def _bundle(receipt: Callable[[], Receipt]) -> Bundle:
    """Draw a receipt; where that fails, say so in its place: what was decided is not to be lost with it."""
    try:
        return receipt().bundle()
    except Exception as error:
        # The message may quote what was asked.
        _logger.warning("A receipt cannot be drawn (%s); the reason is logged at DEBUG.", type(error).__name__)
        _logger.debug("A receipt cannot be drawn.", exc_info=True)
        text = f"Settled; the receipt cannot be drawn ({error_line(error)})."

        return {"text/html": f"<p>{text_html(text)}</p>", "text/plain": plain(text)}
