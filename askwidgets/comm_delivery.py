"""How comm messages of a form reach its widgets while an async cell runs: in order, and each acknowledged.

Two things that ipykernel 7.4.0 does in ``Kernel.dispatch_shell`` and ``Comm._reply_subshell_for`` lose what a
person typed. A message that it lets through beside a running cell is followed by no status, and ipywidgets
sends a widget's next state only once the kernel was idle after the last: all but the first change are lost.
And it sends the messages of some widgets to a subshell and of others to the main thread, so that a click
overtakes the words typed before it; to a subshell that is gone, they never arrive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from types import CoroutineType

from ipywidgets import Widget

from askwidgets.widget_tree import tree_widgets

__all__ = ["CommDelivery", "deliver_comms"]


@dataclass(slots=True)
class CommDelivery:
    """What is known of the messages that have arrived."""

    frontend: str = ""
    """The session of the frontend that sent the latest; a page that is reloaded has another one."""


def deliver_comms(root: Widget) -> CommDelivery:
    """Let the messages for a tree of widgets arrive in the order of their sending, each followed by a status."""
    delivery = CommDelivery()

    for widget in tree_widgets(root):
        # Without a kernel a comm leads nowhere.
        if hasattr(widget.comm, "kernel"):
            _deliver(widget, delivery)

    return delivery


def _deliver(widget: Widget, delivery: CommDelivery) -> None:
    comm = widget.comm

    def handle(message: Mapping[str, object]) -> None:
        header = message.get("header")
        delivery.frontend = str(header.get("session", "")) if isinstance(header, Mapping) else ""

        try:
            widget._handle_msg(message)  # noqa: SLF001 - what ipywidgets has registered for its comm
        finally:
            kernel = comm.kernel
            if kernel is not None and _is_unannounced():
                topic = kernel._topic("status")  # noqa: SLF001 - as ipykernel names it
                content = {"execution_state": "idle"}
                kernel.session.send(kernel.iopub_socket, "status", content, parent=message, ident=topic)

    comm.on_msg(handle)
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = _as_sent  # noqa: SLF001 - there is no public way to choose


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
