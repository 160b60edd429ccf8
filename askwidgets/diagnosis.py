"""Looks at the installation and says what to do about each problem; tells no secret.

Starts the CLI only to ask for its version and whether it is signed in.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from IPython.core.getipython import get_ipython
from packaging.version import Version

from askwidgets.cli import auth_status, find_cli
from askwidgets.errors import AskWidgetsError
from askwidgets.kernel import delivers_comms, has_frontend, has_kernel

__all__ = ["Finding", "doctor", "findings"]

_FLOORS = {"claude-agent-sdk": "0.2.189", "ipykernel": "6.29.5", "ipywidgets": "8.1", "ipython": "8.18"}
"""The oldest versions that were tested."""

_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_TIMEOUT = 30.0
"""Seconds that the CLI may take to say its version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    name: str
    found: str
    advice: str = ""
    """What to do; empty where nothing is wrong."""

    def __str__(self) -> str:
        mark = "fix" if self.advice else "ok"
        line = f"{mark:<4} {self.name}: {self.found}"

        return f"{line}\n     {self.advice}" if self.advice else line


def doctor() -> None:
    """Print versions, the CLI, what the kernel and its frontend can do, the sign-in, and what to do about problems."""
    print("\n".join(map(str, findings())))  # noqa: T201 - the report


def findings() -> list[Finding]:
    """Look at everything, in the order in which things depend on each other."""
    python = Finding(name="Python", found=f"{platform.python_version()} on {platform.platform()}")

    return [python, *_versions(), *_rest()]


def _versions() -> Iterator[Finding]:
    for package in ("askwidgets", "claude-agent-sdk", "ipython", "ipykernel", "ipywidgets", "jupyterlab", "notebook"):
        floor = _FLOORS.get(package)

        try:
            found = version(package)
        except PackageNotFoundError:
            if floor is not None:
                advice = f"Install it: pip install '{package}>={floor}'"

                yield Finding(name=package, found="not installed", advice=advice)

            continue

        is_old = floor is not None and Version(found) < Version(floor)
        advice = f"Older than what was tested: pip install --upgrade '{package}>={floor}'" if is_old else ""

        yield Finding(name=package, found=found, advice=advice)


def _rest() -> Iterator[Finding]:
    for name, look in (("CLI", _cli), ("kernel", _kernel), ("frontend", _frontend), ("sign-in", _sign_in)):
        yield _seen(name, look)


def _seen(name: str, look: Callable[[], tuple[str, str]]) -> Finding:
    try:
        found, advice = look()
    except AskWidgetsError as error:
        found, _, advice = str(error).partition("\n")

    return Finding(name=name, found=found, advice=advice)


def _cli() -> tuple[str, str]:
    path = find_cli()

    try:
        done = subprocess.run(  # noqa: S603 - the program that find_cli checked
            [path, "--version"], capture_output=True, text=True, timeout=_TIMEOUT, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError) as error:
        advice = "Reinstall it: pip install --force-reinstall claude-agent-sdk"

        return f"{path} does not start ({type(error).__name__})", advice

    return f"{done.stdout.strip()} at {_short(path)}", ""


def _kernel() -> tuple[str, str]:
    shell = get_ipython()

    if shell is None or not has_kernel(shell):
        return "none here: questions are asked in text", ""

    if delivers_comms():
        return "lets widgets be answered while a cell runs", ""

    return "lets widgets be answered while a cell runs, by polling (ipykernel 7.4 needs none)", ""


def _frontend() -> tuple[str, str]:
    shell = get_ipython()

    if shell is None:
        return "none: not in IPython", ""

    if not has_kernel(shell):
        return "a terminal", ""

    if has_frontend(shell):
        return "takes input", ""

    return "takes no input: a question fails that has no answer given beforehand (--answers)", ""


def _sign_in() -> tuple[str, str]:
    keys = [name for name in _KEYS if os.environ.get(name)]

    if keys:
        return f"{', '.join(keys)} is set", ""

    status = auth_status()

    if status.get("loggedIn"):
        return f"signed in ({status.get('authMethod', 'unknown method')})", ""

    program = Path(sys.executable).name
    advice = f"Run `{program} -m askwidgets login`, or set ANTHROPIC_API_KEY; `%claude demo` needs neither."

    return "not signed in, and no key is set", advice


def _short(path: Path) -> str:
    """Show the home directory as ``~``."""
    home = str(Path.home())

    return str(path).replace(home, "~", 1) if str(path).startswith(home) else str(path)
