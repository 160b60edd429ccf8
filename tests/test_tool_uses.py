"""Tool uses in the transcript: each a row where it belongs, from its start to its end."""

from __future__ import annotations

from askwidgets.transcript import Transcript
from tests.messages import IMAGE, PIXEL, ended, result, said, system, used
from tests.recorded_outputs import RecordedOutputs, drawn


def test_a_question_is_drawn_as_a_row_only_when_it_failed_and_nothing_stands_for_it() -> None:
    failed = [used("q", "AskUserQuestion", {}), result("q", "Answer questions?", is_error=True)]
    assert "AskUserQuestion" in drawn(failed).plain
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    transcript.cover("q")

    for message in failed:
        transcript.feed(message)

    transcript.finish()
    assert "AskUserQuestion" not in outputs.plain
    assert "ExitPlanMode" not in drawn([used("p", "ExitPlanMode", {}), result("p", "approved")]).plain


def test_a_plan_that_is_written_down_is_no_row_unless_that_failed() -> None:
    written = [
        system("init", permissionMode="plan"),
        used("w", "Write", {"file_path": "/c/plans/a.md", "content": "#"}),
    ]

    assert "Write" not in drawn([*written, result("w", "ok")]).plain
    assert "Write" in drawn([*written, result("w", "no room", is_error=True)]).plain


def test_a_plan_that_failed_without_being_asked_about_is_a_row_in_its_place() -> None:
    messages = [used("p", "ExitPlanMode", {}), result("p", "not in plan mode", is_error=True), said("Then not.")]
    plain = drawn(messages).plain

    assert plain.index("ExitPlanMode") < plain.index("Then not.")


def test_a_row_is_drawn_at_once_so_that_its_permission_form_comes_below() -> None:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    transcript.feed(used("b", "Bash", {"command": "rm x"}))
    assert "rm x" in outputs.html
    assert "ask-running" in outputs.html
    assert "rm x" not in outputs.plain


def test_rows_go_from_running_to_done_failed_or_denied_in_place() -> None:
    messages = [
        used("a", "Bash", {"command": "a"}),
        used("b", "Bash", {"command": "b"}),
        used("c", "Read", {"file_path": "c"}),
        result("a", "fine"),
        result("b", "exit 1", is_error=True),
        result("c", "no", is_error=True),
        ended(denials=[{"tool_name": "Read", "tool_use_id": "c", "tool_input": {}}]),
    ]
    outputs = drawn(messages)
    assert "Bash: a\n✗ Bash: b [failed]" in outputs.plain
    assert "Read: c [denied]" in outputs.plain


def test_what_has_no_result_in_the_end_was_stopped() -> None:
    outputs = drawn([used("a", "Bash", {"command": "sleep 100"})], note="Interrupted")
    assert "Bash: sleep 100 [stopped]" in outputs.plain
    assert outputs.plain.endswith("Interrupted · claude-test-1")


def test_rows_of_a_kind_share_an_output_and_others_do_not() -> None:
    uses = [("a", "Read"), ("b", "Read"), ("c", "Read"), ("d", "Bash"), ("e", "Read")]
    outputs = drawn([used(tool_use_id, name) for tool_use_id, name in uses])
    assert [str(bundle["text/html"]).count("<summary>") for bundle in outputs.bundles] == [0, 0, 4, 1, 1, 0]


def test_images_in_a_result_stand_as_outputs_of_their_own() -> None:
    outputs = drawn([used("r", "Read", {"file_path": "plot.png"}), result("r", [IMAGE])])
    assert {"image/png": PIXEL, "text/plain": "[image: Read: plot.png]"} in outputs.bundles


def test_the_list_of_things_to_do_is_updated_where_it_stands() -> None:
    todos = [{"content": "Read", "status": "in_progress", "activeForm": "Reading"}]
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in [used("t", "TodoWrite", {"todos": todos}), result("t", "ok"), said("Text.")]:
        transcript.feed(message)

    transcript.flush()
    assert '<span role="status">Reading</span>' in outputs.html
    done = [{**todos[0], "status": "completed"}]

    for message in [used("u", "TodoWrite", {"todos": done}), result("u", "ok")]:
        transcript.feed(message)

    transcript.finish()
    assert [line for line in outputs.plain.splitlines() if line] == ["- [x] Read", "Text.", "claude-test-1"]


def test_the_rows_of_a_subagent_stand_inside_its_own_and_its_text_does_not_show() -> None:
    messages = [
        used("agent", "Agent", {"description": "Look", "prompt": "go"}),
        used("b", "Bash", {"command": "ls"}, parent="agent"),
        said("I am a subagent.", parent="agent"),
        result("b", "out", parent="agent"),
        result("agent", [{"type": "text", "text": "Found **it**."}]),
        said("Thanks."),
    ]
    outputs = drawn(messages)
    assert "✓ Subagent: Look\n  ✓ Bash: ls" in outputs.plain
    assert "<strong>it</strong>" in outputs.html
    assert "I am a subagent" not in outputs.html


def test_a_subagent_in_the_background_is_done_when_it_says_so() -> None:
    launched = result("agent", "Async agent launched. agentId: 123")
    messages = [
        used("agent", "Agent", {"description": "Look"}),
        system("task_started", tool_use_id="agent", description="Look", is_backgrounded=True),
        launched,
        said("It works in the background."),
    ]
    assert "↻ Subagent: Look [background]" in drawn(messages).plain
    assert "agentId" not in drawn(messages).html
    notice = system("task_notification", tool_use_id="agent", status="completed", summary="Found it.")
    outputs = drawn([*messages, notice])
    assert "✓ Subagent: Look" in outputs.plain
    assert "Found it." in outputs.html


def test_what_an_earlier_subagent_does_is_told_as_such() -> None:
    outputs = drawn([used("b", "Bash", {"command": "ls"}, parent="from an earlier turn")])
    assert "Subagent [background]\n  ■ Bash: ls [stopped]" in outputs.plain
