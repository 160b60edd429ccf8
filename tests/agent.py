"""Sessions on the scripted model, with a home and a configuration of their own."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import psutil
from typing_extensions import Unpack

from askwidgets.model_server import ModelServer
from askwidgets.script import parse_script
from askwidgets.session import Session
from askwidgets.session_options import SessionOptions

__all__ = [
    "ASKS",
    "GREETS",
    "QUESTION",
    "RUNS",
    "WRITES",
    "cli_processes",
    "is_cli",
    "scripted_model",
    "scripted_session",
]

QUESTION = (
    '{questions: [{question: "Which store should hold sessions?", header: Store, multiSelect: false, '
    "options: [{label: Redis, description: in memory}, {label: SQLite, description: one file}]}]}"
)
"""A single-select, as the ``ask`` step of a script takes it."""

ASKS = f"""
- when: "*ask*"
  steps:
    - say: "Let me ask first."
    - ask: {QUESTION}
    - say: "The model read: {{last_result}}"
"""
WRITES = f"""
- when: "*write*"
  steps:
    - pace: 0.02
    - say: "Once upon a time {"there was a word " * 500}"
"""
RUNS = """
- when: "*run*"
  steps:
    - say: "I run it."
    - use: {tool: Bash, input: {command: "touch began; sleep 60", description: "Wait"}}
"""
GREETS = """
- when: "*greet*"
  steps:
    - say: "Hello there."
"""
"""Turns of a script, each for the prompts with its verb."""


@contextmanager
def scripted_model(script: str, *, pace: float = 0.0) -> Iterator[ModelServer]:
    """Serve the script on loopback."""
    with ModelServer(parse_script(script), pace=pace) as server:
        yield server


@asynccontextmanager
async def scripted_session(
    server: ModelServer, home: Path, **options: Unpack[SessionOptions]
) -> AsyncIterator[Session]:
    """Make a session that talks to ``server`` and touches nothing outside ``home``."""
    env = {**server.env(home / "config"), "HOME": str(home), "IS_SANDBOX": "1", **options.get("env", {})}
    given: SessionOptions = {"cwd": home, "setting_sources": [], **options, "env": env}

    async with Session(**given) as session:
        yield session


def cli_processes(parent: int | None = None) -> list[psutil.Process]:
    """List the CLI processes below a process, by default the one that runs the tests."""
    below = psutil.Process(parent or os.getpid()).children(recursive=True)

    return [process for process in below if is_cli(process)]


def is_cli(process: psutil.Process) -> bool:
    """Whether the process is a CLI that runs."""
    try:
        return process.is_running() and "_bundled" in " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return False
