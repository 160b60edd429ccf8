"""Cells that the agent adds below the one that runs.

A kernel can hand its frontend one cell with the reply to an execution (https://jupyter-client.readthedocs.io/en/
stable/messaging.html#payloads-deprecated), and it is a code cell. So the cells of one turn come as one.
"""

from __future__ import annotations

from IPython.core.interactiveshell import InteractiveShell

__all__ = ["NewCells"]


class NewCells:
    """The cells of one turn."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._sources: list[tuple[str, bool]] = []

    def add(self, source: str, *, is_markdown: bool) -> None:
        """Let a cell stand below when the running cell is done; it is not executed."""
        self._sources.append((source.strip("\n"), is_markdown))
        self._shell.set_next_input(self.text())

    @property
    def count(self) -> int:
        """How many cells were added."""
        return len(self._sources)

    def text(self) -> str:
        """Give what stands in the new cell."""
        if len(self._sources) == 1 and self._sources[0][1]:
            return f"%%markdown\n{self._sources[0][0]}"

        return "\n\n\n".join(_commented(source) if is_markdown else source for source, is_markdown in self._sources)


def _commented(source: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in source.splitlines())
