"""Code that runs for the agent stops when the person interrupts it, also in the moment in which it begins."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.interrupt import InterruptNote
from askwidgets.kernel_run import CodeRunner
from tests.notebook_shell import loaded_shell

pytestmark = pytest.mark.anyio


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    with loaded_shell(tmp_path) as shell:
        yield shell


@pytest.fixture(autouse=True)
def _noted() -> Iterator[None]:
    """Let SIGINT be what it is while a turn runs in a loop: a note, on which the loop acts later."""
    previous = signal.signal(signal.SIGINT, InterruptNote())
    yield
    signal.signal(signal.SIGINT, previous)


async def test_code_does_not_begin_after_an_interrupt_that_the_loop_has_not_heard_of(shell: InteractiveShell) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    run = await CodeRunner(shell).run("began = True", lambda _: None)
    assert run.interrupted
    assert run.error == "KeyboardInterrupt"
    assert "began" not in shell.user_ns


async def test_code_that_awaited_does_not_go_on_after_one(shell: InteractiveShell) -> None:
    shell.user_ns["began"] = asyncio.Event()
    code = "import asyncio\nbegan.set()\nawait asyncio.sleep(0)\nwent_on = True"
    running = asyncio.create_task(CodeRunner(shell).run(code, lambda _: None))
    await shell.user_ns["began"].wait()
    os.kill(os.getpid(), signal.SIGINT)
    run = await running
    assert run.interrupted
    assert "went_on" not in shell.user_ns


async def test_an_interrupt_is_taken_once(shell: InteractiveShell) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    runner = CodeRunner(shell)
    assert (await runner.run("1", lambda _: None)).interrupted
    assert not (await runner.run("began = True", lambda _: None)).interrupted
    assert shell.user_ns["began"] is True
