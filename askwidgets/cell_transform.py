"""Turns a ``%%claude`` cell into one that awaits, wherever a cell can.

IPython calls cell magics synchronously, and a cell that does not await lets no comm message through. Under
``%%time`` an ``await`` is a syntax error and under ``%%capture`` the cell runs nested, so inside a running
cell the magic stays a plain call.
"""

from __future__ import annotations

import re
from contextvars import ContextVar

from IPython.core.interactiveshell import InteractiveShell

__all__ = ["CellTransform"]

_CELL = re.compile(r"%%claude(?=\s|$)")
_WAIT = re.compile(r"(?P<indent>\s*)%claude\s+wait(?:\s+(?P<name>\S+))?\s*")
_MAGICS = "get_ipython().magics_manager.registry['ClaudeMagics']"


class CellTransform:
    """An input transform for one shell; ``install`` and ``remove`` hook it in and out."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._depth: ContextVar[int] = ContextVar("askwidgets_running_cells", default=0)

    def install(self) -> None:
        """Hook into the shell's input transforms and cell events."""
        self._shell.input_transformers_cleanup.append(self.transform)
        self._shell.events.register("pre_run_cell", self._enter)
        self._shell.events.register("post_run_cell", self._leave)

    def remove(self) -> None:
        """Undo ``install``."""
        self._shell.input_transformers_cleanup.remove(self.transform)
        self._shell.events.unregister("pre_run_cell", self._enter)
        self._shell.events.unregister("post_run_cell", self._leave)

    def transform(self, lines: list[str]) -> list[str]:
        """Rewrite a cell that starts with ``%%claude``, and lines of ``%claude wait``; leave all else as it is."""
        if not lines or self._depth.get() or not self._shell.autoawait:
            return lines

        if _CELL.match(lines[0]):
            line = lines[0].removeprefix("%%claude").strip()

            return [f"await {_MAGICS}.turn({line!r}, {''.join(lines[1:])!r})\n"]

        return lines if lines[0].startswith("%%") else [_awaited_wait(line) for line in lines]

    # A terminal that asks whether a cell is complete must see the magic itself: that ends with a blank line.
    transform.has_side_effects = True  # type: ignore[attr-defined]

    def _enter(self, _info: object) -> None:
        self._depth.set(self._depth.get() + 1)

    def _leave(self, _result: object) -> None:
        # A cell that awaits leaves in another context than it entered in, where nothing was counted.
        self._depth.set(max(0, self._depth.get() - 1))


def _awaited_wait(line: str) -> str:
    match = _WAIT.fullmatch(line)

    if match is None:
        return line

    return f"{match['indent']}await {_MAGICS}.wait({(match['name'] or 'main')!r})\n"
