"""The transcript draws the SDK's messages: in order, safe, in few bytes, and the same each time."""

from __future__ import annotations

import asyncio
import base64
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from claude_agent_sdk import AssistantMessage, TextBlock
from hypothesis import given, settings, strategies as st

from askwidgets.errors import SessionError, TurnError
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Answer, Outcome, QuestionRequest
from askwidgets.transcript import Transcript
from askwidgets.turn import Notice
from tests.agent import QUESTION, scripted_model, scripted_session
from tests.messages import ended, event, result, said, streamed, system, thought, used
from tests.recorded_outputs import RecordedOutputs

HOSTILE = "</div><img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3))![y](https://e.org/y.png)"
WORDS = "The quick brown fox jumps over the lazy dog and **runs** on. "
PROSE = "".join(WORDS * 6 + "\n\n" for _ in range(273))
PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 40).decode()
IMAGE: dict[str, object] = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": PIXEL},
}


def drawn(messages: Sequence[object], *, note: str = "", show_costs: bool = False) -> RecordedOutputs:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs, show_costs=show_costs)

    for message in messages:
        transcript.feed(message)

    transcript.finish(note)

    return outputs


def deltas_of(text: str, size: int = 4) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def texts(outputs: RecordedOutputs) -> list[str]:
    return [
        str(bundle["text/plain"]) for bundle in outputs.bundles if '<div class="ask-text">' in str(bundle["text/html"])
    ]


def test_the_first_paint_comes_before_the_first_message() -> None:
    """B47."""
    outputs = RecordedOutputs()
    Transcript(outputs).status("Starting")
    assert '<span role="status"><b>Starting</b></span>' in outputs.html
    assert str(outputs.bundles[0]["text/html"]).startswith("<style>")


