"""Kernels whose sessions talk to a script, and how a test answers what these ask."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from askwidgets.model_server import ModelServer
from tests.agent import is_cli
from tests.environments import REPOSITORY, Environment
from tests.kernel import Kernel, Widget

__all__ = [
    "NEWEST",
    "OLDEST",
    "answer",
    "choices",
    "cli_pids",
    "faulty_cli",
    "renew",
    "scripted_kernel",
    "served_kernel",
    "ways",
]

NEWEST = "7.4.0 subshell"
OLDEST = "6.29.5 plain"
WAYS = (NEWEST, "7.4.0 plain", "7.2.0 subshell", "7.2.0 plain", OLDEST)
"""Kernels, and how comm messages go there."""


def ways(*by_default: str) -> list[object]:
    """Give all ways as the parameters of a test; those that are not named are for the nightly run."""
    return [way if way in by_default else pytest.param(way, marks=pytest.mark.matrix) for way in WAYS]


@contextmanager
def scripted_kernel(
    folder: Path,
    script: str,
    way: str = NEWEST,
    *,
    environment: Mapping[str, str] | None = None,
    setup: str = "",
    requirements: tuple[str, ...] = (),
) -> Iterator[Kernel]:
    """Start a kernel in which the script answers.

    Args:
        folder: an empty folder of the test's own.
        script: of the scripted model.
        way: one of ``WAYS``.
        environment: variables to add.
        setup: run in a cell after the extension is loaded.
        requirements: what else the kernel can import.
    """
    version, comms = way.split()
    (folder / "script.yaml").write_text(script)
    interpreter = Environment(ipykernel=version, requirements=requirements).interpreter()
    given = {"IS_SANDBOX": "1", **(environment or {})}

    with Kernel.started(interpreter, folder, environment=given, over_subshell=comms == "subshell") as kernel:
        for code in ("%load_ext askwidgets\n%claude demo script.yaml", setup):
            started = kernel.run(code)
            assert started.status == "ok", started.text

        yield kernel


@contextmanager
def served_kernel(
    server: ModelServer, folder: Path, number: int, *, setup: str = "", **variables: str
) -> Iterator[Kernel]:
    """Start one of several kernels that share the CLI's directory and the working directory.

    Args:
        server: answers for the model.
        folder: of the test; all kernels have theirs in it.
        number: tells this kernel's own folder from those of the others.
        setup: run in the cell that loads the extension.
        variables: to add to the environment.
    """
    own, work = folder / f"kernel{number}", folder / "work"
    own.mkdir()
    work.mkdir(exist_ok=True)
    environment = {**server.env(folder / "claude"), **variables}

    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), own, environment=environment) as kernel:
        loaded = kernel.run(f"%load_ext askwidgets\n%config ClaudeMagics.cwd = {str(work)!r}\n{setup}")
        assert loaded.status == "ok", loaded.text
        yield kernel


def renew(kernel: Kernel) -> None:
    """Close all sessions of a kernel that several tests use, and let the script begin anew."""
    renewed = kernel.run("%reload_ext askwidgets\n%claude demo script.yaml")
    assert renewed.status == "ok", renewed.text


def choices(kernel: Kernel, label: str = "SQLite") -> Widget:
    """Wait for the options of the one question that offers ``label``."""
    return kernel.widget(lambda widget: any(label in option for option in widget.state["_options_labels"]))


def answer(kernel: Kernel, index: int = 1) -> None:
    """Pick an option of the one form there is, and submit as soon as that can be done."""
    kernel.set_state(choices(kernel), index=index)
    kernel.click(kernel.widget(description="Submit answers", disabled=False))


def cli_pids(kernel: Kernel) -> list[int]:
    """List the CLI processes of the kernel."""
    return [process.pid for process in kernel.children() if is_cli(process)]


def faulty_cli(folder: Path, *faults: str) -> Path:
    """Write a program that starts ``tests/faulty_cli.py`` with these faults, one per start; then the real CLI."""
    program = folder / "faulty-claude"
    command = f'"{sys.executable}" "{REPOSITORY / "tests" / "faulty_cli.py"}" "{folder}" "{" ".join(faults)}"'
    program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    program.chmod(0o700)

    return program
