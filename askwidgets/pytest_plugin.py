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
from typing import cast

import pytest

from askwidgets.environment import ANSWERS, REPLAY, UNATTENDED
from askwidgets.sanitizer import nbval_sanitize

__all__ = ["pytest_runtest_makereport", "pytest_runtest_protocol"]

_RECEIPT = "application/vnd.askwidgets.receipt+json"
_PATTERN = re.compile(r"^regex: (.*)$\n^replace: (.*)$", re.MULTILINE)
_PREPARED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Start the kernel of a notebook, and run its cells, in the environment that the notebook needs."""
    if item.path.suffix != ".ipynb":
        return (yield)

    _prepare(item.parent)
    with _environment(_variables(item.path)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show, below a cell that failed, what was decided in its notebook until then."""
    report = yield
    if item.path.suffix == ".ipynb" and report.failed:
        decisions = [text for other in _cells(item) for text in _decisions(other)]
        if decisions:
            report.sections.append((f"Decisions in {item.path.name}", "\n\n".join(decisions)))

    return report


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


def _decisions(cell: pytest.Item) -> list[str]:
    """Give the receipts in a cell's outputs, as nbval keeps them."""
    outputs = getattr(cell, "test_outputs", None) or []
    bundles = [output.get("data") or {} for output in outputs]
    return [str(bundle.get("text/plain", "")) for bundle in bundles if _RECEIPT in bundle]
