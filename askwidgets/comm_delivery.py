"""How comm messages of a form reach its widgets while an async cell runs: in order, and each acknowledged.

Two things that ipykernel 7.4.0 does in ``Kernel.dispatch_shell`` and ``Comm._reply_subshell_for`` lose what a
person typed. A message that it lets through beside a running cell is followed by no status, and ipywidgets
sends a widget's next state only once the kernel was idle after the last: all but the first change are lost.
And it sends the messages of some widgets to a subshell and of others to the main thread, so that a click
overtakes the words typed before it; to a subshell that is gone, they never arrive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import CoroutineType
from typing import Any

from comm import get_comm_manager
from ipywidgets import Widget

from askwidgets.reconnection import Reconnections, Renewal, renew
from askwidgets.widget_tree import tree_widgets

__all__ = ["CommDelivery", "deliver_comms"]


class CommDelivery:
    """What is known of the messages that have arrived for a tree of widgets."""

    def __init__(self, root: Widget) -> None:
        self.frontend: str = ""
        """The session of the frontend that sent the latest; a page that is reloaded has another one."""
        self._root = root
        self._made_for = ""
        self._heard: set[str] = set()
        self._senders: Sequence[Widget] = ()
        self._reconnections: Reconnections | None = None
        self._deliver()

    def is_known(self, frontend: str) -> bool:
        """Whether a page of this session runs the cell of these widgets, or was heard from."""
        return frontend == self._made_for or frontend in self._heard

    def has_heard(self, frontend: str) -> bool:
        """Whether a page of this session has sent something from these widgets."""
        return frontend in self._heard

    def renew(self) -> Renewal:
        """Go on with new models, unless the widgets are closed by now."""
        if self._root.comm is None:
            return Renewal()

        renewal = renew(self._root)
        before, self._senders = self._senders, renewal.senders
        self._deliver()

        return replace(renewal, old=[*renewal.old, *before])

    def close(self) -> None:
        """Take no more notice of pages."""
        if self._reconnections is not None:
            self._reconnections.remove(self)

        for sender in self._senders:
            sender.close()

    def _deliver(self) -> None:
        # Without a kernel a comm leads nowhere.
        if not hasattr(self._root.comm, "kernel"):
            return

        for widget in (*tree_widgets(self._root), *self._senders):
            self._receive(widget)

        if self._reconnections is None:
            self._made_for = _session(self._root.comm.kernel.get_parent("shell"))
            self._reconnections = Reconnections.of(get_comm_manager())

            if self._reconnections is not None:
                self._reconnections.add(self)

    def _receive(self, widget: Widget) -> None:
        comm = widget.comm

        def handle(message: Mapping[str, object]) -> None:
            self.frontend = _session(message)
            self._heard.add(self.frontend)

            try:
                widget._handle_msg(message)  # noqa: SLF001 - what ipywidgets has registered for its comm
            finally:
                if comm.kernel is not None and _is_unannounced():
                    _announce_idle(comm.kernel, message)

        comm.on_msg(handle)
        if hasattr(comm, "_reply_subshell_for"):
            comm._reply_subshell_for = _as_sent  # noqa: SLF001 - there is no public way to choose


def deliver_comms(root: Widget) -> CommDelivery:
    """Let the messages for a tree of widgets arrive in the order of their sending, each followed by a status."""
    return CommDelivery(root)


def _session(message: Mapping[str, object]) -> str:
    header = message.get("header")

    return str(header.get("session", "")) if isinstance(header, Mapping) else ""


def _announce_idle(kernel: Any, message: Mapping[str, object]) -> None:  # noqa: ANN401 - what the comm calls so
    topic = kernel._topic("status")  # noqa: SLF001 - as ipykernel names it
    kernel.session.send(kernel.iopub_socket, "status", {"execution_state": "idle"}, parent=dict(message), ident=topic)


def _as_sent(_data: object, subshell_id: str | None) -> str | None:
    """Choose the subshell that the frontend has named."""
    return subshell_id


def _is_unannounced() -> bool:
    """Whether the kernel lets a message through beside a running cell, without a status of its own."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False

    coroutine = task.get_coro() if task else None
    frame = coroutine.cr_frame if isinstance(coroutine, CoroutineType) else None
    return frame is not None and frame.f_locals.get("concurrent") is True