def test_text_grows_in_place_as_it_arrives() -> None:
    """B47."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    seen = []

    for message in streamed(["One ", "two ", "**three**"], whole=False):
        transcript.feed(message)
        transcript.flush()
        seen.append(str(outputs.bundles[-1]["text/html"]))

    assert ["One" in html for html in seen] == [False, True, True, True]
    assert "<strong>three</strong>" in seen[-1]
    assert len(outputs.outputs) == 3


@given(st.lists(st.text(st.sampled_from("ab *_`#-\n|$<&é日"), min_size=1, max_size=2_500), min_size=1, max_size=12))
@settings(max_examples=settings().max_examples // 3)
def test_the_final_text_is_what_arrived_however_it_was_cut(deltas: list[str]) -> None:
    """B47, B46."""
    text = "".join(deltas)
    outputs = drawn(streamed(deltas))
    whole = drawn([said(text)])
    assert outputs.bundles == whole.bundles

    if text.strip():
        assert "".join(texts(outputs)) == text


def test_a_delta_that_was_lost_is_made_good_by_the_whole_block() -> None:
    messages = [*streamed(["Hello ", "there"], whole=False), said("Hello you there")]
    assert texts(drawn(messages)) == ["Hello you there"]


def test_a_message_that_the_service_broke_off_is_taken_back() -> None:
    start = event({"type": "message_start"})
    broken = streamed(["Half of"], whole=False)
    assert texts(drawn([start, *broken, start, *streamed(["All of it"])])) == ["All of it"]


def test_a_long_message_that_was_broken_off_leaves_nothing_behind() -> None:
    start = event({"type": "message_start"})
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in [start, *streamed([PROSE[:9_000]], whole=False)]:
        transcript.feed(message)

    transcript.flush()

    for message in [start, *streamed(["Short."])]:
        transcript.feed(message)

    transcript.finish()
    assert transcript.text == "Short."
    assert "fox" not in outputs.html + outputs.plain


def test_blocks_that_follow_each_other_are_parted_by_an_empty_line() -> None:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in [*streamed(["One."]), said("Two."), *streamed(["Thr", "ee."], whole=False)]:
        transcript.feed(message)

    assert transcript.text == "One.\n\nTwo.\n\nThree."
    transcript.finish()
    assert transcript.text == "One.\n\nTwo.\n\nThree."
    assert texts(outputs) == ["One.\n\nTwo.\n\nThree."]


def test_a_hundred_thousand_characters_cost_at_most_four_times_their_bytes() -> None:
    """B47."""

    async def feed() -> tuple[int, RecordedOutputs]:
        outputs = RecordedOutputs()
        transcript = Transcript(outputs)

        for number, message in enumerate(streamed(deltas_of(PROSE))):
            transcript.feed(message)

            if number % 10 == 0:
                await asyncio.sleep(0)

        transcript.finish()

        return outputs.sent_bytes, outputs

    sent, outputs = asyncio.run(feed())
    assert len(PROSE) > 100_000
    assert sent < 4 * len(PROSE)
    saved = sum(len(str(data)) for bundle in outputs.bundles for data in bundle.values())
    assert saved < 2.5 * len(PROSE)


def test_feeding_without_drawing_sends_nothing_for_each_delta() -> None:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in streamed(deltas_of(PROSE), whole=False):
        transcript.feed(message)

    assert outputs.sent == []


def test_a_form_stands_between_the_text_before_it_and_the_text_after_it() -> None:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in [*streamed(["Before."]), used("q", "AskUserQuestion", {"questions": []})]:
        transcript.feed(message)

    form = outputs.show({"text/plain": "the form"})

    for message in [result("q", "Your questions have been answered"), *streamed(["After."])]:
        transcript.feed(message)

    form.update({"text/plain": "the receipt"})
    transcript.finish()
    lines = [line for line in outputs.plain.splitlines() if line]
    assert lines == ["Before.", "the receipt", "After.", "claude-test-1"]


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


def test_thinking_is_folded() -> None:
    html = drawn([thought("Hmm, **well**."), said("Yes.")]).html
    assert "<details><summary>Thinking</summary><p>Hmm, <strong>well</strong>.</p>" in html
    assert "Thinking" not in drawn([thought(""), said("Yes.")]).html


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


def test_a_retry_is_told_while_it_lasts_and_leaves_nothing() -> None:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    transcript.feed(system("api_retry", attempt=2, max_retries=10, error_status=529, error="overloaded"))
    transcript.flush()
    assert "Retrying, attempt 2 of 10: overloaded, HTTP 529" in outputs.html
    transcript.finish()
    assert "Retrying" not in outputs.html + outputs.plain


def test_the_words_of_a_service_that_fails_are_not_the_agents() -> None:
    error = AssistantMessage(content=[TextBlock("API Error: 400")], model="<synthetic>", error="unknown")
    outputs = drawn([*streamed(["Partial text."]), error, ended(is_error=True, text="API Error: 400")])
    assert texts(outputs) == ["Partial text."]
    assert "API Error" not in outputs.html


def test_what_a_command_of_the_cli_says_is_shown() -> None:
    said_by_cli = AssistantMessage(content=[TextBlock("## Context Usage")], model="<synthetic>")
    assert texts(drawn([said_by_cli, ended()])) == ["## Context Usage"]
    assert texts(drawn([ended(text="Only in the result.")])) == ["Only in the result."]


def test_what_differs_from_run_to_run_is_in_no_text() -> None:
    """B46."""
    messages = [system("init", cwd="/somewhere/1", session_id="0b5d-session-id"), *streamed(["Hi."])]
    messages += [used("t", "Read", {"file_path": "/somewhere/1/a.py"}), result("t", "text"), ended()]
    plain = drawn(messages)
    told = drawn(messages, show_costs=True)

    for volatile in ("4.3 s", "1,210 tokens", "0.0123", "0b5d-session-id"):
        assert volatile not in plain.html + plain.plain
        assert volatile in told.html
        assert volatile not in told.plain

    assert "/somewhere/1" not in plain.html + plain.plain


def test_a_subscription_has_no_costs() -> None:
    messages = [system("init", apiKeySource="none"), said("Hi."), ended()]
    assert "$" not in drawn(messages, show_costs=True).html


def test_finishing_twice_and_flushing_after_it_change_nothing() -> None:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    transcript.feed(said("Hi."))
    transcript.finish("Interrupted")
    bundles = outputs.bundles
    transcript.finish()
    transcript.status("Starting")
    transcript.flush()
    assert outputs.bundles == bundles


@pytest.mark.parametrize(
    "message",
    [
        said(HOSTILE),
        thought(HOSTILE),
        used("t", "Bash", {"command": HOSTILE, "description": HOSTILE}),
        used("t", HOSTILE, {HOSTILE: {HOSTILE: [HOSTILE]}}),
        used("t", "mcp__" + HOSTILE, {}),
        system("api_retry", attempt=HOSTILE, error=HOSTILE),
        object(),
    ],
)
def test_nothing_that_comes_from_outside_becomes_markup(message: object) -> None:
    """B48."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs, session=HOSTILE)
    transcript.status(HOSTILE)
    transcript.status("")

    for one in (message, result("t", HOSTILE, is_error=True)):
        transcript.feed(one)
        transcript.flush()

    transcript.finish(HOSTILE)
    sent = "".join(str(bundle["text/html"]) for bundle in outputs.sent)

    for harmful in ("<img", "<script", 'href="javascript', "src="):
        assert harmful not in sent.replace("src=x onerror", "")


