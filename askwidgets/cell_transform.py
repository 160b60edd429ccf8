"""Turns a ``%%claude`` cell into one that awaits, wherever a cell can.

IPython calls cell magics synchronously, and a cell that does not await lets no comm message through. Under
``%%time`` an ``await`` is a syntax error and under ``%%capture`` the cell runs nested, so inside a running
cell the magic stays a plain call.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextvars import ContextVar

from IPython.core.interactiveshell import InteractiveShell

__all__ = ["CellTransform"]

_CELL = re.compile(r"%%claude(?=\s|$)")
_ANSWER = re.compile(r"%claude(?=\s+answer\s.*\?\s*$)")
_WAIT = re.compile(r"get_ipython\(\)\.run_line_magic\('claude', 'wait(?:\s+(?P<name>[^\s']+))?\s*'\)")
_CANNOT_AWAIT = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
_MAGICS = "get_ipython().magics_manager.registry['ClaudeMagics']"


class CellTransform:
    """An input transform for one shell; ``install`` and ``remove`` hook it in and out."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._depth: ContextVar[int] = ContextVar("askwidgets_running_cells", default=0)

    def install(self) -> None:
        """Hook into the shell's input transforms and cell events."""
        self._shell.input_transformers_cleanup.append(self.transform)
        self._shell.input_transformers_post.append(self.transform_waits)
        self._shell.events.register("pre_run_cell", self._enter)
        self._shell.events.register("post_run_cell", self._leave)

    def remove(self) -> None:
        """Undo ``install``."""
        self._shell.input_transformers_cleanup.remove(self.transform)
        self._shell.input_transformers_post.remove(self.transform_waits)
        self._shell.events.unregister("pre_run_cell", self._enter)
        self._shell.events.unregister("post_run_cell", self._leave)

    def transform(self, lines: list[str]) -> list[str]:
        """Rewrite a cell that starts with ``%%claude``; leave all else as it is."""
        if not lines or self._depth.get() or not self._shell.autoawait:
            return lines

        if _CELL.match(lines[0]):
            line = lines[0].removeprefix("%%claude").strip()

            return [f"await {_MAGICS}.turn({line!r}, {''.join(lines[1:])!r})\n"]

        if _ANSWER.match(lines[0]):
            # IPython would take the question mark for a call for help.
            line = lines[0].removeprefix("%claude").strip()

            return [f"get_ipython().run_line_magic('claude', {line!r})\n", *lines[1:]]

        return lines

    # A terminal that asks whether a cell is complete must see the magic itself: that ends with a blank line.
    transform.has_side_effects = True  # type: ignore[attr-defined]

    def transform_waits(self, lines: list[str]) -> list[str]:
        """Let ``%claude wait`` await, where Python does and IPython took it for a magic."""
        if self._depth.get() or not self._shell.autoawait or not any(map(_WAIT.search, lines)):
            return lines

        try:
            tree = ast.parse("".join(lines))
        except (SyntaxError, ValueError):
            return lines

        numbers = {call.lineno for call in _calls(tree)}

        return [_WAIT.sub(_awaited, line) if number in numbers else line for number, line in enumerate(lines, start=1)]

    def _enter(self, _info: object) -> None:
        self._depth.set(self._depth.get() + 1)

    def _leave(self, _result: object) -> None:
        # A cell that awaits leaves in another context than it entered in, where nothing was counted.
        self._depth.set(max(0, self._depth.get() - 1))


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """Give the calls in a tree that may be awaited."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child

        if not isinstance(child, _CANNOT_AWAIT):
            yield from _calls(child)


def _awaited(match: re.Match[str]) -> str:
    return f"await {_MAGICS}.wait({(match['name'] or 'main')!r})"
