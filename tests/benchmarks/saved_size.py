"""How large a notebook is when it is saved."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import nbformat

from tests.benchmarks.figure import Figure, Pair, Size
from tests.benchmarks.stage import PATIENCE, run, scripted_kernel
from tests.benchmarks.stream import prose
from tests.cell import Cell
from tests.kernel import Kernel

__all__ = ["measure"]

CELLS = {"one cell": 1, "ten cells": 10}
"""The whole run as one turn, and as a notebook of ten: each cell adds its style sheet, footer and source."""
FORMS = 10
QUESTIONS_EACH = 3
WORDS_EACH = 20
"""In a sentence; of about four letters each, so that it is as long as an English one of fourteen words."""
SETUP = "answers = {'*': 'first'}"


def measure(size: Size) -> Sequence[Figure]:
    """Save ten forms of three questions, each with a part of the text below it, and compare that with the text."""
    text = prose(size.saved_bytes, words_each=WORDS_EACH)
    length = len(text) // FORMS
    parts = [_steps(form, text[form * length : (form + 1) * length]) for form in range(FORMS)]
    turns = [turn for place, cells in CELLS.items() for turn in _turns(place, cells, parts)]
    with scripted_kernel(json.dumps(turns), SETUP) as kernel:
        return [_figure(kernel, place, text, size.runs) for place in CELLS]


def _turns(place: str, cells: int, parts: Sequence[Sequence[object]]) -> Iterator[Mapping[str, object]]:
    each = FORMS // cells
    for cell in range(cells):
        yield {"when": f"*part {cell} of {place}.*", "steps": list(chain(*parts[cell * each : (cell + 1) * each]))}


def _figure(kernel: Kernel, place: str, text: str, runs: int) -> Figure:
    pairs = [Pair(ours=_saved_bytes(kernel, place), theirs=len(text.encode())) for _ in range(runs)]
    name = f"{FORMS * QUESTIONS_EACH} questions and {len(text)} bytes of text, saved in {place}"
    return Figure(name=name, against="the text", unit="bytes", limit=3, pairs=pairs)


def _steps(form: int, text: str) -> Sequence[Mapping[str, object]]:
    return [{"ask": {"questions": [_question(form, number) for number in range(QUESTIONS_EACH)]}}, {"say": text}]


def _question(form: int, number: int) -> Mapping[str, object]:
    options = [
        {"label": "Monthly sums", "description": "One row per month and store"},
        {"label": "Weekly sums", "description": "One row per week, all stores together"},
    ]
    return {
        "question": f"Which table should section {form}.{number} of the report show?",
        "header": f"Table {number}",
        "multiSelect": False,
        "options": options,
    }


def _saved_bytes(kernel: Kernel, place: str) -> int:
    run(kernel, "%claude new")
    cells = [
        kernel.run(f"%%claude --answers answers\nWrite part {number} of {place}.", timeout=PATIENCE)
        for number in range(CELLS[place])
    ]
    assert all(cell.status == "ok" for cell in cells), [cell.text for cell in cells]
    notebook = nbformat.v4.new_notebook(cells=[_code_cell(cell) for cell in cells])
    nbformat.validate(notebook)
    return len(nbformat.writes(notebook).encode())


def _code_cell(cell: Cell) -> nbformat.NotebookNode:
    """Give the cell as it is saved: what is only for the frontend is left out."""
    outputs = [{key: value for key, value in output.items() if key != "transient"} for output in cell.outputs]
    saved: nbformat.NotebookNode = nbformat.v4.new_code_cell(cell.code, outputs=list(map(nbformat.from_dict, outputs)))
    return saved
