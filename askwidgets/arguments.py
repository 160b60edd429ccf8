"""The options of ``%%claude``, parsed to a value; the one table that help and completion read too."""

from __future__ import annotations

import argparse
import keyword
import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import NoReturn, TypeVar

from IPython.core.error import UsageError

from askwidgets.errors import OptionError

__all__ = ["EFFORTS", "OPTIONS", "TurnArguments", "checked_variable", "parse_arguments", "with_usage"]

F = TypeVar("F", bound=Callable[..., None])

EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""Those that the CLI knows; it takes no notice of any other word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnArguments:
    """What a person typed behind ``%%claude``; what was left out is empty."""

    session: str = "main"
    new: bool = False
    background: bool = False
    resume: str = ""
    fork: bool = False
    model: str = ""
    effort: str = ""
    mode: str = ""
    with_: Sequence[str] = ()
    """Names of values that the model is to see, each word perhaps several with commas between."""
    no_context: bool = False
    into: str = ""
    schema: str = ""
    answers: str = ""
    timeout: float = 0.0
    """Seconds; 0 for no limit."""
    cwd: str = ""
    add_dir: Sequence[str] = ()
    tools: str = ""
    max_turns: int = 0
    max_budget_usd: float = 0.0
    """US dollars; 0 for no limit."""


def _amount(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan

    if not number >= 0:
        message = f"{text!r} is no number from 0 up"
        raise argparse.ArgumentTypeError(message)

    # Without an end is what 0 stands for.
    return 0.0 if number == math.inf else number


def _count(text: str) -> int:
    if not text.isdecimal():
        message = f"{text!r} is no whole number from 0 up"
        raise argparse.ArgumentTypeError(message)

    return int(text)


OPTIONS: Mapping[tuple[str, ...], Mapping[str, object]] = {
    ("-s", "--session"): {"metavar": "NAME", "help": "which conversation; made on first use (default: main)"},
    ("--new",): {"action": "store_true", "help": "start that session's conversation afresh"},
    ("-b", "--background"): {"action": "store_true", "help": "give the cell back at once; the turn runs on in it"},
    ("--resume",): {"metavar": "ID", "help": "go on from an earlier conversation; `last` is the notebook's last one"},
    ("--fork",): {"action": "store_true", "help": "branch from the conversation instead of going on in it"},
    ("-m", "--model"): {"metavar": "MODEL", "help": "model, from here on in this session"},
    ("--effort",): {"metavar": "LEVEL", "choices": EFFORTS, "help": "effort: low, medium, high, xhigh or max"},
    ("--mode",): {"metavar": "MODE", "help": "permission mode, from here on in this session"},
    ("--with",): {
        "metavar": "NAME,...",
        "dest": "with_",
        "action": "append",
        "help": "values that the model is to see: frames, arrays, figures, images, text, Out[n], error",
    },
    ("--no-context",): {"action": "store_true", "help": "do not tell what changed in the kernel since the last turn"},
    ("--into",): {"metavar": "NAME", "help": "bind the finished turn, or with --schema the value, to a variable"},
    ("--schema",): {
        "metavar": "NAME",
        "help": "the reply is parsed into this pydantic model, dataclass or JSON Schema of the namespace",
    },
    ("--answers",): {"metavar": "NAME_OR_FILE", "help": "answers given beforehand: a mapping, or a YAML or JSON file"},
    ("--timeout",): {"metavar": "SECONDS", "type": _amount, "help": "how long a question may wait (default: no limit)"},
    ("--cwd",): {"metavar": "DIRECTORY", "help": "directory that the agent works in"},
    ("--add-dir",): {"metavar": "DIRECTORY", "action": "append", "help": "another directory that it may use"},
    ("--tools",): {"metavar": "NAME,...", "help": "built-in tools to offer; AskUserQuestion is always added"},
    ("--max-turns",): {"metavar": "N", "type": _count, "help": "most API round trips of this session's turns"},
    ("--max-budget-usd",): {"metavar": "USD", "type": _amount, "help": "most that this session may cost"},
}
"""Flags to how argparse takes them."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise what IPython shows as one line."""
        raise UsageError(f"%%claude: {message}. %%claude? lists the options.")


@cache
def _parser() -> _Parser:
    parser = _Parser(prog="%%claude", add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)

    for flags, settings in OPTIONS.items():
        parser.add_argument(*flags, **settings)  # type: ignore[arg-type]

    return parser


def parse_arguments(line: str) -> TurnArguments:
    """Parse what stands behind ``%%claude``.

    Raises:
        UsageError: an option is unknown, lacks its value, or quotes are not closed.
    """
    parser = _parser()

    try:
        words = shlex.split(line)
    except ValueError as error:
        parser.error(str(error).lower())

    arguments, unknown = parser.parse_known_args(words)

    if unknown:
        parser.error(_unknown(unknown))

    return TurnArguments(**vars(arguments))


def _unknown(words: Sequence[str]) -> str:
    """Say what the words may have been meant as, which no option takes."""
    likely = get_close_matches(words[0], [flag for flags in OPTIONS for flag in flags], 1)
    offer = f"; did you mean {likely[0]}?" if likely else ""
    offer = offer if words[0].startswith("-") else "; the prompt stands on the lines below"

    return f"unrecognized arguments: {' '.join(words)}{offer}"


def checked_variable(name: str) -> str:
    """Give the name of ``--into`` back, if a variable can have it or it is empty.

    Raises:
        OptionError: it is no name of a variable.
    """
    if name and (not name.isidentifier() or keyword.iskeyword(name)):
        raise OptionError("--into", name, "the name of a variable")

    return name


def with_usage(function: F) -> F:
    """Let the function's docstring describe every option; ``%%claude?`` shows it."""
    function.__doc__ = f"{function.__doc__}\n\n{_parser().format_help()}"

    return function
