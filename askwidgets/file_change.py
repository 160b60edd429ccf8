"""What an editing tool would do to a file: its text before and after, read from the disk without doing it.

Only the file that the tool itself would change is read, and only when it is an ordinary text file of
bearable size.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FileChange", "file_change"]

_LARGEST = 1_000_000
_NO_TEXT = "The file is not text."


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One file as it is and as it would be."""

    path: str
    """As the tool's input names it."""
    before: str
    """The file's text; or only the replaced text, where the file cannot be read."""
    after: str
    note: str = ""
    """What a person should know beside the difference, as one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Disk:
    """What was found at a path."""

    text: str | None = None
    problem: str = ""
    """Why there is no text; empty when the file does not exist."""


def file_change(tool_name: str, tool_input: Mapping[str, object], cwd: str) -> FileChange | None:
    """Work out what ``Edit``, ``MultiEdit``, ``NotebookEdit`` or ``Write`` would change.

    ``None`` for another tool, and for an input that lacks what the tool needs.
    """
    if tool_name == "NotebookEdit":
        return _notebook_change(tool_input, cwd)

    path = tool_input.get("file_path")
    if not isinstance(path, str):
        return None

    if tool_name == "Write":
        content = tool_input.get("content")
        return _written(path, content, _read(path, cwd)) if isinstance(content, str) else None

    edits = tool_input.get("edits") if tool_name == "MultiEdit" else [tool_input]
    if tool_name not in {"Edit", "MultiEdit"} or not isinstance(edits, Sequence) or not all(map(_is_edit, edits)):
        return None

    return _edited(path, edits, _read(path, cwd))


def _is_edit(edit: object) -> bool:
    return isinstance(edit, Mapping) and all(isinstance(edit.get(name), str) for name in ("old_string", "new_string"))


def _written(path: str, content: str, disk: _Disk) -> FileChange:
    if disk.text is None:
        note = disk.problem or "This is a new file."
        return FileChange(path=path, before="", after=content, note=note)

    note = "The file holds this already." if disk.text == content else "This replaces the whole file."
    return FileChange(path=path, before=disk.text, after=content, note=note)


def _edited(path: str, edits: Sequence[Mapping[str, object]], disk: _Disk) -> FileChange:
    """Apply the edits one after the other; show the bare strings where that does not work."""
    before = after = disk.text or ""
    for edit in edits:
        old, new = str(edit["old_string"]), str(edit["new_string"])
        if disk.text is None or (old not in after if old else bool(after)):
            return _bare(path, edits, _why_bare(disk))

        after = after.replace(old, new) if edit.get("replace_all") is True else after.replace(old, new, 1)

    return FileChange(path=path, before=before, after=after)


def _why_bare(disk: _Disk) -> str:
    if disk.text is not None:
        return "The text to replace is not in the file as it is now."

    return disk.problem or "The file does not exist."


def _bare(path: str, edits: Sequence[Mapping[str, object]], note: str) -> FileChange:
    before = "\n".join(str(edit["old_string"]) for edit in edits)
    after = "\n".join(str(edit["new_string"]) for edit in edits)
    # Creating a file is an edit of nothing: no remark is due.
    return FileChange(path=path, before=before, after=after, note="This is a new file." if not before else note)


def _notebook_change(tool_input: Mapping[str, object], cwd: str) -> FileChange | None:
    path, source = tool_input.get("notebook_path"), tool_input.get("new_source")
    if not isinstance(path, str) or not isinstance(source, str):
        return None

    mode = tool_input.get("edit_mode")
    cell = tool_input.get("cell_id")
    place = f"cell {cell}" if isinstance(cell, str) and cell else "the first cell"
    if mode == "insert":
        where = f"after {place}" if place != "the first cell" else "at the start"
        return FileChange(path=path, before="", after=source, note=f"This adds a cell {where}.")

    disk = _read(path, cwd)
    before = _cell_source(disk.text, cell) if disk.text is not None else None
    note = f"This deletes {place}." if mode == "delete" else f"This replaces {place}."
    if before is None:
        note = f"{note} {disk.problem or 'That cell is not in the notebook as it is now.'}"

    return FileChange(path=path, before=before or "", after="" if mode == "delete" else source, note=note)


def _cell_source(notebook: str, cell_id: object) -> str | None:
    """Find a cell by its id, or by ``cell-N`` where it has none."""
    try:
        cells = json.loads(notebook)["cells"]
        for number, cell in enumerate(cells):
            if cell_id in (None, "", cell.get("id"), f"cell-{number}"):
                source = cell["source"]
                return source if isinstance(source, str) else "".join(source)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        return None

    return None


def _read(path: str, cwd: str) -> _Disk:
    """Read an ordinary text file; never a device, a pipe or another machine's share."""
    if path.startswith(("\\\\", "//")):
        return _Disk(problem="The file lies on another machine and was not read.")

    try:
        file = Path(cwd, path)
        status = file.stat()
        problem = _unfit(status)
        # What has no size is empty, or one of /proc that is made as it is read, some with nothing to read for ever.
        text = file.read_bytes().decode() if status.st_size and not problem else ""
    except FileNotFoundError:
        return _Disk()
    except UnicodeDecodeError:
        problem = _NO_TEXT
    except (OSError, ValueError) as error:
        problem = f"The file could not be read ({getattr(error, 'strerror', None) or error})."

    if not problem and "\0" in text:
        problem = _NO_TEXT

    return _Disk(problem=problem) if problem else _Disk(text=text)


def _unfit(status: os.stat_result) -> str:
    """Say why a path is not to be opened, or nothing."""
    if not stat.S_ISREG(status.st_mode):
        return "There is no ordinary file at this path."

    return "" if status.st_size <= _LARGEST else f"The file is too large to compare ({status.st_size:,} bytes)."
