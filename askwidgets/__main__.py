"""``python -m askwidgets``: what has to be done in a terminal."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version

from askwidgets.cli import login
from askwidgets.diagnosis import doctor
from askwidgets.errors import AskWidgetsError

__all__ = ["main"]


_COMMANDS = {
    "login": "sign in with the Claude Code CLI, so that the real model answers",
    "doctor": "look at the installation, and say what to do about each problem",
}


def main(arguments: list[str] | None = None) -> int:
    """Run a command; gives the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m askwidgets",
        description="What is done in a terminal; in IPython see `%claude help`.",
    )
    parser.add_argument("--version", action="version", version=version("askwidgets"))
    commands = parser.add_subparsers(dest="command")

    for name, purpose in _COMMANDS.items():
        commands.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")

    command = parser.parse_args(arguments).command

    if command is None:
        parser.print_help()

        return 0

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
