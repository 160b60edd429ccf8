"""Where the figures are taken: a kernel whose sessions talk to a script, and an ear at its iopub channel."""

from __future__ import annotations

import json
import math
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil
import zmq

from askwidgets.model_server import ModelServer
from askwidgets.script import parse_script
from tests.cell import Cell
from tests.environments import REPOSITORY, Environment
from tests.kernel import Kernel, Widget

__all__ = [
    "PATIENCE",
    "IopubMessage",
    "IopubMeter",
    "bare_kernel",
    "interpreter",
    "model_variables",
    "newest",
    "processor_seconds",
    "run",
    "scripted_kernel",
    "timed",
    "wait_until_idle",
]

PATIENCE = 600.0
"""Seconds that a cell may take."""
QUIET = 0.03
"""Seconds of the processor that idle CLIs take in a second, at most: two of them look around now and then."""
CLOCK = """
import time
from pathlib import Path

marks = []
get_ipython().events.register("pre_run_cell", lambda info: marks.append(time.perf_counter()))
get_ipython().events.register("post_run_cell", lambda result: marks.append(time.perf_counter()))
"""
"""Run once in a kernel whose cells are timed."""


def interpreter() -> Path:
    """Give the Python program of the kernels."""
    return Environment(ipykernel="7.4.0").interpreter()


@contextmanager
def bare_kernel(environment: Mapping[str, str] | None = None) -> Iterator[Kernel]:
    """Start a kernel in a folder of its own, its comm messages sent as JupyterLab sends them."""
    variables = {"PYTHONPATH": str(REPOSITORY), "IS_SANDBOX": "1", **(environment or {})}
    with (
        tempfile.TemporaryDirectory() as folder,
        Kernel.started(interpreter(), Path(folder), environment=variables, over_subshell=True) as kernel,
    ):
        yield kernel


@contextmanager
def scripted_kernel(script: str, setup: str = "") -> Iterator[Kernel]:
    """Start a kernel with the extension loaded and its cells timed, in which the script answers.

    Args:
        script: of the scripted model, which serves in this process.
        setup: run in a cell of its own.
    """
    with (
        tempfile.TemporaryDirectory() as home,
        ModelServer(parse_script(script)) as server,
        bare_kernel(model_variables(server, home)) as kernel,
    ):
        for code in (CLOCK, "%load_ext askwidgets\n%config ClaudeMagics.setting_sources = []", setup):
            run(kernel, code)

        yield kernel


def model_variables(server: ModelServer, home: str) -> Mapping[str, str]:
    """Give the environment of a kernel whose sessions, and whose bare clients, talk to the server."""
    return {**server.env(Path(home) / "config"), "HOME": home, "IS_SANDBOX": "1"}


def run(kernel: Kernel, code: str) -> None:
    """Run a cell that must not fail."""
    cell = kernel.run(code, timeout=PATIENCE)
    assert cell.status == "ok", cell.text


def timed(kernel: Kernel, code: str) -> float:
    """Run a cell, and give the seconds that it took in the kernel."""
    run(kernel, "marks.clear()")
    run(kernel, code)
    return float(kernel.value("marks[2] - marks[1]"))


def newest(kernel: Kernel, cell: Cell, **state: object) -> Widget:
    """Wait for an open widget with this state, and give the latest; quicker than to look for what is on show.

    A widget counts once the cell shows some: before, nobody could have used it.
    """

    def found() -> Widget | None:
        if not cell.view_ids:
            return None

        widgets = (widget for widget in reversed(kernel.widgets.values()) if widget.open)
        return next((widget for widget in widgets if all(widget.state.get(key) == state[key] for key in state)), None)

    widget = kernel.wait_until(found, f"a widget with {state}")
    assert widget is not None
    return widget


def wait_until_idle(kernel: Kernel) -> None:
    """Wait until the processes that the kernel started have done next to nothing for a second."""
    deadline = time.monotonic() + PATIENCE
    before = -math.inf
    while abs((worked := _seconds_of_children(kernel)) - before) > QUIET:
        assert time.monotonic() < deadline, "the processes of the kernel are never idle"
        before = worked
        time.sleep(1.0)


def _seconds_of_children(kernel: Kernel) -> float:
    seconds = 0.0

    for child in psutil.Process(kernel.pid).children(recursive=True):
        # It may end meanwhile: then the sum shrinks, and is taken once more.
        with suppress(psutil.NoSuchProcess):
            seconds += processor_seconds(child)

    return seconds


def processor_seconds(process: psutil.Process) -> float:
    """Give the time that the processor has worked for it, without what it started."""
    times = process.cpu_times()
    return times.user + times.system


@dataclass(frozen=True, slots=True, kw_only=True)
class IopubMessage:
    """A message as it passed."""

    kind: str
    date: float
    """When the kernel made it, in seconds since the epoch."""
    size: int
    """Bytes of all frames."""
    parent: str
    """The id of the message that brought it about."""
    is_idle: bool

    def ends(self, message_id: str) -> bool:
        """Whether nothing more comes of that message."""
        return self.is_idle and self.parent == message_id


class IopubMeter:
    """Hears what a kernel publishes, beside its frontend.

    ::

        with IopubMeter.listening(kernel) as meter:
            kernel.run("...")
            size = sum(message.size for message in meter.heard())
    """

    def __init__(self, kernel: Kernel, socket: zmq.Socket[bytes]) -> None:
        self._kernel = kernel
        self._socket = socket

    @classmethod
    @contextmanager
    def listening(cls, kernel: Kernel) -> Iterator[IopubMeter]:
        """Listen until the block ends."""
        path = kernel.value("get_ipython().kernel.config.IPKernelApp.connection_file")
        connection = json.loads(Path(path.strip("'")).read_text())
        with zmq.Context() as context, context.socket(zmq.SUB) as socket:
            socket.set_hwm(0)
            socket.subscribe("")
            socket.connect(f"{connection['transport']}://{connection['ip']}:{connection['iopub_port']}")
            while not socket.poll(100):
                run(kernel, "pass")

            meter = cls(kernel, socket)
            meter.heard()
            yield meter

    def heard(self) -> Sequence[IopubMessage]:
        """Give what has passed since this was asked last."""
        end = self._kernel.run("pass")
        messages: list[IopubMessage] = []
        while not messages or not messages[-1].ends(end.message_id):
            assert self._socket.poll(int(1000 * PATIENCE)), "the kernel publishes nothing"
            messages.append(_message(self._socket.recv_multipart()))

        return [message for message in messages if message.parent != end.message_id]


def _message(frames: Sequence[bytes]) -> IopubMessage:
    start = frames.index(b"<IDS|MSG>") + 2
    header, parent, _, content = map(json.loads, frames[start : start + 4])
    return IopubMessage(
        kind=header["msg_type"],
        date=datetime.fromisoformat(header["date"].replace("Z", "+00:00")).timestamp(),
        size=sum(map(len, frames)),
        parent=parent.get("msg_id", ""),
        is_idle=content.get("execution_state") == "idle",
    )
