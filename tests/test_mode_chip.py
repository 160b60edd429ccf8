"""The cell shows in which permission mode the agent works, and warns where tools run without asking."""

from __future__ import annotations

import pytest

from askwidgets.mode_chip import mode_chip_html
from askwidgets.status_line import StatusLine
from askwidgets.transcript import Transcript
from tests.messages import ended, result, said, system, used
from tests.recorded_outputs import RecordedOutputs

WARNING = "Mode bypassPermissions: every tool runs without asking."


def shown(*messages: object) -> RecordedOutputs:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in messages:
        transcript.feed(message)
        transcript.flush()

    return outputs


def notices(outputs: RecordedOutputs) -> list[str]:
    return [str(bundle["text/plain"]) for bundle in outputs.bundles if "<small>" in str(bundle["text/html"])]


def test_the_mode_stands_beside_what_goes_on() -> None:
    outputs = RecordedOutputs()
    line = StatusLine(outputs, lambda: 0.0)
    line.activity = "Writing"
    line.draw()
    assert "mode" not in outputs.html.replace("ask-mode{", "")
    line.mode = "plan"
    line.draw()
    assert ">mode plan</span>" in outputs.html
    assert outputs.sent[-1]["text/plain"] == "Writing (mode plan)"


@pytest.mark.parametrize("subtype", ["init", "status"])
def test_it_follows_what_the_cli_tells_whoever_switched_it(subtype: str) -> None:
    outputs = shown(system("init", permissionMode="default"), system(subtype, permissionMode="acceptEdits"))
    assert ">mode acceptEdits</span>" in outputs.html
    assert ">mode default</span>" not in outputs.html


def test_it_follows_while_something_waits_for_the_person() -> None:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    transcript.feed(system("init", permissionMode="default"))
    transcript.status("Waiting for your answer")
    transcript.feed(system("status", status=None, permissionMode="plan"))
    transcript.flush()
    assert "Waiting for your answer (mode plan)" in [bundle.get("text/plain") for bundle in outputs.bundles]


def test_a_switch_leaves_the_activity_as_it_was() -> None:
    outputs = shown(
        system("init", permissionMode="default"),
        used("t1", "Bash", {"command": "ls"}),
        system("status", status=None, permissionMode="plan"),
    )
    assert "Running Bash (mode plan)" in [bundle.get("text/plain") for bundle in outputs.bundles]


def test_a_turn_that_asks_for_nothing_says_so_in_red_once_and_for_good() -> None:
    """B29."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in [
        system("init", permissionMode="bypassPermissions"),
        system("status", permissionMode="plan"),
        system("status", permissionMode="bypassPermissions"),
    ]:
        transcript.feed(message)

    transcript.finish()
    assert notices(outputs) == [WARNING]
    assert "background:#c62828" in outputs.html


def test_only_bypass_is_red() -> None:
    assert "#c62828" in mode_chip_html("bypassPermissions")
    assert "#c62828" not in mode_chip_html("acceptEdits")
    assert "<b>" not in mode_chip_html("<b>")
    assert mode_chip_html("") == ""


def test_entering_plan_mode_is_a_notice_and_no_tool_row() -> None:
    outputs = shown(used("t1", "EnterPlanMode"), result("t1", "Entered plan mode."), said("Let me look."), ended())
    assert notices(outputs) == ["Claude plans first: nothing is changed until you approve its plan."]
    assert "EnterPlanMode" not in outputs.html


def test_what_failed_to_enter_plan_mode_is_said_too() -> None:
    outputs = shown(used("t1", "EnterPlanMode"), result("t1", "No.", is_error=True))
    assert notices(outputs) == ["Claude wanted to plan first, and could not."]
