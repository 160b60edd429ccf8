"""The outputs of one cell: mime bundles shown in order, each replaced in place by its display id.

Raw bundles only: ``IPython.display.HTML`` opens a file when the text looks like a path, so model
text never goes through it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

__all__ = ["Bundle", "CellOutputs", "Output"]

Bundle = Mapping[str, object]
"""MIME type to data, as in https://jupyter-client.readthedocs.io/en/stable/messaging.html#display-data."""


class Output(Protocol):
    """One output of a cell."""

    def update(self, bundle: Bundle, /) -> None:
        """Replace what stands there, wherever this output is shown."""


class CellOutputs(Protocol):
    """Where a turn draws: the outputs of the cell that runs it, in order."""

    def show(self, bundle: Bundle, /) -> Output:
        """Append an output to the cell."""