STEPS = st.sampled_from(
    [
        *streamed(["Some ", "text."]),
        said("Whole."),
        said(f"{WORDS * 30}\n\n"),
        event({"type": "content_block_delta", "delta": {"type": "text_delta", "text": f"{WORDS * 30}\n\n"}}),
        thought("Hm."),
        event({"type": "content_block_start", "content_block": {"type": "tool_use", "name": "Bash"}}),
        event({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "nested"}}, parent="a"),
        event({}),
        event({"type": "content_block_delta"}),
        event({"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": "{"}}),
        event({"type": "content_block_start"}),
        event({"type": "message_start"}),
        event({"type": "new in another version", "delta": 1}),
        object(),
        Notice("Told."),
        system("init", permissionMode="plan", cwd=1, session_id=None),
        system("new in another version", permissionMode=["plan"]),
        system("task_progress", tool_use_id="a", description="d", is_backgrounded=True),
        used("a", "Agent", {"description": "d"}),
        used("b", "Bash", {"command": "ls"}),
        used("c", "Bash", {"command": "ls"}, parent="a"),
        used("q", "AskUserQuestion"),
        used("t", "TodoWrite", {"todos": [{"content": "x", "status": "pending"}]}),
        result("a", "done"),
        result("b", None, is_error=True),
        result("b", [IMAGE]),
        result("c", "out", parent="a"),
        result("q", "declined", is_error=True),
        result("t", "ok"),
        result("unknown", "out"),
        system("status", status="compacting"),
        system("compact_boundary"),
        system("task_notification", tool_use_id="a", status="completed", summary="s"),
        ended(),
    ]
)


@given(st.lists(st.tuples(STEPS, st.booleans()), max_size=25))
def test_what_stays_depends_on_the_messages_alone(steps: list[tuple[object, bool]]) -> None:
    """B46."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message, is_drawn in steps:
        transcript.feed(message)

        if is_drawn:
            transcript.flush()

    transcript.finish()
    # A text that was drawn before its message started over leaves an empty output: none can be taken away.
    seen = [bundle for bundle in outputs.bundles if any(bundle.values())]
    assert seen == [bundle for bundle in drawn([message for message, _ in steps]).bundles if any(bundle.values())]


def test_importing_it_does_not_import_the_sdk_or_widgets() -> None:
    code = "import sys, askwidgets.transcript; print('claude_agent_sdk' in sys.modules, 'ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


SCRIPT = f"""
- - say: "Let **me** look.\\n\\n| a | b |\\n| - | - |\\n| 1 | 2 |"
  - use: {{tool: Bash, input: {{command: "printf '\\\\033[31mred\\\\033[0m'", description: Print}}}}
  - say: "```python\\nx = 1\\n```"
  - ask: {QUESTION}
  - say: Done.
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def answer(request: QuestionRequest) -> Outcome:
    return Outcome(kind="answered", answers={request.questions[0].text: Answer(labels=("SQLite",))})


async def allow(_request: PermissionRequest) -> Decision:
    return Decision(allow=True)


async def play(script: str, home: Path) -> tuple[RecordedOutputs, Exception | None]:
    """Run one turn of the real CLI and draw it."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    transcript.status("Starting")
    problem = None

    with scripted_model(script) as server:
        async with scripted_session(server, home) as session:
            try:
                turn = await session.prompt("Go", ask=answer, permit=allow, on_message=transcript.feed)
            except SessionError as error:
                problem = error
            else:
                assert turn.text == transcript.text

    transcript.finish()

    return outputs, problem


@pytest.mark.agent
@pytest.mark.anyio
async def test_a_turn_of_the_real_cli_is_drawn_the_same_each_time(tmp_path_factory: pytest.TempPathFactory) -> None:
    """B46."""
    first, problem = await play(SCRIPT, tmp_path_factory.mktemp("first"))
    second, _ = await play(SCRIPT, tmp_path_factory.mktemp("second"))
    assert problem is None
    assert first.bundles == second.bundles
    assert "Bash: printf" in first.plain
    assert ">red</span>" in first.html
    assert "<th>a</th>" in first.html
    assert "<data>1</data>" in first.html
    assert "AskUserQuestion" not in first.html


@pytest.mark.agent
@pytest.mark.anyio
async def test_a_service_that_recovers_is_told_of_only_meanwhile(tmp_path: Path) -> None:
    outputs, problem = await play("- - fail: {status: 529, times: 1}\n  - say: Here again.", tmp_path)
    assert problem is None
    assert any("Retrying, attempt 1 of 10: overloaded, HTTP 529" in str(bundle) for bundle in outputs.sent)
    assert texts(outputs) == ["Here again."]
    assert "Retrying" not in outputs.plain + outputs.html


@pytest.mark.agent
@pytest.mark.anyio
async def test_the_text_before_a_refusal_is_kept(tmp_path: Path) -> None:
    script = "- - say: First.\n  - use: {tool: Bash, input: {command: ls}}\n  - fail: {status: 400, message: bad}"
    outputs, problem = await play(script, tmp_path)
    assert isinstance(problem, TurnError)
    assert texts(outputs) == ["First."]
    assert "bad" not in outputs.plain
