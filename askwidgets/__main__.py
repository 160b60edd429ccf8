"""``python -m askwidgets``: what has to be done in a terminal."""

from __future__ import annotations

import argparse
import sys

from askwidgets.cli import login
from askwidgets.diagnosis import doctor
from askwidgets.errors import AskWidgetsError

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run a command; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m askwidgets", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("login", help="sign in with the Claude Code CLI, so that %%claude talks to the real model")
    commands.add_parser("doctor", help="look at the installation, and say what to do about each problem")
    command = parser.parse_args(arguments).command

    try:
        if command == "login":
            return login()

        doctor()
    except AskWidgetsError as error:
        print(error, file=sys.stderr)  # noqa: T201

        return 1

    return 0


if __name__ == "__main__":
    raise SystemExit(main())
