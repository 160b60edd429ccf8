"""The form that shows a plan (``ExitPlanMode``) and asks whether to carry it out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ipywidgets import Button

from askwidgets.decision_form import DecisionForm, show
from askwidgets.markup import markdown_html, text_html
from askwidgets.permissions import Decision, PermissionRequest, denial
from askwidgets.plan_text import plan_text

__all__ = ["PlanForm"]

_LONG = 40


class PlanForm(DecisionForm):
    """One plan, to approve, to change or to send back with remarks.

    ::

        form = PlanForm(request)
        display(form.widget)
        decision = await form.decision()
    """

    def __init__(self, request: PermissionRequest, *, offer_edits: bool = True) -> None:
        super().__init__(request)
        parts = self._parts
        self._offer_edits = offer_edits
        self._plan = plan_text(request)
        self._remarks = self._area("", "reason", label="Remarks", placeholder="Remarks")
        self._text = self._area(self._plan, "edited", "hidden", label="Plan")
        self._text.rows = min(30, self._plan.count("\n") + 2)
        self._view = parts.html(_plan_html(self._plan), "plan")
        self._fill(
            [
                parts.html(_heading_html(request)),
                self._view,
                self._text,
                *([parts.box(self._approve_buttons(), "row")] if self._plan else []),
                parts.box([self._remarks, self._settling("Keep planning", self._kept)], "row"),
            ]
        )

    def _approve_buttons(self) -> list[Button]:
        self._edit = self._button("Edit plan", lambda: self._open_editor, tooltip="Change the plan, then approve it")
        accepting = partial(self._chosen, "acceptEdits")

        return [
            self._button("Approve plan", partial(self._chosen, ""), "primary"),
            *([self._button("Approve and accept edits", accepting, tooltip=_ACCEPTS)] if self._offer_edits else []),
            self._edit,
        ]

    def _chosen(self, mode: str) -> Callable[[], object]:
        return partial(self._approve, self._text.value, mode)

    def _approve(self, text: str, mode: str) -> None:
        if not text.strip():
            self._say("The plan is empty: write one, or keep planning.")
            return

        changed = {**self.request.input, "plan": text} if text != self._plan else None
        self.settle(Decision(allow=True, updated_input=changed, mode=mode))

    def _kept(self) -> Decision:
        remarks = self._remarks.value.strip()
        return Decision(allow=False, message=denial(self.request, remarks), reason=remarks)

    def _open_editor(self) -> None:
        self._edit.disabled = True
        show(self._view, visible=False)
        show(self._text, visible=True)


_ACCEPTS = "Sets the permission mode acceptEdits: edits within the working directory are not asked about"


def _heading_html(request: PermissionRequest) -> str:
    heading = '<div class="ask-heading" role="heading" aria-level="3">Claude has a plan</div>'
    if not request.agent_id:
        return heading

    return f'{heading}<div class="ask-note">Made by the subagent {text_html(request.agent_id)}.</div>'


def _plan_html(plan: str) -> str:
    if not plan:
        return '<div class="ask-note">No plan was supplied, so there is nothing to approve.</div>'

    lines = plan.count("\n") + 1
    if lines <= _LONG:
        return markdown_html(plan)

    return f"<details open><summary>Plan, {lines:,} lines</summary>{markdown_html(plan)}</details>"
