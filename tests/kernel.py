"""A real kernel process with the test as its frontend.

The frontend's side of https://jupyter-client.readthedocs.io/en/stable/messaging.html and of the widget
messages (https://github.com/jupyter-widgets/ipywidgets/blob/main/packages/schema/messages.md): cells with their
outputs, widget models, comm messages plainly on the shell channel or over a subshell, stdin, interrupts.

::

    with Kernel.started(interpreter, folder) as kernel:
        cell = kernel.execute("await ...")
        button = kernel.widget(description="Submit answers")
        kernel.click(button)
        kernel.finish(cell)
"""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import psutil
import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager

from tests.cell import Cell
from tests.environments import isolated_variables

__all__ = ["Kernel", "Widget"]

T = TypeVar("T")
Message = dict[str, Any]
"""A message as jupyter_client gives it."""

TIMEOUT = 30.0
"""Seconds that a wait may take before its test fails."""


@dataclass(slots=True, kw_only=True)
class Widget:
    """A widget model as the frontend has it."""

    comm_id: str
    state: dict[str, Any]
    open: bool = True

    @property
    def name(self) -> str:
        """The model's class, as in ``ButtonModel``."""
        return str(self.state.get("_model_name", ""))

    @property
    def references(self) -> list[str]:
        """The ids of the models that this one holds, its children above all."""
        return re.findall(r"IPY_MODEL_(\w+)", json.dumps(self.state, default=str))


