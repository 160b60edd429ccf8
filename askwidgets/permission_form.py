"""The form that asks whether a tool may run: what it would do, and the ways to answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ipywidgets import Button, Widget

from askwidgets.allowances import allowance_text, session_rules
from askwidgets.decision_form import DecisionForm, show
from askwidgets.hidden import reveal
from askwidgets.markup import text_html
from askwidgets.permissions import (
    Decision,
    PermissionRequest,
    Rule,
    Suggestion,
    denial,
    lasting_decision,
    lasting_suggestions,
    suggestion_text,
)
from askwidgets.tool_edit import edit_field, edit_text, edited_input
from askwidgets.tool_view import hidden_characters, tool_html, tool_sentence

__all__ = ["PermissionForm"]

_LONGEST_BUTTON = 64


class PermissionForm(DecisionForm):
    """One tool use, shown and asked about.

    ::

        form = PermissionForm(request)
        display(form.widget)
        decision = await form.decision()
    """

    def __init__(self, request: PermissionRequest, *, offer_always: bool = True) -> None:
        super().__init__(request)
        parts = self._parts
        self._rules = session_rules(request)
        self._lasting = lasting_suggestions(request) if offer_always else ()
        self._reason = self._area("", "reason", label="Reason", placeholder="Reason")
        self._text = self._area(edit_text(request.tool_name, request.input), "edited", label="Changed input")
        self._unchanged = str(self._text.value)
        self._choices = parts.box(self._allow_buttons(), "row")
        self._editor = self._make_editor()
        self._fill(
            [
                parts.html(_heading_html(request)),
                parts.html(tool_html(request.tool_name, request.input, request.cwd), "view"),
                parts.html(_facts_html(request, self._rules, self._lasting)),
                self._editor,
                self._choices,
                parts.box([self._reason, *self._deny_buttons()], "row"),
            ]
        )

    def _allow_buttons(self) -> list[Button]:
        buttons = [self._settling("Allow once", lambda: Decision(allow=True), "primary")]
        if self._rules:
            covers = reveal(", ".join(map(allowance_text, self._rules)))[0]
            label = f"Allow for this session: {covers}"
            label = label if len(label) <= _LONGEST_BUTTON else f"{label[: _LONGEST_BUTTON - 1]}…"
            buttons.append(self._settling(label, lambda: Decision(allow=True, for_session=True), tooltip=covers))

        if self._lasting:
            words = reveal("; ".join(map(suggestion_text, self._lasting)))[0]
            buttons.append(self._settling("Always allow", partial(lasting_decision, self._lasting), tooltip=words))

        buttons.append(self._button("Edit first", lambda: self._open_editor, tooltip="Change the input, then allow it"))
        return buttons

    def _deny_buttons(self) -> list[Button]:
        return [
            self._settling("Deny", partial(self._denied, interrupt=False), tooltip="Claude goes on without it"),
            self._settling("Deny and stop", partial(self._denied, interrupt=True), tooltip="Claude's turn ends"),
        ]

    def _denied(self, *, interrupt: bool) -> Decision:
        reason = self._reason.value.strip()
        message = denial(self.request, reason, interrupt=interrupt)
        return Decision(allow=False, message=message, reason=reason, interrupt=interrupt)

    def _make_editor(self) -> Widget:
        field = edit_field(self.request.tool_name, self.request.input)
        what = text_html(field) if field else "the input, which is JSON"
        buttons = [
            self._button("Allow as edited", self._edited, "primary"),
            self._button("Leave unchanged", lambda: self._close_editor),
        ]
        self._text.rows = min(20, self._text.value.count("\n") + 2)
        label = self._parts.html(f"Change {what}:")
        return self._parts.box([label, self._text, self._parts.box(buttons, "row")], "editor", "hidden")

    def _edited(self) -> Callable[[], object]:
        return partial(self._allow_edited, self._text.value)

    def _allow_edited(self, text: str) -> None:
        # The field may hold less than the input: see ``Parts``.
        changed = None if text == self._unchanged else edited_input(self.request.tool_name, self.request.input, text)
        self.settle(Decision(allow=True, updated_input=None if changed == self.request.input else changed))

    def _open_editor(self) -> None:
        show(self._choices, visible=False)
        show(self._editor, visible=True)

    def _close_editor(self) -> None:
        self._text.value = self._unchanged
        show(self._editor, visible=False)
        show(self._choices, visible=True)


def _heading_html(request: PermissionRequest) -> str:
    sentence = tool_sentence(request.tool_name, request.input, request.title, request.cwd)
    parts = [f'<div class="ask-heading" role="heading" aria-level="3" dir="auto">{text_html(sentence)}</div>']
    if request.agent_id:
        parts.append(f'<div class="ask-note">Asked by the subagent {text_html(request.agent_id)}.</div>')

    # Of the CLI's own tools it repeats the input.
    if request.description and request.tool_name.startswith("mcp__"):
        parts.append(f'<div class="ask-note" dir="auto">{text_html(request.description)}</div>')

    return "".join(parts)


def _facts_html(request: PermissionRequest, rules: tuple[Rule, ...], lasting: tuple[Suggestion, ...]) -> str:
    """Say why it is asked, what to look out for, and how far the buttons go."""
    facts = []
    names = hidden_characters(request.input)
    if names:
        words = f"It holds characters that cannot be seen, written out above: {', '.join(names)}."
        facts.append(f'<li class="ask-warning">{text_html(words)}</li>')

    if request.decision_reason:
        facts.append(f"<li>Asked because: {text_html(request.decision_reason)}</li>")

    if request.blocked_path:
        facts.append(f"<li>Outside of what is allowed: <code>{text_html(request.blocked_path)}</code></li>")

    if rules:
        covers = ", ".join(f"<code>{text_html(allowance_text(rule))}</code>" for rule in rules)
        facts.append(f"<li><b>Allow for this session</b> covers {covers}.</li>")

    facts.extend(f"<li>{_lasting_html(suggestion_text(suggestion))}.</li>" for suggestion in lasting)
    return f'<ul class="ask-facts">{"".join(facts)}</ul>' if facts else ""


def _lasting_html(text: str) -> str:
    words = text.removeprefix("Always allow ")
    # A mode is no permission of this tool alone, so it is set off.
    between, words = (": ", f"{text[0].lower()}{text[1:]}") if words == text else (" ", words)
    return f"<b>Always allow</b>{between}{text_html(words)}"
