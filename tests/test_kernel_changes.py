"""What is told of the kernel since the last turn, in a real shell."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from askwidgets.description import describe
from askwidgets.kernel_changes import KernelChanges, Mark
from askwidgets.secret import Secrets
from askwidgets.turn import Turn
from askwidgets.user_tool import user_tools


class Told:
    """A shell and what is told of it."""

    def __init__(self) -> None:
        self.shell = InteractiveShell()
        self.changes = KernelChanges(self.shell)
        self.mark = Mark()

    def run(self, *cells: str) -> None:
        """Run cells as a notebook does."""
        with capture_output(display=False):
            for cell in cells:
                self.shell.run_cell(cell, store_history=True)

    def text(self, most_bytes: int = 8000, named: tuple[str, ...] = ()) -> str:
        """Tell what changed since the last time, seen from the cell that is running."""
        self.run("%%claude\nhello")
        told = self.changes.text(self.mark, Secrets(self.shell.user_ns, named), most_bytes)
        self.mark = self.changes.mark()

        return told


@pytest.fixture
def told() -> Iterator[Told]:
    sys.last_value = None
    told = Told()
    told.run(
        "from IPython.core.magic import register_cell_magic\n\n@register_cell_magic\ndef claude(line, cell):\n    pass",
        "del claude, register_cell_magic",
    )
    told.mark = told.changes.mark()
    yield told
    told.shell.reset()


def test_nothing_is_told_where_nothing_happened(told: Told) -> None:
    assert told.text() == ""
    told.run("x = 1")
    assert told.text() != ""
    assert told.text() == ""


def test_a_value_that_cannot_be_asked_or_encoded_keeps_no_prompt_back(told: Told) -> None:
    told.run(
        "import weakref\nclass Thing:\n    def __repr__(self):\n        return chr(0xD800)",
        "gone, odd = weakref.proxy(Thing()), Thing()\nprint(odd)",
    )
    text = told.text()

    assert "gone: " in text
    assert "odd: Thing: \ufffd" in text
    assert user_tools(told.shell.user_ns) == ()
    assert describe(told.shell.user_ns["gone"]).text


def test_new_changed_and_deleted_variables_are_told_once(told: Told) -> None:
    told.run("one = 1\ntwo = [1]", "import json")
    first = told.text()
    told.run("one = 2\ntwo.append(2)\ndel json")
    second = told.text()

    assert "one: int: 1\ntwo: list of 1 items: [1]\njson: module json" in first
    assert "one: int: 2\ntwo: list of 2 items: [1, 2]\nDeleted: json" in second


def test_cells_are_told_with_their_outputs(told: Told) -> None:
    told.run("print('printed')\n1 + 1", "def f(x):\n    return x")
    text = told.text()

    assert "]:\nprint('printed')\n1 + 1\nOut:\n" in text
    assert "2" in text.split("Out:")[1]
    assert "f: function f(x)" in text
    assert "%%claude" not in text


def test_the_last_error_is_told_once_without_ipythons_frames(told: Told) -> None:
    told.run("def fail():\n    raise ValueError('of mine')", "fail()")
    first, second = told.text(), told.text()

    assert "The last error:\nTraceback" in first
    assert "ValueError: of mine" in first
    assert "interactiveshell.py" not in first
    assert second == ""


def test_turns_and_what_was_imported_are_left_out(told: Told) -> None:
    told.shell.user_ns["turn"] = Turn(prompt="hello")
    told.run("from json import dumps, JSONDecoder")
    text = told.text()

    assert "turn:" not in text
    assert "dumps:" not in text
    assert "JSONDecoder:" not in text


def test_secrets_are_hidden_unless_named(told: Told) -> None:
    told.run("api_key = 'sk-12345678'\nheaders = {'auth': 'Bearer sk-12345678'}", "print(api_key)", "api_key")
    text = told.text()

    assert "sk-12345678" not in text
    assert "api_key: <hidden>" in text
    assert "headers: dict of 1 items: {'auth': 'Bearer <hidden>'}" in text


def test_of_many_cells_the_latest_are_told_and_the_others_counted(told: Told) -> None:
    told.run(*("pass" for _ in range(40)), "%%claude\nhello", "  ")
    text = told.text()

    assert text.count("In [") == 30
    assert "(10 earlier cells)" in text


@pytest.mark.parametrize("most_bytes", [600, 1500, 4000])
def test_all_of_it_stays_within_its_bytes_and_the_latest_cells_stay(told: Told, most_bytes: int) -> None:
    told.run(*(f"value_{number} = 'ä' * {number}\nprint('{number}' * 50)" for number in range(100)))
    text = told.text(most_bytes)

    assert len(text.encode()) <= most_bytes + 60
    assert "more variables" in text
    assert "earlier cells" in text
    assert most_bytes < 1000 or "value_99 = " in text
