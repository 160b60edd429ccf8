"""Code run in the kernel for the agent: in the person's namespace, on the main thread, inside the cell that waits.

A cell is running meanwhile, so nothing of IPython that belongs to it may be touched: neither its history nor its
outputs. What the code prints and shows is told from what others print by the context that it runs in.
"""

from __future__ import annotations

import asyncio
import inspect
import io
import sys
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TextIO, TypeVar, cast

from IPython.core.displaypub import DisplayPublisher
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from typing_extensions import override

from askwidgets.display import Bundle
from askwidgets.interrupt import interrupt_raises

__all__ = ["CodeRun", "CodeRunner", "Shown"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One thing that the code showed."""

    data: Bundle
    display_id: str = ""
    """By which a later one replaces it; empty where none can."""
    is_update: bool = False


@dataclass(slots=True, kw_only=True)
class CodeRun:
    """What came of the code."""

    text: list[str] = field(default_factory=list)
    """What it wrote to stdout and stderr."""
    shown: list[Shown] = field(default_factory=list)
    error: str = ""
    """The traceback, with ANSI colors; empty where it ended well."""
    interrupted: bool = False
    """The person stopped it while it ran."""
    is_quiet: bool = False
    """Its last value is not shown."""
    on_shown: Callable[[Shown], None]
    """Called with each thing it shows, at once."""

    def show(self, shown: Shown) -> None:
        """Take in what the code shows."""
        self.shown.append(shown)
        self.on_shown(shown)


class CodeRunner:
    """Runs code in one shell, one piece at a time."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._run: ContextVar[CodeRun | None] = ContextVar("askwidgets_code_run", default=None)
        self._lock = asyncio.Lock()

    async def run(self, code: str, on_shown: Callable[[Shown], None]) -> CodeRun:
        """Run code as a cell would; its error is part of what is given back.

        Cancelling it cancels code that awaits; code that blocks is stopped by the kernel's interrupt.
        """
        run = CodeRun(on_shown=on_shown, is_quiet=code.rstrip().endswith(";"))

        try:
            result = await self._captured(self._result(code), run)
        except KeyboardInterrupt:
            # It came before the code began.
            run.error = "KeyboardInterrupt"
            run.interrupted = True

            return run

        error = result.error_before_exec or result.error_in_exec

        if isinstance(error, asyncio.CancelledError):
            raise error

        run.interrupted = isinstance(error, KeyboardInterrupt)

        return run

    async def call(self, function: Callable[[], object], on_shown: Callable[[Shown], None]) -> tuple[CodeRun, object]:
        """Call a function, and await what it gives where that can be awaited; its errors are raised."""
        run = CodeRun(on_shown=on_shown)

        try:
            value = await self._captured(_called(function), run)
        except KeyboardInterrupt:
            run.interrupted, value = True, None

        return run, value

    async def _captured(self, coroutine: Coroutine[Any, Any, T], run: CodeRun) -> T:
        async with self._lock:
            token = self._run.set(run)

            try:
                with _routed(self._shell, self._run.get):
                    result = await _Interruptible(coroutine)
                    # Plots are shown when a cell is done.
                    self._shell.events.trigger("post_execute")
            finally:
                self._run.reset(token)

        return result

    async def _result(self, code: str) -> ExecutionResult:
        shell = self._shell
        kept = shell.displayhook.exec_result, shell.last_execution_succeeded, shell.last_execution_result
        preprocessing_error = None

        try:
            transformed = shell.transform_cell(code)
        except Exception:  # noqa: BLE001 - IPython shows it as the cell's error
            transformed, preprocessing_error = code, sys.exc_info()

        try:
            return await shell.run_cell_async(
                code,
                store_history=False,
                transformed_cell=transformed,
                preprocessing_exc_tuple=preprocessing_error,
            )
        finally:
            shell.displayhook.exec_result, shell.last_execution_succeeded, shell.last_execution_result = kept


async def _called(function: Callable[[], object]) -> object:
    value = function()

    return await value if inspect.isawaitable(value) else value


class _Interruptible(Awaitable[T]):
    """A coroutine of which each step can be interrupted, as a cell's own code can.

    While a turn runs, SIGINT is a callback of the loop: code that blocks the loop would never hear of it.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine

    @override
    def __await__(self) -> Generator[Any, Any, T]:
        sent: Any = None
        thrown: BaseException | None = None

        while True:
            try:
                with interrupt_raises() as is_interrupted:
                    # Else code that blocks would begin or go on, and the loop hear of it only afterwards.
                    thrown = KeyboardInterrupt() if is_interrupted and thrown is None else thrown
                    waits_for = self._coroutine.send(sent) if thrown is None else self._coroutine.throw(thrown)
            except StopIteration as end:
                value: T = end.value

                return value

            sent = thrown = None

            try:
                sent = yield waits_for
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is the coroutine's
                thrown = error


@contextmanager
def _routed(shell: InteractiveShell, current: Callable[[], CodeRun | None]) -> Iterator[None]:
    """Send what the run's own context writes and shows to it, and all else where it went before."""
    stdout, stderr, publisher, hook = sys.stdout, sys.stderr, shell.display_pub, shell.display_trap.hook
    streams = cast("tuple[TextIO, TextIO]", (_RoutedStream(stdout, current), _RoutedStream(stderr, current)))
    formatter = cast("DisplayFormatter", shell.display_formatter)

    def show_value(value: object) -> None:
        run = current()

        if run is None:
            hook(value)
        elif value is not None and not run.is_quiet:
            data, _ = formatter.format(value)
            run.show(Shown(data=data))

    def show_traceback(kind: object, value: object, lines: list[str]) -> None:
        run = current()

        if run is None:
            type(shell)._showtraceback(shell, kind, value, lines)  # noqa: SLF001 - the hook that IPython has for it
        else:
            run.error = "\n".join(lines)

    sys.stdout, sys.stderr = streams
    shell.display_pub = _RoutedPublisher(publisher, current)
    shell.display_trap.hook = show_value
    vars(shell)["_showtraceback"] = show_traceback

    if sys.displayhook is hook:
        sys.displayhook = show_value

    try:
        yield
    finally:
        _put_back(streams, (stdout, stderr))
        shell.display_pub = publisher
        shell.display_trap.hook = hook
        del vars(shell)["_showtraceback"]

        if sys.displayhook is show_value:
            sys.displayhook = hook


def _put_back(streams: tuple[TextIO, TextIO], before: tuple[TextIO, TextIO]) -> None:
    if sys.stdout is streams[0]:
        sys.stdout = before[0]

    if sys.stderr is streams[1]:
        sys.stderr = before[1]


class _RoutedStream(io.TextIOBase):
    """stdout or stderr, of which one context's writing goes elsewhere."""

    def __init__(self, stream: TextIO, current: Callable[[], CodeRun | None]) -> None:
        self._stream = stream
        self._current = current

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)

    @override
    def write(self, text: str, /) -> int:
        run = self._current()

        if run is None:
            return self._stream.write(text)

        run.text.append(text)

        return len(text)

    @override
    def flush(self) -> None:
        with suppress(ValueError):
            self._stream.flush()

    @override
    def writable(self) -> bool:
        return True


class _RoutedPublisher(DisplayPublisher):
    """A display publisher, of which one context's outputs go elsewhere."""

    def __init__(self, publisher: DisplayPublisher, current: Callable[[], CodeRun | None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # of IPython
        self._publisher = publisher
        self._current = current

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the publisher has
        return getattr(self._publisher, name)

    @override
    def publish(
        self,
        data: dict[str, object],
        metadata: Mapping[str, object] | None = None,
        *args: object,
        transient: Mapping[str, object] | None = None,
        update: bool = False,
        **kwargs: object,
    ) -> None:
        run = self._current()

        if run is None:
            self._publisher.publish(data, metadata, *args, transient=transient, update=update, **kwargs)
        else:
            display_id = str((transient or {}).get("display_id") or "")
            run.show(Shown(data=data, display_id=display_id, is_update=update))

    @override
    def clear_output(self, wait: bool = False) -> None:
        run = self._current()

        if run is None:
            self._publisher.clear_output(wait)
