"""Windows, as far as it can be simulated: loops that start no processes and take no signal handlers, no groups."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from askwidgets.cli import write_launcher
from askwidgets.errors import CliError
from askwidgets.interrupt import TurnInterrupt
from askwidgets.kernel import run_in_cell
from askwidgets.loop_thread import LoopThread
from tests.agent import scripted_model, scripted_session

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it simulates what is real there")


class WindowsLoop(asyncio.SelectorEventLoop):
    """What the policy of a Windows kernel makes."""

    async def subprocess_exec(self, *_arguments: object, **_options: object) -> tuple[asyncio.BaseTransport, object]:  # type: ignore[override]
        """Start no process."""
        raise NotImplementedError

    def add_signal_handler(self, *_arguments: object) -> None:
        """Take no handler."""
        raise NotImplementedError


class WindowsPolicy(asyncio.DefaultEventLoopPolicy):
    """The policy of a Windows kernel."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        """Make a loop."""
        return WindowsLoop()


@pytest.fixture
def windows_policy() -> Iterator[None]:
    before = asyncio.get_event_loop_policy()
    asyncio.set_event_loop_policy(WindowsPolicy())
    yield
    asyncio.set_event_loop_policy(before)


@pytest.mark.usefixtures("windows_policy")
def test_the_sessions_thread_starts_processes_whatever_the_kernels_policy_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """B36."""
    with monkeypatch.context() as windows:
        windows.setattr(sys, "platform", "win32")
        windows.setattr(asyncio, "ProactorEventLoop", asyncio.SelectorEventLoop, raising=False)
        thread = LoopThread("tested")

    try:
        assert thread.start(exit_code("import sys; sys.exit(7)")).result(timeout=30) == 7
        assert isinstance(asyncio.get_event_loop_policy(), WindowsPolicy)
    finally:
        thread.stop()


async def exit_code(code: str) -> int:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    return await process.wait()


@pytest.mark.agent
@pytest.mark.usefixtures("windows_policy")
def test_a_loop_that_cannot_start_processes_is_named_as_the_reason(tmp_path: Path) -> None:
    """B36."""

    async def main() -> None:
        with scripted_model('- [say: "Hello."]') as server:
            async with scripted_session(server, tmp_path) as session:
                await session.prompt("hello")

    with pytest.raises(CliError, match="asyncio policy cannot start processes"):
        asyncio.run(main())


def test_an_interrupt_wakes_a_loop_that_takes_no_signal_handlers() -> None:
    """B41."""
    before = signal.getsignal(signal.SIGINT)
    loop = WindowsLoop()
    began = time.monotonic()
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()

    try:
        with pytest.raises(TurnInterrupt):
            loop.run_until_complete(run_in_cell(asyncio.sleep(60)))

        assert time.monotonic() - began < 5
        assert signal.getsignal(signal.SIGINT) is before
    finally:
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def test_without_process_groups_the_cli_is_started_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cli = tmp_path / "claude.exe"
    monkeypatch.setattr(sys, "platform", "win32")

    assert write_launcher(cli, tmp_path) == cli
    assert list(tmp_path.iterdir()) == []
