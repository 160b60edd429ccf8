"""What every form that ends in a decision has in common: it is settled once, freezes, and closes whole.

Widget callbacks may run on the thread of a JupyterLab subshell, so they only hand over what was typed;
all else runs on the loop that made the form.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from importlib.resources import files

from ipywidgets import Button, Textarea, Widget

from askwidgets.comm_delivery import CommDelivery, deliver_comms
from askwidgets.handover import Handover
from askwidgets.hidden import plain
from askwidgets.markup import STYLE, text_html
from askwidgets.once import Once
from askwidgets.parts import Parts
from askwidgets.permission_receipt import decision_receipt
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.tool_view import tool_sentence
from askwidgets.widget_tree import tree_widgets

__all__ = ["DecisionForm"]

_WAITING = "Waiting for your answer"


class DecisionForm:
    """A form around one request; ``widget`` is what to display.

    A subclass gives ``_fill`` its fields, and its buttons settle it.
    """

    def __init__(self, request: PermissionRequest) -> None:
        self.request = request
        self._decision: Once[Decision] = Once()
        self._is_closed = False
        self._later = Handover()
        self._parts = Parts()
        self._message = self._parts.html("", "message")
        self._fields = self._parts.box([], "fields")
        self._receipt = self._parts.html("")
        style = self._parts.html(f"<style>{_css()}</style>", "style")
        self.widget: Widget = self._parts.box([style, self._fields], "decision")

    @property
    def done(self) -> bool:
        """Whether it is settled."""
        return self._decision.done

    async def decision(self) -> Decision:
        """Wait for the person; a cancelled wait freezes the form as interrupted."""
        try:
            return await self._decision.wait()
        except asyncio.CancelledError:
            self.interrupt()
            raise

    def settle(self, decision: Decision) -> bool:
        """Decide, from whatever thread; false, and nothing changes, when it was decided before."""
        if not self._decision.settle(decision):
            return False

        self._later(self._freeze, decision)
        return True

    def interrupt(self) -> bool:
        """Freeze the form because nobody waits for it any longer; nothing is sent."""
        return self.settle(Decision(allow=False, message="Interrupted.", by="interrupt"))

    def _repr_mimebundle_(self, **_options: object) -> dict[str, object]:
        view = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
        request = self.request
        sentence = plain(tool_sentence(request.tool_name, request.input, request.title, request.cwd))
        text = f"{_WAITING}, in a frontend that shows widgets:\n{sentence}"
        return {"application/vnd.jupyter.widget-view+json": view, "text/plain": text}

    def close(self) -> None:
        """Take the form out of the notebook, with all models that belong to it."""
        self._is_closed = True
        self.interrupt()
        self._parts.close()

    def _fill(self, fields: Sequence[Widget]) -> None:
        status = self._parts.html(f'<div role="status">{_WAITING}</div>', "status")
        self._fields.children = (status, *fields[:-1], self._message, fields[-1])
        self.delivery: CommDelivery = deliver_comms(self.widget)

    def _area(self, value: str, *names: str, label: str, placeholder: str = "") -> Textarea:
        """Make a field for words, sent when it is left: a click may overtake keystrokes that wait to be sent."""
        area = self._parts.textarea(value, *names, label=label, placeholder=placeholder)
        area.continuous_update = False
        return area

    def _button(self, text: str, chosen: Callable[[], Callable[[], object]], *names: str, tooltip: str = "") -> Button:
        """Make a button; ``chosen`` reads the fields at the click and gives what then runs on the loop."""
        button = self._parts.button(text, *names, tooltip=tooltip or None)
        button.on_click(lambda _: self._later(self._press, chosen()))
        return button

    def _settling(self, text: str, decide: Callable[[], Decision], *names: str, tooltip: str = "") -> Button:
        """Make a button that settles the form with what ``decide`` reads at the click."""

        def chosen() -> Callable[[], object]:
            decision = decide()
            return lambda: self.settle(decision)

        return self._button(text, chosen, *names, tooltip=tooltip)

    def _press(self, action: Callable[[], object]) -> None:
        """Do what a click asks for, unless it comes too late; what goes wrong is said in the form."""
        if self.done:
            return

        try:
            self._say("")
            action()
        except Exception as error:  # noqa: BLE001 - a click has no caller that it could raise to
            self._say(str(error))

    def _say(self, message: str) -> None:
        self._message.value = f'<div role="alert">{text_html(message)}</div>' if message else ""

    def _freeze(self, decision: Decision) -> None:
        """Put the receipt in place of the fields, and let no field take anything more."""
        if self._is_closed:
            return

        # Also where the page still shows them: its last messages must find nothing to change.
        for widget in tree_widgets(self._fields):
            if "disabled" in widget.keys:
                widget.disabled = True

        self._receipt.value = str(decision_receipt(self.request, decision).bundle()["text/html"])
        self.widget.children = (self.widget.children[0], self._receipt)
        self.widget.remove_class("ask-decision")


def show(widget: Widget, *, visible: bool) -> None:
    """Show or hide a widget; the layouts are shared, so a class says it."""
    if visible:
        widget.remove_class("ask-hidden")
    else:
        widget.add_class("ask-hidden")


def _css() -> str:
    return STYLE + files("askwidgets").joinpath("permission_form.css").read_text("utf-8")
