"""What every form that ends in a decision has in common: its fields, its buttons, and the receipt that stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ipywidgets import Button, Textarea, Widget
from typing_extensions import override

from askwidgets.errors import OptionError
from askwidgets.live_form import WAITING, LiveForm
from askwidgets.markup import text_html
from askwidgets.permission_receipt import decision_receipt
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.receipt import Receipt
from askwidgets.tool_view import tool_sentence

__all__ = ["DecisionForm", "show"]


class DecisionForm(LiveForm[Decision]):
    """A form around one request.

    A subclass gives ``_fill`` its fields, and its buttons settle it.
    """

    def __init__(self, request: PermissionRequest) -> None:
        super().__init__()
        self.request = request
        self._message = self._parts.html("", "message")

    @property
    def summary(self) -> str:
        """What the agent wants to do, in one sentence."""
        request = self.request
        return tool_sentence(request.tool_name, request.input, request.title, request.cwd)

    async def decision(self) -> Decision:
        """Wait for the person; cancelling the wait leaves the form as it is.

        Raises:
            asyncio.CancelledError: also when the form was interrupted or closed.
        """
        return await self._value()

    def receipt(self, decision: Decision | None) -> Receipt:
        """Make the receipt of a decision; ``None`` is for an agent that stopped waiting."""
        return decision_receipt(self.request, decision)

    @override
    def _frozen_html(self, value: Decision | None) -> str:
        return self.receipt(value).html()

    @override
    def _say(self, trouble: str) -> None:
        self._message.value = f'<div role="alert">{text_html(trouble)}</div>' if trouble else ""

    def _fill(self, fields: Sequence[Widget]) -> None:
        status = self._parts.html(f'<div role="status">{WAITING}</div>', "status")
        self._put_up(self._parts.box([status, *fields[:-1], self._message, fields[-1]], "fields"), name="decision")

    def _area(self, value: str, *names: str, label: str, placeholder: str = "") -> Textarea:
        """Make a field for words, sent when it is left: a click may overtake keystrokes that wait to be sent."""
        area = self._parts.textarea(value, *names, label=label, placeholder=placeholder)
        area.continuous_update = False
        return area

    def _button(self, text: str, chosen: Callable[[], Callable[[], object]], *names: str, tooltip: str = "") -> Button:
        """Make a button; ``chosen`` reads the fields at the click and gives what then runs on the loop."""
        button = self._parts.button(text, *names, tooltip=tooltip or None)
        button.on_click(lambda _: self._soon(self._press, chosen()))
        return button

    def _settling(self, text: str, decide: Callable[[], Decision], *names: str, tooltip: str = "") -> Button:
        """Make a button that settles the form with what ``decide`` reads at the click."""

        def chosen() -> Callable[[], object]:
            decision = decide()
            return lambda: self.settle(decision)

        return self._button(text, chosen, *names, tooltip=tooltip)

    def _press(self, action: Callable[[], object]) -> None:
        """Do what a click asks for, unless it comes too late; say why where the tool would not take it."""
        if self.done:
            return

        self._say("")
        try:
            action()
        except OptionError as error:
            self._say(str(error))


def show(widget: Widget, *, visible: bool) -> None:
    """Show or hide a widget; the layouts are shared, so a class says it."""
    if visible:
        widget.remove_class("ask-hidden")
    else:
        widget.add_class("ask-hidden")
