"""The outputs of a turn where text is only ever appended: a terminal prints each piece once, when it is final.

An output that has no ``text/plain`` is not final yet. One that is printed and changes all the same, such as the
list of things to do, adds the lines that are new.
"""

from __future__ import annotations

import shutil
import sys

from askwidgets.display import Bundle
from askwidgets.hidden import plain
from askwidgets.status_line import status_text
from askwidgets.terminal_text import has_colors, markdown_text

__all__ = ["TerminalOutput", "TerminalOutputs"]

_CLEAR = "\r\x1b[K"
"""Takes the line away on which the cursor stands."""
_DIM, _RESET = "\x1b[2m", "\x1b[0m"


class TerminalOutput:
    """One output, and the lines of it that were printed."""

    def __init__(self, outputs: TerminalOutputs) -> None:
        self._outputs = outputs
        self._printed: set[str] = set()

    def update(self, bundle: Bundle, /) -> None:
        """Print what is new in it."""
        status = status_text(bundle)
        text = bundle.get("text/plain")

        if status is not None:
            self._outputs.show_status(status)
        elif isinstance(text, str) and text.strip():
            self._print(text)

    def _print(self, text: str) -> None:
        lines = [line for line in text.splitlines() if line not in self._printed] if self._printed else [text]
        self._printed |= set(text.splitlines())

        if any(line.strip() for line in lines):
            self._outputs.print("\n".join(lines))


class TerminalOutputs:
    """Prints to standard output, and shows the status in the last line while nothing else stands there.

    ::

        outputs = TerminalOutputs()
        transcript = Transcript(outputs)
    """

    def __init__(self) -> None:
        self._has_status_line = has_colors()
        self._status = ""

    def show(self, bundle: Bundle, /) -> TerminalOutput:
        """Append an output."""
        output = TerminalOutput(self)
        output.update(bundle)

        return output

    def print(self, text: str) -> None:
        """Print model text, colored as Markdown."""
        self._write(f"{self._clear()}{markdown_text(text, colored=self._has_status_line).rstrip()}\n\n{self._line()}")

    def show_status(self, status: str) -> None:
        """Say in the last line what goes on; an empty text takes it away."""
        self._status = status
        self._write(f"{self._clear()}{self._line()}")

    def _clear(self) -> str:
        return _CLEAR if self._has_status_line and not _is_prompting() else ""

    def _line(self) -> str:
        """Give the line of the status; nothing while a prompt stands there."""
        if not self._status or not self._has_status_line or _is_prompting():
            return ""

        columns = shutil.get_terminal_size().columns
        text = plain(f"{self._status} (Ctrl-C interrupts)")[: columns - 1]

        return f"{_DIM}{text}{_RESET}"

    def _write(self, text: str) -> None:
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()


def _is_prompting() -> bool:
    """Whether a prompt stands at the bottom of the terminal; it takes care of what is printed above."""
    application = sys.modules.get("prompt_toolkit.application.current")

    return application is not None and application.get_app_or_none() is not None
