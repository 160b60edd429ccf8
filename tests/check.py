"""Every check there is, the same for people and CI: ``python -m tests.check [lint] [types] [notebooks] [tests]``.

Without names it runs all. It goes on after a failure, so that one run tells everything, and ends with
pytest's own summary and a line for each check that failed. Where ``CI`` is set in the environment, the tests
that take long run, too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.environments import REPOSITORY, isolated_variables

__all__ = ["main"]

AGAIN = ("--reruns=1", "--only-rerun=waited .* s for", "--only-rerun=Timeout")
"""A machine under load can miss a deadline once; what misses it twice has failed."""
WORKERS = 2 + (os.cpu_count() or 1)
"""More than processors, since many tests wait for a browser or a kernel."""
SELECTED = "not matrix and not soak" if os.environ.get("CI") else "not matrix and not soak and not ci"

CHECKS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "lint": (("ruff", "check", "."), ("ruff", "format", "--check", ".")),
    "types": (
        ("mypy",),
        ("mypy", "--platform=win32", "--cache-dir=.mypy_cache/win32", "askwidgets"),
        ("pyright", "--verifytypes", "askwidgets", "--ignoreexternal"),
    ),
    "notebooks": (("pytest", "--nbval", "--nbval-current-env", "--nbval-cell-timeout=120", "notebooks"),),
    "tests": (("pytest", f"--numprocesses={WORKERS}", "--dist=worksteal", *AGAIN, "-m", SELECTED, "tests"),),
}
"""By name, in the order they run: the modules of Python to run with their arguments."""


def main(arguments: list[str] | None = None) -> int:
    """Run the checks named, all by default, and give 0 if every one passed."""
    parser = argparse.ArgumentParser(prog="python -m tests.check", description="Run the checks of this repository.")
    parser.add_argument("checks", nargs="*", metavar="check", help=f"one of {', '.join(CHECKS)}; all by default")
    named = parser.parse_args(arguments).checks
    if unknown := set(named) - CHECKS.keys():
        parser.error(f"no check is called {', '.join(sorted(unknown))}; there are {', '.join(CHECKS)}")

    commands = [command for name, commands in CHECKS.items() if name in (named or CHECKS) for command in commands]
    failed = [command for command in commands if not _passes(command)]

    for command in failed:
        print(f"FAILED: {' '.join(command)}", file=sys.stderr)  # noqa: T201 - a script reports to its terminal

    return 1 if failed else 0


def _passes(command: tuple[str, ...]) -> bool:
    """Run one command, away from this person's settings and account."""
    print(f"\n$ {' '.join(command)}", flush=True)  # noqa: T201 - a script reports to its terminal
    with tempfile.TemporaryDirectory() as folder:
        return _run(command, isolated_variables(Path(folder)) if command[-1] == "notebooks" else None) == 0


def _run(command: tuple[str, ...], variables: Mapping[str, str] | None) -> int:
    given = dict(os.environ if variables is None else variables)
    # Pyright looks for packages where the first Python on the path has them.
    given["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), given.get("PATH", os.defpath)])
    # IPython warns where another environment is active than the one it runs in.
    given.pop("VIRTUAL_ENV", None)
    # Otherwise each of the kernels would compile what it imports anew, which takes it a second.
    given.pop("PYTHONDONTWRITEBYTECODE", None)

    return subprocess.run([sys.executable, "-m", *command], cwd=REPOSITORY, env=given, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
