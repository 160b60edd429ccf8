"""The plan form: approved, approved with edits accepted, changed, or sent back."""

from __future__ import annotations

from pathlib import Path

import pytest

from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.plan_form import PlanForm
from tests.decisions import button, field, html, texts
from tests.person import handled
from tests.skipping_loop import run

PLAN = PermissionRequest(tool_name="ExitPlanMode", input={"plan": "## Steps\n1. Read **all**", "planFilePath": "/x.md"})


def decide(*clicks: str, request: PermissionRequest = PLAN, **typed: str) -> Decision:
    """Type into the fields, click, and give the decision."""

    async def decided() -> Decision:
        form = PlanForm(request)
        for label, value in typed.items():
            field(form, label).set_state({"value": value})

        for text in clicks:
            button(form, text).click()

        decision = await form.decision()
        form.close()
        return decision

    return run(decided())


def test_a_plan_is_shown_as_safe_markdown() -> None:
    """B68."""
    request = PermissionRequest(tool_name="ExitPlanMode", input={"plan": "## Steps\n1. **All** <script>x</script>"})
    shown = html(PlanForm(request))
    assert "<h2>Steps</h2>" in shown
    assert "<strong>All</strong>" in shown
    assert "<script>" not in shown


def test_approving_leaves_the_plan_and_the_mode_alone() -> None:
    assert decide("Approve plan") == Decision(allow=True)


def test_approving_with_edits_sets_the_mode() -> None:
    assert decide("Approve and accept edits") == Decision(allow=True, mode="acceptEdits")


def test_edits_are_not_offered_where_that_mode_may_not_be_chosen() -> None:
    assert "Approve and accept edits" in texts(PlanForm(PLAN))
    kept = texts(PlanForm(PLAN, offer_edits=False))
    assert "Approve plan" in kept
    assert "Approve and accept edits" not in kept


def test_an_edited_plan_is_approved_as_edited() -> None:
    decision = decide("Edit plan", "Approve plan", Plan="## Fewer steps")
    assert decision == Decision(allow=True, updated_input={"plan": "## Fewer steps", "planFilePath": "/x.md"})


def test_the_remarks_are_what_the_model_reads() -> None:
    """B30."""
    decision = decide("Keep planning", Remarks=" split step 2\n")
    assert (decision.allow, decision.interrupt, decision.mode) == (False, False, "")
    assert decision.message == decision.reason == "split step 2"


def test_without_remarks_the_model_is_still_told_to_go_on_planning() -> None:
    """B30."""
    decision = decide("Keep planning")
    assert "keep planning" in decision.message
    assert decision.reason == ""


@pytest.mark.parametrize("tool_input", [{}, {"plan": " \n"}, {"plan": 3}, {"planFilePath": "/etc/hosts"}])
def test_an_empty_plan_cannot_be_approved(tool_input: dict[str, object], tmp_path: Path) -> None:
    """B68."""
    request = PermissionRequest(tool_name="ExitPlanMode", input=tool_input, config_directory=str(tmp_path))
    form = PlanForm(request)
    assert texts(form) == ["Keep planning"]
    assert "No plan was supplied" in html(form)


def test_a_plan_that_was_emptied_is_refused_with_a_message() -> None:
    async def empty() -> None:
        form = PlanForm(PLAN)
        field(form, "Plan").set_state({"value": " "})
        button(form, "Approve plan").click()
        await handled()
        assert not form.done
        assert "The plan is empty" in html(form)
        form.close()

    run(empty())


def test_a_plan_from_its_file_is_approved_with_the_input_unchanged(tmp_path: Path) -> None:
    """B68."""
    file = tmp_path / "plans" / "brave-otter.md"
    file.parent.mkdir()
    file.write_text("# From the file")

    async def approve() -> Decision:
        tool_input = {"planFilePath": str(file)}
        form = PlanForm(PermissionRequest(tool_name="ExitPlanMode", input=tool_input, config_directory=str(tmp_path)))
        assert "From the file" in html(form)
        button(form, "Approve plan").click()
        return await form.decision()

    assert run(approve()) == Decision(allow=True)


def test_a_long_plan_can_be_folded_and_stands_whole() -> None:
    """B68."""
    plan = "## Steps\n" + "\n".join(f"{number}. step {number}" for number in range(1, 200))
    shown = html(PlanForm(PermissionRequest(tool_name="ExitPlanMode", input={"plan": plan})))
    assert "<details open><summary>Plan, 200 lines</summary>" in shown
    assert "step 199" in shown


def test_the_receipt_stands_in_the_form_once_it_is_settled() -> None:
    async def approve() -> None:
        form = PlanForm(PLAN)
        button(form, "Approve and accept edits").click()
        await form.decision()
        await handled()
        assert "Approved" in html(form)
        assert "mode acceptEdits" in html(form)
        form.close()

    run(approve())
