"""What an edit would do to a file, told without doing it, whatever stands at the path."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from askwidgets.file_change import FileChange, file_change


def change(tool_name: str, cwd: Path, **tool_input: object) -> FileChange:
    found = file_change(tool_name, tool_input, str(cwd))
    assert found is not None
    return found


def test_an_edit_is_compared_with_the_file_on_disk(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text("a\nb\nb\n")
    once = change("Edit", tmp_path, file_path=str(file), old_string="b", new_string="c")
    assert once == FileChange(path=str(file), before="a\nb\nb\n", after="a\nc\nb\n")
    every = change("Edit", tmp_path, file_path="one.py", old_string="b", new_string="c", replace_all=True)
    assert every.after == "a\nc\nc\n"
    assert file.read_text() == "a\nb\nb\n"


def test_several_edits_apply_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("a")
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "b", "new_string": "c"}]
    assert change("MultiEdit", tmp_path, file_path="one.py", edits=edits).after == "c"


def test_text_that_is_not_in_the_file_is_compared_alone_and_said(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("a")
    found = change("Edit", tmp_path, file_path="one.py", old_string="x", new_string="y")
    assert (found.before, found.after) == ("x", "y")
    assert "not in the file" in found.note


def test_writing_says_whether_the_file_is_new_or_replaced(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("old")
    new = change("Write", tmp_path, file_path="new.txt", content="text")
    assert (new.before, new.after, new.note) == ("", "text", "This is a new file.")
    assert "replaces" in change("Write", tmp_path, file_path="old.txt", content="text").note
    assert "already" in change("Write", tmp_path, file_path="old.txt", content="old").note


@pytest.mark.parametrize(
    ("content", "said"), [(b"\xff\xfe\x00", "not text"), (b"a\0b", "not text"), (b"a" * 1_000_001, "too large")]
)
def test_what_cannot_be_compared_is_said_and_the_new_text_is_still_given(
    content: bytes, said: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(content)
    found = change("Write", tmp_path, file_path="file", content="text")
    assert (found.before, found.after) == ("", "text")
    assert said in found.note


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe in the file system")
def test_a_pipe_a_device_or_a_folder_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero", str(tmp_path)):
        assert "no ordinary file" in change("Write", tmp_path, file_path=path, content="text").note


@pytest.mark.parametrize("path", ["//server/share/file", r"\\server\share\file"])
def test_a_share_of_another_machine_is_never_opened(path: str, tmp_path: Path) -> None:
    assert "another machine" in change("Write", tmp_path, file_path=path, content="text").note


@pytest.mark.parametrize("path", ["a\0b", "x" * 100_000, "file/below"])
def test_a_path_that_leads_nowhere_raises_nothing(path: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    assert change("Write", tmp_path, file_path=path, content="text").note


@pytest.mark.parametrize(
    "tool_input",
    [
        {},
        {"file_path": 3, "content": "x"},
        {"file_path": "a", "content": 3},
        {"file_path": "a", "old_string": "x"},
        {"file_path": "a", "edits": "x"},
        {"file_path": "a", "edits": [3]},
        {"notebook_path": "a"},
    ],
)
@pytest.mark.parametrize("tool_name", ["Edit", "MultiEdit", "NotebookEdit", "Read"])
def test_an_input_that_lacks_what_the_tool_needs_is_no_change(
    tool_name: str, tool_input: dict[str, object], tmp_path: Path
) -> None:
    assert file_change(tool_name, tool_input, str(tmp_path)) is None


def notebook(folder: Path, content: object) -> None:
    (folder / "one.ipynb").write_text(json.dumps(content))


def test_a_cell_is_found_by_its_id_or_its_number(tmp_path: Path) -> None:
    notebook(tmp_path, {"cells": [{"source": "x = 1"}, {"id": "abc", "source": ["y = 1\n", "z"]}]})
    by_id = change("NotebookEdit", tmp_path, notebook_path="one.ipynb", cell_id="abc", new_source="y = 2")
    assert (by_id.before, by_id.after, by_id.note) == ("y = 1\nz", "y = 2", "This replaces cell abc.")
    assert (
        change("NotebookEdit", tmp_path, notebook_path="one.ipynb", cell_id="cell-0", new_source="").before == "x = 1"
    )


def test_a_cell_that_is_added_or_deleted_is_told_as_such(tmp_path: Path) -> None:
    notebook(tmp_path, {"cells": [{"id": "abc", "source": "x = 1"}]})
    fields = {"notebook_path": "one.ipynb", "cell_id": "abc", "new_source": "y"}
    added = change("NotebookEdit", tmp_path, **fields, edit_mode="insert")
    assert (added.before, added.after, added.note) == ("", "y", "This adds a cell after cell abc.")
    deleted = change("NotebookEdit", tmp_path, **fields, edit_mode="delete")
    assert (deleted.before, deleted.after, deleted.note) == ("x = 1", "", "This deletes cell abc.")


@pytest.mark.parametrize("content", ["text", [], {"cells": 3}, {"cells": [3]}, {"cells": [{"id": "abc", "source": 3}]}])
def test_a_notebook_of_another_shape_is_told_as_such(content: object, tmp_path: Path) -> None:
    notebook(tmp_path, content)
    found = change("NotebookEdit", tmp_path, notebook_path="one.ipynb", cell_id="abc", new_source="y")
    assert "not in the notebook" in found.note


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs files that are made as they are read")
def test_what_is_made_as_it_is_read_is_not_read(tmp_path: Path) -> None:
    """Reading some of them, such as the kernel's log, waits for ever."""
    assert change("Write", tmp_path, file_path="/proc/self/status", content="text").before == ""
