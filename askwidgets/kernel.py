"""The one module that knows ipykernel: how a turn runs in a cell while comm messages arrive.

From ipykernel 7.4 a running async cell lets comm messages through; before, jupyter-ui-poll takes them in
meanwhile (https://github.com/ipython/ipykernel/issues/387). A cell that is reached without ``await`` blocks
the loop: there nest_asyncio runs the turn, and no comm message arrives.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from functools import partial
from typing import Protocol, TypeVar, cast

from IPython.core.interactiveshell import InteractiveShell
from packaging.version import Version
from traitlets import TraitType

from askwidgets.display import Bundle, CellOutputs, Output, PublishedOutputs
from askwidgets.errors import KernelError
from askwidgets.interrupt import InterruptNote, PromptInterrupt, TurnInterrupt

__all__ = [
    "cell_id",
    "cell_outputs",
    "delivers_comms",
    "frontend_session",
    "has_frontend",
    "has_kernel",
    "run_in_cell",
    "run_nested",
]

T = TypeVar("T")

_NATIVE_COMMS = Version("7.4.0.dev0")

_POLL = 0.05
"""Seconds between two looks for comm messages on kernels that need it."""

_TICK = 0.2
"""Seconds after which a stop is noticed at the latest, where loops have no signal handlers."""

_COMM_EVENTS = 10
"""Messages taken in at one look."""


def has_kernel(shell: InteractiveShell) -> bool:
    """Whether the shell runs in a Jupyter kernel rather than in a terminal."""
    return hasattr(shell, "kernel")


def has_frontend(shell: InteractiveShell) -> bool:
    """Whether somebody is there to answer: nbclient, nbval and papermill allow no standard input."""
    return bool(getattr(getattr(shell, "kernel", None), "_allow_stdin", False))


def frontend_session(shell: InteractiveShell) -> str:
    """Give the session of the frontend that runs the cell; a page that is reloaded has another one."""
    return _of_execution(shell, "header", "session")


def cell_id(shell: InteractiveShell) -> str:
    """Give the id of the cell that is running, where the frontend says it; JupyterLab does."""
    return _of_execution(shell, "metadata", "cellId")


def _of_execution(shell: InteractiveShell, part: str, name: str) -> str:
    """Read a field of the message that runs the cell; empty where there is none."""
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}

    return str(parent.get(part, {}).get(name) or "")


def cell_outputs(shell: InteractiveShell) -> CellOutputs:
    """Give the outputs of the cell that is running, also for after it has ended."""
    published = PublishedOutputs(shell.display_pub)

    if isinstance(getattr(type(shell.display_pub), "parent_header", None), TraitType):
        return _PinnedOutputs(published, cast("_Parented", shell.display_pub))

    return published


class _Parented(Protocol):
    """The display publisher of ipykernel 6: outputs go to the cell of this header."""

    parent_header: object


class _Session(Protocol):
    """What sends a kernel's messages."""

    def send(
        self, stream: object, kind: str, content: Mapping[str, object], *, parent: object, ident: bytes
    ) -> object: ...


class _Kernel(Protocol):
    """What is used of a kernel's own methods."""

    _parent_ident: Mapping[str, bytes]
    session: _Session
    iopub_socket: object

    def _topic(self, topic: str, /) -> bytes: ...

    def get_parent(self) -> Mapping[str, Mapping[str, object]]: ...

    def set_parent(self, identity: object, request: object, /) -> None: ...

    def _publish_status(self, status: str, channel: str, /) -> None: ...

    def _send_abort_reply(self, stream: object, request: object, identity: object, /) -> None: ...


class _Polling(Protocol):
    """What is used of jupyter-ui-poll's wrapper of the kernel."""

    _kernel: _Kernel
    _shell: InteractiveShell
    _events: list[tuple[object, object, object]]
    _original_parent: tuple[bytes, Mapping[str, Mapping[str, object]]]

    def _reset_output(self) -> None: ...


class _PinnedOutputs:
    """The outputs of one cell on ipykernel 6, which shows everything in the cell that was run last."""

    def __init__(self, published: PublishedOutputs, publisher: _Parented) -> None:
        self._published = published
        self._publisher = publisher
        self._parent_header = publisher.parent_header

    def show(self, bundle: Bundle, /) -> Output:
        """Append an output to that cell."""
        before, self._publisher.parent_header = self._publisher.parent_header, self._parent_header

        try:
            return self._published.show(bundle)
        finally:
            self._publisher.parent_header = before


async def run_in_cell(coroutine: Coroutine[object, object, T]) -> T:
    """Run a turn from an async cell: comm messages arrive meanwhile, and the stop button stops it at once.

    Raises:
        TurnInterrupt: the person interrupted it.
    """
    task = asyncio.ensure_future(coroutine)

    try:
        with _cancelled_by_interrupt(task):
            if delivers_comms():
                return await task

            return await _polled(task)
    except asyncio.CancelledError:
        await _settled(task)

        raise TurnInterrupt from None
    except PromptInterrupt:
        raise TurnInterrupt from None


