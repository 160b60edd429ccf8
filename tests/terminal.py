"""A terminal with a program in it: what a person sees on the screen, and the keys that they press.

::

    with Terminal.started([sys.executable, "-m", "IPython"], folder) as terminal:
        terminal.wait_for("In [1]:")
        terminal.type("6 * 7", ENTER)
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte

from tests.environments import REPOSITORY, isolated_variables

__all__ = ["CTRL_C", "DOWN", "ENTER", "SPACE", "Terminal"]

ENTER, SPACE, DOWN, CTRL_C = "\r", " ", "\x1b[B", "\x03"
COLUMNS, ROWS = 100, 200
"""Rows enough that nothing scrolls out of sight."""
TIMEOUT = 60.0
"""Seconds that a wait may take before its test fails."""


class _Screen(pyte.Screen):
    """A screen that answers the program's questions, such as where the cursor is."""

    def __init__(self, process: pexpect.spawn[str]) -> None:
        super().__init__(COLUMNS, ROWS)
        self._process = process

    def write_process_input(self, data: str) -> None:
        self._process.send(data)


class Terminal:
    """A terminal of 100 columns."""

    def __init__(self, process: pexpect.spawn[str]) -> None:
        self._process = process
        self._screen = _Screen(process)
        self._stream = pyte.Stream(self._screen)
        self.written: str = ""
        """All that the program has sent to it."""

    @classmethod
    @contextmanager
    def started(cls, command: Sequence[str], folder: Path) -> Iterator[Terminal]:
        """Start a program whose home and working directory is ``folder``, and end it with its terminal."""
        variables = isolated_variables(folder) | {"PYTHONPATH": str(REPOSITORY), "TERM": "xterm-256color"}
        process = pexpect.spawn(
            command[0],
            list(command[1:]),
            cwd=str(folder),
            env=variables,
            dimensions=(ROWS, COLUMNS),
            encoding="utf-8",
        )
        try:
            yield cls(process)
        finally:
            process.close(force=True)

    @property
    def text(self) -> str:
        """What stands on the screen, without what is empty."""
        return "\n".join(line.rstrip() for line in self._screen.display if line.strip())

    @property
    def title(self) -> str:
        """What the program has named the window."""
        return str(self._screen.title)

    def clear(self) -> None:
        """Forget what stands on the screen."""
        self._read()
        self._screen.erase_in_display(2)

    def type(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self._process.send(key)

    def wait_for(self, text: str, times: int = 1, seconds: float = TIMEOUT) -> None:
        """Wait until a text stands on the screen so many times."""
        deadline = time.monotonic() + seconds

        while self.text.count(text) < times:
            assert time.monotonic() < deadline, f"waited {seconds:g} s for {text!r}, {times} times\n{self.text}"
            self._read()

    def _read(self) -> None:
        with contextlib.suppress(pexpect.TIMEOUT, pexpect.EOF):
            written = self._process.read_nonblocking(size=65_536, timeout=0.1)
            self.written += written
            self._stream.feed(written)
