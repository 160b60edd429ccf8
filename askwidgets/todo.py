"""The agent's list of things to do: what TodoWrite and the Task tools say, as one progress block."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from askwidgets.markup import text_html
from askwidgets.tool_summary import input_text

__all__ = ["TODO_TOOLS", "TodoList"]

TODO_TOOLS = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"})
"""Tools that are drawn as the progress block, not as rows of their own."""

_MARKS = {
    "completed": "\N{BALLOT BOX WITH CHECK}\ufe0e",
    "in_progress": "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}\ufe0e",
}
_OPEN = "\N{BALLOT BOX}"
_NUMBER = re.compile(r"#(\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    content: str
    status: str = "pending"
    doing: str = ""
    """The content in the form that says that it is being done."""


class TodoList:
    """What is to be done, as the agent last said."""

    def __init__(self) -> None:
        self._items: dict[str, _Item] = {}

    def use(self, name: str, tool_input: Mapping[str, object], result: str) -> None:
        """Take in a use of one of the tools; the result of TaskCreate tells the number of the task."""
        if name == "TodoWrite":
            todos = tool_input.get("todos")
            items = [todo for todo in todos if isinstance(todo, Mapping)] if isinstance(todos, list) else []
            self._items = {str(number): _parse_item(todo) for number, todo in enumerate(items, 1)}
        elif name == "TaskCreate":
            number = _NUMBER.search(result)
            self._items[number.group(1) if number else str(len(self._items) + 1)] = _parse_item(tool_input)
        elif name == "TaskUpdate":
            self._update(tool_input)

    def _update(self, tool_input: Mapping[str, object]) -> None:
        key = str(tool_input.get("taskId", ""))

        if key not in self._items:
            return

        if tool_input.get("status") == "deleted":
            del self._items[key]

            return

        item = self._items[key]
        new = _parse_item(tool_input)
        self._items[key] = replace(
            item,
            content=new.content or item.content,
            status=input_text(tool_input, "status") or item.status,
            doing=new.doing or item.doing,
        )

    @property
    def doing(self) -> str:
        """What is being done now."""
        items = (item for item in self._items.values() if item.status == "in_progress")
        item = next(items, None)

        return (item.doing or item.content) if item else ""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self._items

    def html(self) -> str:
        """Show a bar and the items."""
        done, total = self._done(), len(self._items)
        items = "".join(
            f'<li class="ask-{_class(item.status)}">{_MARKS.get(item.status, _OPEN)} {text_html(item.content)}</li>'
            for item in self._items.values()
        )

        return (
            f'<div class="ask-todo"><progress max="{total}" value="{done}"></progress> '
            f"<small>{done} of {total} done</small><ul>{items}</ul></div>"
        )

    def plain(self) -> str:
        """Give the items as a task list in Markdown."""
        return "\n".join(
            f"- [{'x' if item.status == 'completed' else ' '}] {item.content}" for item in self._items.values()
        )

    def _done(self) -> int:
        return sum(item.status == "completed" for item in self._items.values())


def _class(status: str) -> str:
    return {"completed": "past", "in_progress": "now"}.get(status, "next")


def _parse_item(item: Mapping[str, object]) -> _Item:
    return _Item(
        content=input_text(item, "content") or input_text(item, "subject"),
        status=input_text(item, "status") or "pending",
        doing=input_text(item, "activeForm"),
    )
