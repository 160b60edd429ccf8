"""What stays of a permission and of a plan, for people and for programs."""

from __future__ import annotations

import json

import pytest

from askwidgets.permission_receipt import decision_receipt, permission_receipt, plan_receipt
from askwidgets.permissions import Decision, PermissionRequest, Rule, Suggestion
from askwidgets.receipt import RECEIPT_TYPE
from tests.payloads import shown_text

BASH = PermissionRequest(tool_name="Bash", input={"command": "echo `date` **x**"})
PLAN = PermissionRequest(tool_name="ExitPlanMode", input={"plan": "## Steps"})
RULE = Suggestion(kind="rules", rules=(Rule(tool_name="Bash", content="echo *"),))


@pytest.mark.parametrize(
    ("decision", "heading"),
    [
        (Decision(allow=True), "Allowed, once"),
        (Decision(allow=True, for_session=True), "Allowed, for this session"),
        (Decision(allow=True, suggestions=(RULE,)), "Allowed, always"),
        (Decision(allow=True, updated_input={"command": "ls"}), "Allowed, once, with changes"),
        (Decision(allow=True, by="script"), "Allowed by script, once"),
        (Decision(allow=False, message="no", reason="no"), "Denied"),
        (Decision(allow=False, message="no", interrupt=True), "Denied, and stopped the turn"),
        (Decision(allow=False, by="interrupt"), "Interrupted, nothing was sent"),
    ],
)
def test_a_receipt_starts_with_what_was_decided(decision: Decision, heading: str) -> None:
    assert str(permission_receipt(BASH, decision).bundle()["text/plain"]).splitlines()[0] == heading


@pytest.mark.parametrize(
    ("decision", "heading"),
    [
        (Decision(allow=True), "Approved"),
        (Decision(allow=True, mode="acceptEdits"), "Approved, mode acceptEdits"),
        (Decision(allow=True, updated_input={"plan": "x"}), "Approved, with changes"),
        (Decision(allow=False, message="no"), "Kept planning"),
        (Decision(allow=False, by="interrupt"), "Interrupted"),
    ],
)
def test_the_receipt_of_a_plan_starts_with_what_became_of_it(decision: Decision, heading: str) -> None:
    assert decision_receipt(PLAN, decision) == plan_receipt(PLAN, decision)
    assert str(plan_receipt(PLAN, decision).bundle()["text/plain"]).splitlines()[0] == heading


def test_each_thing_is_said_once() -> None:
    allowed = permission_receipt(BASH, Decision(allow=True)).bundle()
    assert allowed["text/plain"] == "Allowed, once\n\nBash: `` echo `date` **x** ``"
    assert "wants to" not in str(allowed["text/html"])
    approved = plan_receipt(PLAN, Decision(allow=True)).bundle()
    assert approved["text/plain"] == "Approved\n\nPlan:\n## Steps"
    assert str(approved["text/html"]).count("Plan") == 1
    nothing = PermissionRequest(tool_name="ExitPlanMode", input={})
    assert plan_receipt(nothing, Decision(allow=False)).bundle()["text/plain"] == "Kept planning"


def test_a_command_is_quoted_so_that_nothing_in_it_reads_as_markdown() -> None:
    html = str(permission_receipt(BASH, Decision(allow=True)).bundle()["text/html"])
    assert "<code>echo `date` **x**</code>" in html
    assert "<strong>x</strong>" not in html


def test_a_file_is_told_from_the_working_directory() -> None:
    request = PermissionRequest(tool_name="Edit", input={"file_path": "/tmp/x/a.py"}, cwd="/tmp/x")  # noqa: S108
    assert "/tmp/x" not in str(permission_receipt(request, Decision(allow=True)).bundle()["text/plain"])  # noqa: S108


def test_a_command_of_several_lines_stands_folded_and_whole() -> None:
    request = PermissionRequest(tool_name="Bash", input={"command": "cat <<~~~~\n**a**\n~~~~\nls"})
    bundle = permission_receipt(request, Decision(allow=True)).bundle()
    assert "<details>" in str(bundle["text/html"])
    assert "**a**\n~~~~\nls" in shown_text(str(bundle["text/html"]))


def test_code_for_the_kernel_stands_whole_under_the_name_that_its_row_has() -> None:
    request = PermissionRequest(tool_name="mcp__kernel__run_python", input={"code": "x = 1\nx"})
    bundle = permission_receipt(request, Decision(allow=True)).bundle()
    assert str(bundle["text/plain"]).splitlines()[2] == "Run Python: `x = 1` …"
    assert "x = 1\nx" in shown_text(str(bundle["text/html"]))


def test_reason_rules_and_changes_are_in_the_receipt() -> None:
    denied = permission_receipt(BASH, Decision(allow=False, message="m", reason="use <ls>")).bundle()
    assert "use &lt;ls&gt;" in str(denied["text/html"])
    allowed = permission_receipt(
        BASH, Decision(allow=True, suggestions=(RULE,), updated_input={"command": "echo 1"})
    ).bundle()
    assert "echo 1" in str(allowed["text/plain"])
    assert "Always allow Bash(echo *), until this session ends" in str(allowed["text/plain"])


def test_programs_read_what_was_asked_and_what_was_decided() -> None:
    decision = Decision(allow=True, suggestions=(RULE,), updated_input={"command": "echo 1"}, mode="plan")
    assert permission_receipt(BASH, decision).bundle()[RECEIPT_TYPE] == {
        "version": 1,
        "kind": "permission",
        "status": "Allowed",
        "by": "person",
        "title": "Claude wants to run a command",
        "tool_name": "Bash",
        "input": {"command": "echo `date` **x**"},
        "updated_input": {"command": "echo 1"},
        "rules": ["Always allow Bash(echo *), until this session ends"],
        "mode": "plan",
    }
    plan = plan_receipt(PLAN, Decision(allow=False, message="no", reason="no")).bundle()[RECEIPT_TYPE]
    assert plan == {
        "version": 1,
        "kind": "plan",
        "status": "Kept planning",
        "by": "person",
        "tool_name": "ExitPlanMode",
        "input": {"plan": "## Steps"},
        "reason": "no",
    }
    assert json.loads(json.dumps(plan)) == plan
