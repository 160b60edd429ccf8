"""The pytest plugin: lets notebooks with ``%%claude`` cells run with nobody there, each with what lies beside it.

For ``pytest --nbval`` and whatever else runs ``.ipynb`` files. Beside ``tour.ipynb`` may lie ``tour.answers.yaml``
and ``tour.recording.yaml``. Costs nothing where no notebook is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from askwidgets.environment import ANSWERS, REPLAY, UNATTENDED
from askwidgets.sanitizer import nbval_sanitize

__all__ = ["pytest_runtest_makereport", "pytest_runtest_protocol", "pytest_terminal_summary"]

_NO_RECORDING = "There is no {} beside it: without `%claude demo` or `%claude replay` the model's own service is asked."
_RECEIPT = "application/vnd.askwidgets.receipt+json"
_PATTERN = re.compile(r"^regex: (.*)$\n^replace: (.*)$", re.MULTILINE)
_PREPARED = pytest.StashKey[bool]()
_UNUSED = pytest.StashKey[list[str]]()
_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Start the kernel of a notebook, and run its cells, in the environment that the notebook needs."""
    if item.path.suffix != ".ipynb":
        return (yield)

    _prepare(item.parent)
    with _environment(_variables(item.path)):
        result = yield

    # One that failed may not have come to its questions.
    if _is_last(item) and not _stash(item).get(_FAILED, False):
        item.config.stash.setdefault(_UNUSED, []).extend(_unused(item))

    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show, below a cell that failed, what was decided in its notebook until then, and whether it had a recording."""
    report = yield
    if item.path.suffix == ".ipynb" and report.failed:
        _stash(item)[_FAILED] = True
        recording = item.path.with_suffix(".recording.yaml")
        if REPLAY not in os.environ and not recording.is_file():
            report.sections.append(("Recording", _NO_RECORDING.format(recording.name)))

        decisions = [text for other in _cells(item) for text in _decisions(other)]
        if decisions:
            report.sections.append((f"Decisions in {item.path.name}", "\n\n".join(decisions)))

    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Tell which answers beside the notebooks matched no question."""
    unused = config.stash.get(_UNUSED, [])
    if unused:
        terminalreporter.section("Answers that no notebook used")
        terminalreporter.write_line("\n".join(unused))


def _prepare(notebook: object) -> None:
    """Let nbval compare what must not change, and nothing else."""
    patterns = getattr(notebook, "sanitize_patterns", None)
    if not isinstance(notebook, pytest.Collector) or patterns is None or notebook.stash.get(_PREPARED, False):
        return

    notebook.stash[_PREPARED] = True
    patterns.update(_PATTERN.findall(nbval_sanitize().read_text(encoding="utf-8")))
    # What a receipt says is compared as text: its data also tells whether a person or a script answered.
    skipped = cast("tuple[str, ...]", getattr(notebook, "skip_compare", ()))
    setattr(notebook, "skip_compare", (*skipped, _RECEIPT))  # noqa: B010 - nbval is not imported here


def _variables(notebook: Path) -> dict[str, str]:
    """Give the variables for a notebook; what lies beside it goes before what is set already."""
    beside = {ANSWERS: notebook.with_suffix(".answers.yaml"), REPLAY: notebook.with_suffix(".recording.yaml")}
    return {UNATTENDED: "1", **{name: str(path) for name, path in beside.items() if path.is_file()}}


def _stash(item: pytest.Item) -> pytest.Stash:
    """Give what is known of the item's notebook."""
    return item.stash if item.parent is None else item.parent.stash


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _cells(item: pytest.Item) -> list[pytest.Item]:
    """List the cells of the same notebook as far as they have run."""
    cells = [other for other in item.session.items if other.parent is item.parent]
    return cells[: cells.index(item) + 1]


def _is_last(item: pytest.Item) -> bool:
    """Tell whether it is the last cell of a notebook of which nbval has run every cell."""
    outputs = [getattr(cell, "test_outputs", None) for cell in _cells(item)]
    code = [cell for cell in getattr(getattr(item.parent, "nb", None), "cells", ()) if cell["cell_type"] == "code"]
    return bool(code) and len(outputs) == len(code) and None not in outputs


def _unused(item: pytest.Item) -> list[str]:
    file = item.path.with_suffix(".answers.yaml")
    if not file.is_file():
        return []

    # Only here, since it is read where notebooks are run.
    from askwidgets.answers import Answers  # noqa: PLC0415
    from askwidgets.errors import AnswerError  # noqa: PLC0415

    try:
        answers = Answers.from_file(file)
    except AnswerError:
        # The first cell that asked has said so.
        return []

    for receipt in (bundle[_RECEIPT] for cell in _cells(item) for bundle in _bundles(cell) if _RECEIPT in bundle):
        for question in receipt.get("questions", ()):
            entry = answers.find(str(question["question"]))
            if entry is not None:
                answers.use(entry)

    return answers.warnings


def _decisions(cell: pytest.Item) -> list[str]:
    """Give the receipts in a cell's outputs, as nbval keeps them."""
    return [str(bundle.get("text/plain", "")) for bundle in _bundles(cell) if _RECEIPT in bundle]


def _bundles(cell: pytest.Item) -> list[Mapping[str, Any]]:
    return [output.get("data") or {} for output in getattr(cell, "test_outputs", None) or []]
