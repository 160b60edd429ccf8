"""How large a notebook is when it is saved."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import nbformat

from tests.benchmarks.figure import Figure, Pair, Size
from tests.benchmarks.stage import scripted_kernel
from tests.benchmarks.stream import prose
from tests.cell import Cell

__all__ = ["measure"]

CELLS = 10
QUESTIONS = 30
SETUP = "answers = {'*': 'first'}"


def measure(size: Size) -> Sequence[Figure]:
    """Write a notebook of ten cells that hold the questions and the text, and compare it with its text."""
    text = prose(size.saved_bytes)
    step = len(text) // QUESTIONS
    steps = [part for number in range(QUESTIONS) for part in _steps(number, text[number * step : (number + 1) * step])]
    each = len(steps) // CELLS
    turns = [{"when": f"*part {cell}.*", "steps": steps[cell * each : (cell + 1) * each]} for cell in range(CELLS)]
    pairs = [_pair(json.dumps(turns), text) for _ in range(size.runs)]
    name = f"a notebook of {QUESTIONS} questions and {len(text)} bytes of text, saved"
    return [Figure(name=name, against="the text", unit="bytes", limit=3, pairs=pairs)]


def _steps(number: int, text: str) -> Sequence[Mapping[str, object]]:
    options = [
        {"label": "Monthly sums", "description": "One row per month and store"},
        {"label": "Weekly sums", "description": "One row per week, all stores together"},
    ]
    question = {
        "question": f"Which table should section {number} of the report show?",
        "header": "Table",
        "multiSelect": False,
        "options": options,
    }
    return [{"ask": {"questions": [question]}}, {"say": text}]


def _pair(script: str, text: str) -> Pair:
    with scripted_kernel(script, SETUP) as kernel:
        cells = [
            kernel.run(f"%%claude --answers answers\nWrite part {number}.", timeout=120) for number in range(CELLS)
        ]
        assert all(cell.status == "ok" for cell in cells), [cell.text for cell in cells]

    notebook = nbformat.v4.new_notebook(cells=[_code_cell(cell) for cell in cells])
    nbformat.validate(notebook)
    return Pair(ours=len(nbformat.writes(notebook).encode()), theirs=len(text.encode()))


def _code_cell(cell: Cell) -> nbformat.NotebookNode:
    """Give the cell as it is saved: what is only for the frontend is left out."""
    outputs = [{key: value for key, value in output.items() if key != "transient"} for output in cell.outputs]
    saved: nbformat.NotebookNode = nbformat.v4.new_code_cell(cell.code, outputs=list(map(nbformat.from_dict, outputs)))
    return saved
