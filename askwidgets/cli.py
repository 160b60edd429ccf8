"""The Claude Code CLI as a program: where it is, how it is started, whether it is signed in.

Uses neither the SDK nor IPython, so that a bad path or a missing sign-in is found before either is loaded.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from askwidgets.errors import CliError

__all__ = ["ENVIRONMENT", "auth_status", "find_cli", "login", "write_launcher"]

ENVIRONMENT: Mapping[str, str] = {
    "CLAUDE_CODE_QUESTION_PREVIEW_FORMAT": "markdown",
    "CLAUDE_CODE_QUESTION_EXTENDED": "1",
}
"""What the CLI is told that its host can show: option previews, and the kinds ``text`` and ``number``."""

_LAUNCH = """
import os, sys
try:
    os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    os.setsid()
except OSError:
    os.setpgid(0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def find_cli(cli_path: Path | str | None = None) -> Path:
    """Find the CLI to start: ``cli_path``, else the one inside the SDK, else the one on ``PATH``.

    Raises:
        CliError: there is none, or ``cli_path`` is no program.
    """
    if cli_path is not None:
        return _checked(Path(cli_path).expanduser())

    name = "claude.exe" if sys.platform == "win32" else "claude"
    spec = importlib.util.find_spec("claude_agent_sdk")

    for place in (spec and spec.submodule_search_locations) or ():
        bundled = Path(place, "_bundled", name)

        if bundled.is_file():
            return bundled

    on_path = shutil.which(name)

    if on_path is None:
        raise CliError.unusable(name, "is neither inside claude-agent-sdk nor on PATH")

    return Path(on_path)


def _checked(path: Path) -> Path:
    if not path.exists():
        raise CliError.unusable(path, "does not exist")

    if path.is_dir():
        raise CliError.unusable(path, "is a directory")

    if not os.access(path, os.X_OK):
        raise CliError.unusable(path, "is not executable")

    return path.absolute()


def write_launcher(cli: Path, directory: Path) -> Path:
    """Write a program that starts ``cli`` in a process group of its own.

    A frontend's stop button signals the kernel's whole process group, and the CLI would exit of it. The
    launcher replaces itself by the CLI, which still ends with its parent: it sees its input close. The file
    ``pid`` beside it then names the process and its group.

    Where there is a terminal, it also leaves that behind, with the session: a server of the CLI's that reads from the
    terminal would stop the whole group. Kernels have none, and there it stays in the session: Linux may share out the
    processor by session (sched(7), autogroup), and in one of its own a long text took a tenth longer.
    """
    if sys.platform == "win32":
        return cli
    else:  # noqa: RET505 - mypy knows by it what is checked on which platform
        launcher = directory / "claude"
        words = [sys.executable, "-I", "-S", "-c", _LAUNCH, str(cli)]
        pid = shlex.quote(str(directory / "pid"))
        launcher.write_text(f'#!/bin/sh\necho $$ > {pid}\nexec {shlex.join(words)} "$@"\n')
        launcher.chmod(0o700)

        return launcher


def auth_status() -> Mapping[str, object]:
    """Ask the CLI whether it is signed in: ``loggedIn``, ``authMethod``, ``apiProvider``; no secrets."""
    command = [str(find_cli()), "auth", "status"]
    done = subprocess.run(  # noqa: S603 - the program that find_cli checked
        command, capture_output=True, text=True, timeout=30, check=False, stdin=subprocess.DEVNULL
    )

    try:
        status = json.loads(done.stdout)
    except ValueError as error:
        problem = "`auth status` printed no JSON"

        raise CliError.failed(problem, done.stderr.strip()) from error

    return status if isinstance(status, dict) else {}


def login() -> int:
    """Sign in with the CLI's own ``auth login`` in this terminal; gives its exit code."""
    return subprocess.run([str(find_cli()), "auth", "login"], check=False).returncode  # noqa: S603
