"""Where the text of a plan may come from, and where it never does."""

from __future__ import annotations

from pathlib import Path

import pytest

from askwidgets.permissions import PermissionRequest
from askwidgets.plan_text import plan_text


def text(directory: Path | str, **tool_input: object) -> str:
    request = PermissionRequest(tool_name="ExitPlanMode", input=tool_input, config_directory=str(directory))
    return plan_text(request)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A plan file where the CLI keeps them."""
    file = tmp_path / "plans" / "brave-otter.md"
    file.parent.mkdir()
    file.write_text("# From the file\n")
    return file


def test_the_plan_of_the_input_goes_before_the_file(plan: Path) -> None:
    assert text(plan.parent.parent, plan="# Given", planFilePath=str(plan)) == "# Given"


def test_the_plan_file_is_read_where_the_input_has_none(plan: Path) -> None:
    """B68."""
    assert text(plan.parent.parent, planFilePath=str(plan)) == "# From the file\n"
    assert text(plan.parent.parent, plan="  \n", planFilePath=str(plan)) == "# From the file\n"


def test_no_file_is_read_where_it_is_not_known_where_the_cli_keeps_them(plan: Path) -> None:
    assert text("", planFilePath=str(plan)) == ""


def test_no_file_outside_of_the_plans_is_ever_read(plan: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    (plan.parent / "link.md").symlink_to(secret)
    for path in (secret, plan.parent / ".." / "secret.md", plan.parent / "link.md", plan.parent):
        assert text(tmp_path, planFilePath=str(path)) == ""


@pytest.mark.parametrize("path", ["", None, 3, "a\0b", "missing.md", "x" * 100_000])
def test_what_is_no_plan_file_gives_no_plan(path: object, tmp_path: Path) -> None:
    assert text(tmp_path, planFilePath=path) == ""


def test_a_file_that_is_empty_huge_or_not_text_gives_no_plan(plan: Path) -> None:
    for content in (b" \n", b"a" * 1_000_001, b"\xff\xfe"):
        plan.write_bytes(content)
        assert text(plan.parent.parent, planFilePath=str(plan)) == ""
