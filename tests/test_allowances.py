"""What `Allow for this session` covers, and what it never does."""

from __future__ import annotations

from pathlib import Path

import pytest

from askwidgets.allowances import SessionAllowances, allowance_text, session_rules
from askwidgets.permissions import PermissionRequest, Rule, Suggestion


def bash(command: str, *contents: str) -> PermissionRequest:
    rules = tuple(Rule(tool_name="Bash", content=content) for content in contents)
    suggestions = (Suggestion(kind="rules", rules=rules),) if rules else ()
    return PermissionRequest(tool_name="Bash", input={"command": command}, suggestions=suggestions)


def write(path: Path, folder: Path, tool_name: str = "Write") -> PermissionRequest:
    return PermissionRequest(tool_name=tool_name, input={"file_path": str(path), "content": ""}, cwd=str(folder))


def allowed(request: PermissionRequest) -> SessionAllowances:
    allowances = SessionAllowances()
    allowances.add(request)
    return allowances


def test_a_command_is_covered_within_what_the_cli_suggests() -> None:
    allowances = allowed(bash("git status", "git status *"))
    assert allowances.covers(bash("git status --short"))
    assert not allowances.covers(bash("git push"))
    assert not allowances.covers(bash("git status && rm -rf /"))
    assert not allowances.covers(bash("git status $(rm -rf /)"))


def test_each_part_of_a_command_may_be_covered_by_a_rule_of_its_own() -> None:
    allowances = allowed(bash("git status && git log", "git status *", "git log *"))
    assert allowances.covers(bash("git log -5; git status"))
    assert not allowances.covers(bash("git log -5; git push"))


def test_a_command_without_a_suggestion_is_covered_as_it_stands() -> None:
    allowances = allowed(bash("npm test"))
    assert allowances.describe() == ["Bash(npm test)"]
    assert allowances.covers(bash("npm test"))
    assert not allowances.covers(bash("npm test --fix"))


def test_a_command_that_reads_as_a_pattern_is_not_offered() -> None:
    assert session_rules(bash("rm *.txt")) == ()
    assert not allowed(bash("rm *.txt")).covers(bash("rm *.txt"))


def test_an_edit_is_covered_within_the_working_directory(tmp_path: Path) -> None:
    """B67."""
    allowances = allowed(write(tmp_path / "one.py", tmp_path))
    assert allowances.covers(write(tmp_path / "below" / "two.py", tmp_path))
    assert not allowances.covers(write(tmp_path.parent / "three.py", tmp_path))
    assert not allowances.covers(write(tmp_path / ".." / "three.py", tmp_path))
    assert not allowances.covers(write(tmp_path / "one.py", tmp_path, "Edit"))


def test_a_link_does_not_lead_out_of_what_was_allowed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    allowances = allowed(write(inside / "one.py", inside))
    assert not allowances.covers(write(inside / "link" / "two.py", inside))


def test_an_edit_elsewhere_covers_that_file_alone(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    allowances = allowed(write(tmp_path / "one.py", inside))
    assert allowances.covers(write(tmp_path / "one.py", inside))
    assert not allowances.covers(write(tmp_path / "two.py", inside))
    assert not allowances.covers(write(inside / "two.py", inside))


def test_another_tool_is_covered_as_a_whole_and_no_other_with_it() -> None:
    allowances = allowed(PermissionRequest(tool_name="mcp__weather__forecast", input={"days": 3}))
    assert allowances.covers(PermissionRequest(tool_name="mcp__weather__forecast", input={"days": 9}))
    assert not allowances.covers(PermissionRequest(tool_name="mcp__weather__alert", input={}))
    assert not allowances.covers(bash("ls"))


@pytest.mark.parametrize("tool_name", ["AskUserQuestion", "ExitPlanMode"])
def test_what_always_asks_is_never_covered(tool_name: str) -> None:
    """B67."""
    request = PermissionRequest(
        tool_name=tool_name, input={}, suggestions=(Suggestion(kind="rules", rules=(Rule(tool_name=tool_name),)),)
    )
    allowances = allowed(request)
    assert allowances.describe() == []
    assert not allowances.covers(request)


def test_a_rule_for_another_tool_in_the_suggestion_is_not_taken() -> None:
    rules = (Rule(tool_name="Read", content="//srv/**"), Rule(tool_name="Bash", content="npm test *"))
    request = PermissionRequest(
        tool_name="Bash",
        input={"command": "cd /srv && npm test"},
        suggestions=(Suggestion(kind="rules", rules=rules),),
    )
    allowances = allowed(request)
    assert allowances.describe() == ["Bash(npm test *)"]
    assert allowances.covers(request)
    assert not allowances.covers(PermissionRequest(tool_name="Read", input={"file_path": "/srv/secret"}))


def test_forgetting_asks_again() -> None:
    allowances = allowed(bash("npm test"))
    allowances.clear()
    assert allowances.describe() == []
    assert not allowances.covers(bash("npm test"))


@pytest.mark.parametrize("path", ["", None, 3, "a\0b", "x" * 100_000])
def test_what_is_no_path_raises_nothing(path: object, tmp_path: Path) -> None:
    request = PermissionRequest(tool_name="Write", input={"file_path": path}, cwd=str(tmp_path))
    allowances = allowed(request)
    assert not allowances.covers(PermissionRequest(tool_name="Bash", input={"command": path}))


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (Rule(tool_name="Edit", content="//work/app/**"), "Edit in /work/app"),
        (Rule(tool_name="Read", content="//**"), "Read in /"),
        (Rule(tool_name="mcp__weather__forecast"), "every use of mcp__weather__forecast"),
        (Rule(tool_name="Bash", content="git status *"), "Bash(git status *)"),
    ],
)
def test_what_is_covered_is_said_in_words(rule: Rule, text: str) -> None:
    assert allowance_text(rule) == text
