"""The tool uses of a turn, each followed from its start to its result, and drawn where it belongs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from askwidgets.canvas import Canvas
from askwidgets.slot import Slot
from askwidgets.todo import TODO_TOOLS, TodoList
from askwidgets.tool_group import ToolGroup
from askwidgets.tool_result import ToolResult, parse_result
from askwidgets.tool_row import ToolRow

__all__ = ["ToolUses"]

_STANDS_ELSEWHERE = frozenset({"AskUserQuestion", "ExitPlanMode"})
"""Tools for whose uses a form or a receipt stands in the cell."""
_ENDINGS: Mapping[object, bool] = {"completed": False, "failed": True, "stopped": True, "killed": True}
"""How a background task ended, and whether that is an error."""


class ToolUses:
    """Draws tool uses as rows, as the list of things to do, or not at all."""

    def __init__(self, canvas: Canvas, clock: Callable[[], float], *, show_durations: bool) -> None:
        self.cwd = ""
        """The session's working directory, from which paths are told."""
        self.mode = ""
        """The permission mode."""
        self._canvas = canvas
        self._clock = clock
        self._show_durations = show_durations
        self._open_group: ToolGroup | None = None
        """The group that the next tool use may join."""
        self._groups: dict[str, ToolGroup] = {}
        self._rows: dict[str, ToolRow] = {}
        self._started: dict[str, float] = {}
        self._undrawn: dict[str, ToolRow] = {}
        self._covered: set[str] = set()
        self._failed: dict[str, tuple[ToolRow, ToolResult]] = {}
        """Questions that failed: a form may yet stand for them."""
        self._todos: _TodoBlock | None = None

    def use(self, tool_use_id: str, name: str, tool_input: Mapping[str, object], parent: str | None) -> None:
        """Take in a tool use; ``parent`` is the one that started the subagent that makes it."""
        row = ToolRow(name=name, input=tool_input, cwd=self.cwd)
        self._started[tool_use_id] = self._clock()

        if parent is not None:
            self._add_nested(tool_use_id, row, parent)
        elif name in _STANDS_ELSEWHERE or name in TODO_TOOLS or self._writes_plan(name):
            self._undrawn[tool_use_id] = row
            self.close_group()
        else:
            self._add(tool_use_id, row)

    def _writes_plan(self, name: str) -> bool:
        """Whether the use writes the plan, which stands in its form: in plan mode the CLI takes no other change."""
        return self.mode == "plan" and name in {"Edit", "Write"}

    def settle(self, tool_use_id: str, content: object, *, is_error: bool) -> None:
        """Take in the result of a tool use."""
        result = parse_result(content, is_error=is_error)
        undrawn = self._undrawn.pop(tool_use_id, None)

        if undrawn is not None:
            self._settle_undrawn(tool_use_id, undrawn, result)

        row = self._rows.get(tool_use_id)

        if row is None:
            return

        if result.images:
            self._canvas.flush()

        if row.is_background and not is_error:
            row.state = "background"
        else:
            row.settle(result)
            row.duration = self._clock() - self._started[tool_use_id] if self._show_durations else None

        if result.images:
            self._canvas.begin(self._groups[tool_use_id])
        else:
            self._canvas.change(self._groups[tool_use_id])

    def cover(self, tool_use_id: str) -> None:
        """Know that a form or a receipt stands for this use, so that it needs no row even when it fails."""
        self._covered.add(tool_use_id)

    def deny(self, tool_use_id: str) -> None:
        """Know that a tool use failed because it was not permitted."""
        if tool_use_id in self._rows:
            self._rows[tool_use_id].state = "denied"
            self._canvas.change(self._groups[tool_use_id])

    def progress(self, tool_use_id: str, data: Mapping[str, object]) -> None:
        """Take in what a subagent or a background task says of itself."""
        row = self._rows.get(tool_use_id)

        if row is None:
            return

        text = data.get("summary") or data.get("description")
        row.is_background = row.is_background or data.get("is_backgrounded") is True
        row.progress = text if isinstance(text, str) else row.progress
        is_error = _ENDINGS.get(data.get("status"))

        if is_error is not None and row.is_background:
            row.settle(ToolResult(text=row.progress, is_error=is_error))

        self._canvas.change(self._groups[tool_use_id])

    def close_group(self) -> None:
        """Let the next tool use stand in an output of its own."""
        self._open_group = None

    def stop(self) -> None:
        """Say of every tool use that has no result that it was stopped, and show what nothing stands for."""
        for tool_use_id, (row, result) in self._failed.items():
            if tool_use_id not in self._covered:
                row.settle(result)
                self._add(tool_use_id, row)

        self._failed.clear()

        for tool_use_id, row in self._rows.items():
            if row.state == "running":
                row.state = "stopped"
                self._canvas.change(self._groups[tool_use_id])

    def _add(self, tool_use_id: str, row: ToolRow) -> None:
        if self._open_group is not None and self._open_group.takes(row):
            self._open_group.rows.append(row)
            self._canvas.change(self._open_group)
        else:
            self._open_group = ToolGroup(self._canvas.outputs, row)
            self._canvas.begin(self._open_group)

        self._rows[tool_use_id] = row
        self._groups[tool_use_id] = self._open_group

    def _add_nested(self, tool_use_id: str, row: ToolRow, parent: str) -> None:
        if parent not in self._rows:
            # The subagent was started in an earlier turn and goes on in this one.
            self._add(parent, ToolRow(name="Agent", input={}, state="background", is_background=True))

        self._rows[parent].rows.append(row)
        self._rows[tool_use_id] = row
        self._groups[tool_use_id] = self._groups[parent]
        self._canvas.change(self._groups[parent])

    def _settle_undrawn(self, tool_use_id: str, row: ToolRow, result: ToolResult) -> None:
        if result.is_error and row.name == "AskUserQuestion":
            self._failed[tool_use_id] = row, result
        elif result.is_error and tool_use_id not in self._covered:
            self._add(tool_use_id, row)
        elif row.name in TODO_TOOLS:
            self._todos = self._todos or _TodoBlock(self._canvas)
            self._todos.list.use(row.name, row.input, result.text)
            self._canvas.begin(self._todos)

            if self._todos.list.doing:
                self._canvas.do(self._todos.list.doing)


class _TodoBlock:
    """The list of things to do, drawn where it was first written down."""

    is_behind = False

    def __init__(self, canvas: Canvas) -> None:
        self.list = TodoList()
        self._slot = Slot(canvas.outputs)

    def draw(self) -> int:
        if self.list.is_empty and not self._slot.is_shown:
            return 0

        return self._slot.draw({"text/html": self.list.html(), "text/plain": self.list.plain()})
