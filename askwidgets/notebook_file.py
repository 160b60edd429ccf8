"""The file of the notebook that this kernel runs, as it was saved last."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

__all__ = ["cell_outputs", "notebook_cells", "own_metadata"]


def notebook_cells() -> list[Mapping[str, object]]:
    """Give its cells; none where the file is not known, or is no notebook.

    The frontend's server tells the kernel: https://github.com/jupyter-server/jupyter_server/pull/679.
    """
    try:
        notebook = json.loads(Path(os.environ["JPY_SESSION_NAME"]).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, RecursionError):
        return []

    cells = notebook.get("cells") if isinstance(notebook, Mapping) else None

    return [cell for cell in cells if isinstance(cell, Mapping)] if isinstance(cells, list) else []


def cell_outputs(cell: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Give the outputs of a cell."""
    outputs = cell.get("outputs")

    return [output for output in outputs if isinstance(output, Mapping)] if isinstance(outputs, list) else []


def own_metadata(output: Mapping[str, object]) -> Mapping[str, object]:
    """Give what we saved beside an output."""
    metadata = output.get("metadata")
    own = metadata.get("askwidgets") if isinstance(metadata, Mapping) else None

    return own if isinstance(own, Mapping) else {}
