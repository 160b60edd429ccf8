"""The list of things to do follows TodoWrite and the Task tools."""

from __future__ import annotations

from askwidgets.todo import TodoList

TODOS = {
    "todos": [
        {"content": "Read <it>", "status": "completed", "activeForm": "Reading it"},
        {"content": "Fix it", "status": "in_progress", "activeForm": "Fixing it"},
        {"content": "Test it", "status": "pending", "activeForm": "Testing it"},
        "no item",
    ]
}


def test_a_written_list_is_shown_with_a_bar_and_its_items() -> None:
    todos = TodoList()
    todos.use("TodoWrite", TODOS, "")
    assert '<progress max="3" value="1"' in todos.html()
    assert "1 of 3 done" in todos.html()
    assert "Read &lt;it&gt;" in todos.html()
    assert todos.doing == "Fixing it"
    assert todos.plain() == "- [x] Read <it>\n- [ ] Fix it\n- [ ] Test it"


def test_tasks_are_made_changed_and_deleted_by_number() -> None:
    todos = TodoList()
    todos.use("TaskCreate", {"subject": "Read", "activeForm": "Reading"}, "Task #7 created successfully: Read")
    todos.use("TaskCreate", {"subject": "Fix"}, "Task #8 created successfully: Fix")
    todos.use("TaskUpdate", {"taskId": "7", "status": "in_progress"}, "Updated task #7")
    assert todos.doing == "Reading"
    todos.use("TaskUpdate", {"taskId": "7", "status": "completed"}, "")
    todos.use("TaskUpdate", {"taskId": "8", "status": "deleted"}, "")
    todos.use("TaskUpdate", {"taskId": "99", "status": "completed"}, "")
    todos.use("TaskList", {}, "")
    assert todos.plain() == "- [x] Read"


def test_a_list_that_is_no_list_is_empty() -> None:
    todos = TodoList()
    todos.use("TodoWrite", {"todos": "all of it"}, "")
    assert todos.is_empty
    assert todos.doing == ""