class Kernel:
    """A kernel process whose only frontend is the test."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.cells: dict[str, Cell] = {}
        """By message id, in the order they were sent."""
        self.widgets: dict[str, Widget] = {}
        """By comm id, in the order they were opened."""
        self.subshell_id: str | None = None
        """The subshell that comm messages are sent over; ``None`` sends them plainly."""
        self._manager = manager
        self._client = client
        self._replies: dict[str, Message] = {}
        self.states: dict[str, Any] = {}
        self._poller = zmq.Poller()
        self._channels = [client.iopub_channel, client.shell_channel, client.control_channel, client.stdin_channel]
        for channel in self._channels:
            self._poller.register(channel.socket, zmq.POLLIN)

    @classmethod
    @contextmanager
    def started(
        cls,
        interpreter: Path | str,
        folder: Path,
        *,
        environment: Mapping[str, str] | None = None,
        over_subshell: bool = False,
    ) -> Iterator[Kernel]:
        """Start a kernel whose home and working directory is ``folder``, and end it with all it started.

        Args:
            interpreter: the Python program to run ipykernel with.
            folder: an empty folder of the test's own.
            environment: variables to add.
            over_subshell: send comm messages over a subshell, as JupyterLab does.
        """
        manager = _manager(interpreter, folder)
        manager.start_kernel(cwd=str(folder), env=isolated_variables(folder) | dict(environment or {}))
        client = manager.client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=2 * TIMEOUT)
            kernel = cls(manager, client)
            if over_subshell:
                kernel.subshell_id = kernel.create_subshell()

            yield kernel
        finally:
            left = _processes_below(manager)
            client.stop_channels()
            manager.shutdown_kernel(now=True)
            manager.cleanup_resources()
            for process in left:
                with suppress(psutil.NoSuchProcess):
                    process.kill()

            manager.context.destroy(linger=0)

    @property
    def pid(self) -> int:
        """The process id of the kernel."""
        return _pid(self._manager)

    def children(self) -> list[psutil.Process]:
        """List the processes that the kernel started and they in turn."""
        return _processes_below(self._manager)

    # Cells

    def execute(self, code: str, *, allow_stdin: bool = True, subshell_id: str | None = None) -> Cell:
        """Send a cell, over a subshell if one is named, and go on at once."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": allow_stdin,
            "stop_on_error": True,
        }
        message = self._client.session.msg("execute_request", content)
        message_id = str(message["header"]["msg_id"])
        if subshell_id is not None:
            message["header"]["subshell_id"] = subshell_id

        self.cells[message_id] = Cell(code=code, message_id=message_id)
        self._client.shell_channel.send(message)
        return self.cells[message_id]

    def finish(self, cell: Cell, *, timeout: float = TIMEOUT) -> Cell:
        """Wait until the cell has ended."""
        self.wait_until(lambda: cell.finished, f"the end of {cell.code!r}", timeout=timeout)
        return cell

    def run(self, code: str, *, allow_stdin: bool = True, timeout: float = TIMEOUT) -> Cell:
        """Send a cell and wait until it has ended; the caller judges its status."""
        return self.finish(self.execute(code, allow_stdin=allow_stdin), timeout=timeout)

    def value(self, expression: str) -> str:
        """Give the ``repr`` of an expression, evaluated by a cell of its own; fails where that fails."""
        cell = self.run(f"print(repr({expression}), end='')")
        assert cell.status == "ok", cell.text
        return "".join(output["text"] for output in cell.outputs if output["output_type"] == "stream")

    def reply_to_stdin(self, text: str) -> None:
        """Type a line where ``input()`` waits."""
        self._client.input(text)

    def completions(self, code: str) -> list[str]:
        """Press Tab behind the code, and give what is offered."""
        return sorted(self._reply(self._client.complete(code, len(code)))["matches"])

    # Widgets

    def shown(self) -> list[Widget]:
        """List the widgets on show: those of the outputs, and what they hold in turn; a person sees no others."""
        found: dict[str, Widget] = {}
        waiting = [view for cell in self.cells.values() for view in cell.view_ids]
        while waiting:
            widget = self.widgets.get(waiting.pop(0))
            if widget is not None and widget.open and widget.comm_id not in found:
                found[widget.comm_id] = widget
                waiting[:0] = widget.references

        return list(found.values())

    def find(self, matches: Callable[[Widget], bool] = lambda _: True, /, **state: object) -> list[Widget]:
        """List the widgets on show whose state has these values and that match; a ``KeyError`` is no match."""

        def fits(widget: Widget) -> bool:
            try:
                return all(widget.state[key] == value for key, value in state.items()) and matches(widget)
            except KeyError:
                return False

        return [widget for widget in self.shown() if fits(widget)]

    def widget(
        self, matches: Callable[[Widget], bool] = lambda _: True, /, *, timeout: float = TIMEOUT, **state: object
    ) -> Widget:
        """Wait until exactly one widget on show has this state and matches.

        ``kernel.widget(placeholder="Notes")`` and ``kernel.widget(lambda w: "Redis" in w.state["_options_labels"])``
        both work.
        """
        what = f"one widget on show with {state or 'that state'}"
        self.wait_until(lambda: len(self.find(matches, **state)) == 1, what, timeout=timeout)
        return self.find(matches, **state)[0]

    def set_state(self, widget: Widget, **state: object) -> None:
        """Change a widget as a person does in a frontend."""
        widget.state.update(state)
        self.send_comm(widget, {"method": "update", "state": state, "buffer_paths": []})

    def click(self, button: Widget) -> None:
        """Click a button; like a browser, not one that is disabled."""
        assert not button.state.get("disabled"), f"{button.state.get('description')} is disabled"
        self.send_comm(button, {"method": "custom", "content": {"event": "click"}})

    def send_comm(self, widget: Widget, data: Mapping[str, object]) -> str:
        """Send any message to a widget's comm, plainly or over the subshell; give its id."""
        return self._send("comm_msg", {"comm_id": widget.comm_id, "data": data})

    def ask_for_states(self) -> None:
        """Ask for the states of all widgets, as a page does that is connected again; ``states`` is what comes."""
        comm_id = uuid4().hex
        opening = {"comm_id": comm_id, "target_name": "jupyter.widget.control", "data": {}}
        self._send("comm_open", opening, metadata={"version": "1.0.0"})
        self._send("comm_msg", {"comm_id": comm_id, "data": {"method": "request_states"}})

    def _send(self, kind: str, content: Mapping[str, object], metadata: Mapping[str, object] | None = None) -> str:
        message = self._client.session.msg(kind, dict(content), metadata=dict(metadata or {}))
        if self.subshell_id is not None:
            message["header"]["subshell_id"] = self.subshell_id

        self._client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    # Subshells, signals

    @property
    def has_subshells(self) -> bool:
        """The kernel says that it has subshells."""
        message_id = self._client.kernel_info()
        return "kernel subshells" in self._reply(message_id).get("supported_features", [])

    def create_subshell(self) -> str:
        """Make a subshell and give its id."""
        return str(self._control("create_subshell_request")["subshell_id"])

    def delete_subshell(self, subshell_id: str) -> None:
        """End a subshell."""
        self._control("delete_subshell_request", subshell_id=subshell_id)

    def interrupt(self) -> None:
        """Press the stop button: SIGINT to the kernel's whole process group."""
        self._manager.interrupt_kernel()

    def terminate(self) -> None:
        """Ask the process to end, as ``kill`` does."""
        os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End the kernel's process by SIGKILL, without a chance to clean up."""
        os.kill(self.pid, signal.SIGKILL)

    # Waiting

    def wait_until(self, condition: Callable[[], T], what: str, *, timeout: float = TIMEOUT) -> T:
        """Take in messages until the condition holds, and give its value; fail at the deadline."""
        deadline = time.monotonic() + timeout
        while not (value := condition()):
            left = deadline - time.monotonic()
            assert left > 0, f"waited {timeout:g} s for {what}\n{self._description()}"
            self._receive(min(left, 1.0))

        return value

    def settle(self) -> None:
        """Wait until every message sent on the control channel and all output before it has been taken in."""
        self._control("kernel_info_request")

    def _control(self, kind: str, **content: object) -> Message:
        message = self._client.session.msg(kind, content)
        self._client.control_channel.send(message)
        reply = self._reply(str(message["header"]["msg_id"]))
        assert reply["status"] == "ok", reply
        return reply

    def _reply(self, message_id: str) -> Message:
        self.wait_until(lambda: message_id in self._replies, "a reply of the kernel")
        return self._replies.pop(message_id)

    def _receive(self, timeout: float) -> None:
        """Take in all that is here, or what comes first."""
        ready = dict(self._poller.poll(int(timeout * 1000)))
        for channel in self._channels:
            while channel.socket in ready and channel.msg_ready():
                self._take(channel.get_msg(timeout=0))

    def _take(self, message: Message) -> None:
        kind, content = message["msg_type"], message["content"]
        parent = message["parent_header"].get("msg_id", "")
        if kind.startswith("comm_"):
            self._take_comm(kind, content)
        elif kind == "update_display_data":
            self._update_display(content)
        elif (cell := self.cells.get(parent)) is not None:
            cell.take(kind, content)
        elif kind.endswith("_reply"):
            self._replies[parent] = content

    def _take_comm(self, kind: str, content: Message) -> None:
        comm_id, data = content["comm_id"], content.get("data", {})
        if kind == "comm_open":
            self.widgets[comm_id] = Widget(comm_id=comm_id, state=dict(data.get("state", {})))
        elif kind == "comm_close" and comm_id in self.widgets:
            self.widgets[comm_id].open = False
        elif data.get("method") == "update_states":
            self.states = data["states"]
        elif data.get("method") == "update" and comm_id in self.widgets:
            self.widgets[comm_id].state.update(data["state"])

    def _update_display(self, content: Message) -> None:
        display_id = content["transient"]["display_id"]
        for cell in self.cells.values():
            for output in cell.outputs:
                if output.get("transient", {}).get("display_id") == display_id:
                    output.update(data=content["data"], metadata=content["metadata"])

    def _description(self) -> str:
        """What the frontend shows, for the message of a failed wait."""
        cells = [f"In: {cell.code}\n[{cell.status or 'running'}]\n{cell.text}" for cell in self.cells.values()]
        shown = {"description", "placeholder", "value", "disabled", "_options_labels"}
        widgets = [
            f"{widget.name} { ({key: widget.state[key] for key in sorted(shown & widget.state.keys())}) }"
            for widget in self.shown()
            if shown & widget.state.keys() and "<style" not in str(widget.state.get("value"))
        ]
        return "\n".join([*cells, *widgets])


def _manager(interpreter: Path | str, folder: Path) -> KernelManager:
    spec = folder / "kernels" / "tested"
    spec.mkdir(parents=True)
    command = [str(interpreter), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "Tested", "language": "python"}))
    return KernelManager(
        kernel_name="tested",
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(folder / "kernels")]),
        connection_file=str(folder / "connection.json"),
        context=zmq.Context(),
    )


def _pid(manager: KernelManager) -> int:
    pid = getattr(manager.provisioner, "pid", None)
    assert isinstance(pid, int), "the kernel is not running"
    return pid


def _processes_below(manager: KernelManager) -> list[psutil.Process]:
    try:
        return psutil.Process(_pid(manager)).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
