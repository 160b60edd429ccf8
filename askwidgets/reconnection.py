"""A page that had lost its kernel and is connected again: what its widgets show arrives, whatever was lost.

ipywidgets sends the next state of a widget only once the kernel was idle after the one before. Where that status, or
that state, was lost with the connection, it waits for good: what is typed from then on stays in the page, and a click
submits what had arrived before. A page that is connected again asks for the states of all widgets, by a comm of the
target ``jupyter.widget.control``, to show those. So before it is answered, new models take over what it shows. A field
of text stays where it is, so that whoever types there types on: another model, which nobody sees, sends what it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from comm import create_comm
from comm.base_comm import BaseComm, CommManager
from ipywidgets import (
    Box,
    Checkbox,
    FloatSlider,
    RadioButtons,
    Text,
    Textarea,
    ToggleButton,
    Widget,
    __protocol_version__,
    jsdlink,
)
from ipywidgets.widgets.widget import _instances

from askwidgets.handover import Handover
from askwidgets.widget_tree import tree_widgets

__all__ = ["Connected", "Reconnections", "Renewal", "renew"]

CONTROL = "jupyter.widget.control"
"""The comm target of a page that asks for all states."""

SETTLING = 0.75
"""Seconds until the page is answered: what it shows arrives before that. It gives up after 4."""

CATCHING_UP = 2.0
"""Seconds after that, until it knows the models that were opened without it."""

_REPLACED = (Checkbox, FloatSlider, RadioButtons, Text, ToggleButton)
"""What a person puts something into, but for the fields of text."""

Message = dict[str, Any]
"""As comms have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewal:
    """What goes on with what a page shows."""

    kept: Sequence[Textarea] = ()
    """The fields that stay."""
    senders: Sequence[Widget] = ()
    """What sends for those, until the next renewal."""
    old: Sequence[BaseComm | Widget] = ()
    """What has no use once the page has taken the new models in."""

    def settle(self) -> None:
        """Close what is old."""
        for each in self.old:
            each.close()


class Connected(Protocol):
    """What wants to know of pages that are connected again."""

    def is_known(self, frontend: str) -> bool:
        """Whether the page of this session is one that the form is for."""

    def has_heard(self, frontend: str) -> bool:
        """Whether the page has sent something from the form, and so shows it."""

    def renew(self) -> Renewal:
        """Go on with new models, which take over what the page shows."""


class Reconnections:
    """Stands between a kernel's comms and ipywidgets while forms wait; the only one of its kernel."""

    def __init__(self, manager: CommManager) -> None:
        self._manager = manager
        self._opened = manager.targets[CONTROL]
        self._waiting: list[tuple[Connected, Handover]] = []
        manager.register_target(CONTROL, self)

    @classmethod
    def of(cls, manager: CommManager) -> Reconnections | None:
        """Give that of a kernel; ``None`` where ipywidgets does not take such requests."""
        there = manager.targets.get(CONTROL)

        if isinstance(there, Reconnections):
            return there

        return cls(manager) if there is not None else None

    def add(self, waiting: Connected) -> None:
        """Tell this form too, on the loop that runs now."""
        self._waiting.append((waiting, Handover()))

    def remove(self, waiting: Connected) -> None:
        """Tell it no more."""
        self._waiting = [other for other in self._waiting if other[0] is not waiting]

        if not self._waiting and self._manager.targets.get(CONTROL) is self:
            self._manager.register_target(CONTROL, self._opened)

    def __call__(self, comm: BaseComm, message: Message) -> None:
        """Let ipywidgets take the comm, and its requests only after the forms."""
        self._opened(comm, message)
        answer = comm._msg_callback  # noqa: SLF001 - there is no public way to ask

        if answer is not None:
            comm.on_msg(partial(self._take, answer))

    def _take(self, answer: Callable[[Message], None], request: Message) -> None:
        frontend = str(request["header"].get("session", ""))
        concerned = [(form, later) for form, later in self._waiting if form.is_known(frontend)]

        if not concerned:
            answer(request)
            return

        heard = [form for form, _ in concerned if form.has_heard(frontend)]
        unheard = [form for form, _ in concerned if form not in heard]
        later = concerned[0][1]

        def settle(renewals: Sequence[Renewal]) -> None:
            for renewal in renewals:
                renewal.settle()

        def settle_and_answer(renewals: Sequence[Renewal]) -> None:
            settle(renewals)
            # More may be typed by now than has arrived.
            with _left_out([field for renewal in renewals for field in renewal.kept]):
                answer(request)

            # A page that does not know them yet would wait for each in vain.
            later.after(CATCHING_UP, renewed, unheard, settle)

        def renewed(forms: Sequence[Connected], then: Callable[[Sequence[Renewal]], object]) -> None:
            later.after(SETTLING, then, [form.renew() for form in forms])

        later(renewed, heard, settle_and_answer)


def renew(root: Widget) -> Renewal:
    """Let new models take over what the page shows of everything that takes input."""
    widgets = list(tree_widgets(root))
    kept = [widget for widget in widgets if isinstance(widget, Textarea)]
    old: list[BaseComm | Widget] = []

    for widget in widgets:
        if isinstance(widget, _REPLACED) and widget.comm is not None:
            before = widget.comm
            _instances.pop(before.comm_id, None)
            # Else it would be opened by the name that it had.
            widget.comm = widget._model_id = None  # noqa: SLF001 - there is no public way to open it again
            widget.open()
            old += [_taking_over(before.comm_id, widget), before]

    for widget in widgets:
        if isinstance(widget, Box):
            widget.send_state("children")

    return Renewal(kept=kept, senders=[sender for field in kept for sender in _senders(field)], old=old)


def _senders(field: Textarea) -> tuple[Widget, Widget]:
    """Send what the field shows by another model, which the page lets follow it."""
    follower = Textarea(field.value, layout=field.layout, style=field.style)

    def take(change: Message) -> None:
        # The page is not told what it has sent: by now more may be typed.
        with field._lock_property(value=change["new"]):  # noqa: SLF001 - there is no public way to keep silent
            field.value = change["new"]

    follower.observe(take, "value")
    return follower, jsdlink((field, "value"), (follower, "value"))


@contextmanager
def _left_out(fields: Sequence[Widget]) -> Iterator[None]:
    """Keep what a page is told of all widgets from setting these back."""
    ids = [field.comm.comm_id for field in fields if field.comm is not None]
    left_out = {comm_id: _instances.pop(comm_id) for comm_id in ids if comm_id in _instances}

    try:
        yield
    finally:
        _instances.update(left_out)


def _taking_over(before: str, widget: Widget) -> BaseComm:
    """Let the page set the widget's new model to what the one before shows, and send that."""
    trait = "index" if isinstance(widget, RadioButtons) else "value"
    link = jsdlink((widget, trait), (widget, trait))
    state = link.get_state()
    link.close()
    state["source"] = [f"IPY_MODEL_{before}", trait]

    return create_comm(
        target_name="jupyter.widget",
        data={"state": state, "buffer_paths": []},
        metadata={"version": __protocol_version__},
    )
