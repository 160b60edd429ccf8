"""What happened in the kernel since a session's last turn: variables, cells with their outputs, the last error.

All of it is read from what IPython keeps; no code is run for it. Secrets are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType

from IPython.core.interactiveshell import InteractiveShell

from askwidgets.description import cut, summarize
from askwidgets.hidden import ESCAPE_SEQUENCE
from askwidgets.kernel_values import KernelValues, error_text
from askwidgets.plain_json import encodable
from askwidgets.secret import HIDDEN, Secrets, is_secret_name, source_without_secrets
from askwidgets.turn import Turn

__all__ = ["KernelChanges", "Mark"]

_HEAD = "What happened in the user's notebook kernel since your last turn (told by askwidgets, not typed by the user):"
_OURS = re.compile(r"\s*%{1,2}claude\b|\s*%(load|reload|unload)_ext askwidgets\s*$|\s*%config ClaudeMagics")
_LONGEST_SOURCE = 1_500
_LONGEST_OUTPUT = 1_000
_LONGEST_ERROR = 2_000
_MOST_CELLS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """How far a session knows the kernel."""

    variables: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """By name: which object it was, and what was said of it."""
    cell: int = 0
    """The latest cell."""
    error: int = 0
    """Which error was the latest."""


class KernelChanges:
    """Tells one shell's changes from one mark to the next."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._values = KernelValues(shell)

    def mark(self) -> Mark:
        """Note how the kernel is now."""
        error = getattr(sys, "last_value", None)

        # The cell that runs is the prompt itself, and stands last.
        return Mark(variables=self._variables(), cell=len(self._sources()) - 1, error=id(error) if error else 0)

    def with_variables(self, mark: Mark) -> Mark:
        """Give a mark that knows the variables as they are now, but no other cells than before."""
        return replace(mark, variables=self._variables())

    def text(self, since: Mark, secrets: Secrets, most_bytes: int) -> str:
        """Say what changed, in at most so many bytes; empty where nothing did."""
        error = encodable(self._error(since, secrets))
        variables = [encodable(line) for line in self._variable_lines(since, secrets)]
        numbers = self._numbers(since)
        # After a long absence the latest cells say enough, and reading all of them takes time.
        cells = [encodable(self._cell(number, secrets)) for number in numbers[-_MOST_CELLS:]]

        if not (variables or cells or error):
            return ""

        left = most_bytes - len(_HEAD.encode()) - len(error.encode())
        # Half of it for the variables, and for the cells what these leave.
        told = _fitting(variables, left // 2 if cells else left, "and {} more variables")
        left -= sum(len(line.encode()) + 1 for line in told)
        # The latest cells count most.
        latest = _fitting(cells[::-1], left, "({} earlier cells)", unread=len(numbers) - len(cells))
        parts = [_HEAD, "\n".join(told), "\n\n".join(reversed(latest)), error]

        return "\n\n".join(part for part in parts if part)

    def _variables(self) -> dict[str, tuple[int, str]]:
        return {
            name: (id(value), "" if is_secret_name(name) else summarize(value))
            for name, value in self._values.variables().items()
            if _is_own(value)
        }

    def _variable_lines(self, since: Mark, secrets: Secrets) -> list[str]:
        now = self._variables()
        changed = [name for name, known in now.items() if since.variables.get(name) != known]
        lines = [f"{name}: {_line(name, now[name][1], secrets)}" for name in changed]
        gone = [name for name in since.variables if name not in now]

        if lines:
            lines.insert(0, "Variables, new or changed:")

        return lines + ([f"Deleted: {', '.join(gone)}"] if gone else [])

    def _numbers(self, since: Mark) -> Sequence[int]:
        """Give the numbers of the person's cells, the oldest first."""
        sources = self._sources()

        return [
            number
            for number in range(since.cell + 1, len(sources))
            if sources[number].strip() and not _OURS.match(sources[number])
        ]

    def _cell(self, number: int, secrets: Secrets) -> str:
        source = self._sources()[number]
        shown = secrets.hidden(source_without_secrets(source))
        output = HIDDEN if is_secret_name(source) else secrets.hidden_in_repr(self._output(number))
        told = f"Out:\n{cut(output, _LONGEST_OUTPUT)}" if output else ""

        return f"In [{number}]:\n{cut(shown, _LONGEST_SOURCE)}\n{told}".rstrip("\n")

    def _sources(self) -> Sequence[str]:
        """Give the cells by number, as they were typed; the one that runs is the last."""
        history = self._shell.history_manager

        return history.input_hist_raw if history is not None else []

    def _output(self, number: int) -> str:
        """Give what a cell showed, as text; before IPython 9 only the value that it gave."""
        history = self._shell.history_manager
        outputs: Sequence[object] = getattr(history, "outputs", {}).get(number, ())
        texts = [_output_text(getattr(output, "bundle", {})) for output in outputs]

        if not texts and history is not None and number in history.output_hist:
            texts = [summarize(history.output_hist[number])]

        return ESCAPE_SEQUENCE.sub("", "\n".join(text.rstrip("\n") for text in texts if text.strip()))

    def _error(self, since: Mark, secrets: Secrets) -> str:
        error = getattr(sys, "last_value", None)

        if error is None or id(error) == since.error:
            return ""

        text = cut(source_without_secrets(error_text()), _LONGEST_ERROR)

        return f"The last error:\n{secrets.hidden_in_repr(text)}"


def _is_own(value: object) -> bool:
    """Leave out what was imported from elsewhere, and turns, which the model knows."""
    kind = type(value)

    if issubclass(kind, (FunctionType, type)):
        return value.__module__ == "__main__"

    return not issubclass(kind, Turn)


def _line(name: str, summary: str, secrets: Secrets) -> str:
    return HIDDEN if secrets.hides(name) else secrets.hidden_in_repr(summary)


def _output_text(bundle: Mapping[str, object]) -> str:
    stream = bundle.get("stream")

    if isinstance(stream, list):
        return "".join(map(str, stream))

    if "image/png" in bundle or "image/jpeg" in bundle:
        return "[an image]"

    return str(bundle.get("text/plain", ""))


def _fitting(lines: Sequence[str], most_bytes: int, rest: str, *, unread: int = 0) -> list[str]:
    """Take as many lines as fit, and say how many are left out, with those that were not read at all."""
    kept: list[str] = []
    size = len(rest) + 8

    for line in lines:
        size += len(line.encode()) + 2

        if size > most_bytes:
            break

        kept.append(line)

    left = len(lines) - len(kept) + unread

    return [*kept, *([rest.format(left)] if left else [])]