def run_nested(coroutine: Coroutine[object, object, T]) -> T:
    """Run a turn from code that cannot await, such as a function or a cell under ``%%time``.

    Raises:
        TurnInterrupt: the person interrupted it.
        KernelError: the running loop cannot be entered again.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        # `asyncio.run` may be that of nest_asyncio, which leaves tasks behind on a loop that never runs again.
        return asyncio.runners.run(coroutine)

    _allow_nesting(loop)
    task = loop.create_task(coroutine)

    try:
        return loop.run_until_complete(task)
    except (KeyboardInterrupt, asyncio.CancelledError):
        task.cancel()

        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

        raise TurnInterrupt from None
    except PromptInterrupt:
        raise TurnInterrupt from None


def _allow_nesting(loop: asyncio.AbstractEventLoop) -> None:
    import nest_asyncio  # noqa: PLC0415 - it patches asyncio: only where a turn is reached without await

    try:
        nest_asyncio.apply(loop)
    except ValueError as error:
        raise KernelError.not_nested(str(error)) from error


def delivers_comms() -> bool:
    """Whether comm messages reach a running async cell, measured from ipykernel 7.4 on."""
    kernel = sys.modules.get("ipykernel.kernelapp")

    if kernel is None or not kernel.IPKernelApp.initialized():
        return True

    return Version(sys.modules["ipykernel"].__version__) >= _NATIVE_COMMS


async def _polled(task: asyncio.Future[T]) -> T:
    from jupyter_ui_poll import ui_events  # noqa: PLC0415 - older kernels only

    polling = ui_events()
    _mend_parent(polling)
    _mend_idle(polling)

    async with polling as poll:
        while not task.done():
            await poll(_COMM_EVENTS)
            await asyncio.wait([task], timeout=_POLL)

    if task.cancelled() or task.exception() is not None:
        _abort_kept_cells(polling)

    return await task


def _mend_parent(polling: _Polling) -> None:
    """Let what reads a line in the cell reach its frontend.

    jupyter-ui-poll takes the identities of all channels for that of the frontend, and ``input()`` fails with it.
    """
    kernel = polling._kernel  # noqa: SLF001 - there is no other way to it
    polling._original_parent = (kernel._parent_ident["shell"], kernel.get_parent())  # noqa: SLF001


def _mend_idle(polling: _Polling) -> None:
    """Let the frontend know that the cell has ended.

    From ipykernel 7.0 to 7.3 the status may go out under the comm message that was polled last, and not of the cell.
    """
    kernel, shell = polling._kernel, polling._shell  # noqa: SLF001 - there is no other way to them
    cell = kernel.get_parent()

    def send(_result: object) -> None:
        shell.events.unregister("post_run_cell", send)
        kernel.session.send(
            kernel.iopub_socket,
            "status",
            {"execution_state": "idle"},
            parent=cell,
            ident=kernel._topic("status"),  # noqa: SLF001
        )

    shell.events.register("post_run_cell", send)


def _abort_kept_cells(polling: _Polling) -> None:
    """Abort the cells that came meanwhile, as the frontend wants it where a cell fails.

    jupyter-ui-poll keeps them back, where the kernel cannot abort them, and would run them.
    """
    kernel = polling._kernel  # noqa: SLF001 - there is no other way to its queue

    if not kernel.get_parent().get("content", {}).get("stop_on_error", True):
        return

    for stream, identity, request in polling._events:  # noqa: SLF001
        kernel.set_parent(identity, request)
        kernel._send_abort_reply(stream, request, identity)  # noqa: SLF001
        kernel._publish_status("idle", "shell")  # noqa: SLF001

    polling._events.clear()  # noqa: SLF001
    polling._reset_output()  # noqa: SLF001


async def _settled(task: asyncio.Future[T]) -> None:
    """Wait until a cancelled turn has told the agent; another interrupt meanwhile is harmless."""
    task.cancel()

    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([task])


@contextlib.contextmanager
def _cancelled_by_interrupt(task: asyncio.Future[T]) -> Iterator[None]:
    """Cancel the task on SIGINT; ipykernel's own handler does not wake a loop that only waits."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    loop = asyncio.get_running_loop()
    previous = signal.getsignal(signal.SIGINT)
    remove: Callable[[], object]

    try:
        loop.add_signal_handler(signal.SIGINT, task.cancel)
    except NotImplementedError:
        # Windows loops have no signal handlers, and a signal does not wake them.
        ticking = loop.create_task(_tick())
        signal.signal(signal.SIGINT, InterruptNote(task.cancel))
        remove = ticking.cancel
    else:
        # The loop is woken by the signal itself.
        signal.signal(signal.SIGINT, InterruptNote())
        remove = partial(loop.remove_signal_handler, signal.SIGINT)

    try:
        yield
    finally:
        remove()
        signal.signal(signal.SIGINT, previous)


async def _tick() -> None:
    """Wake the loop now and then, so that a signal's handler runs."""
    while True:  # noqa: ASYNC110 - there is nothing to wait for: a signal sets no event in a loop that sleeps
        await asyncio.sleep(_TICK)
