"""The transcript draws the SDK's messages: in order, safe, in few bytes, and the same each time."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from claude_agent_sdk import AssistantMessage, TextBlock
from hypothesis import given, settings, strategies as st

from askwidgets.transcript import Transcript
from askwidgets.turn import Notice
from tests.messages import IMAGE, delta, ended, event, result, said, streamed, system, thought, used
from tests.recorded_outputs import RecordedOutputs, drawn

HOSTILE = "</div><img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3))![y](https://e.org/y.png)"
WORDS = "The quick brown fox jumps over the lazy dog and **runs** on. "
PROSE = "".join(WORDS * 6 + "\n\n" for _ in range(273))


def deltas_of(text: str, size: int = 4) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


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
        assert "".join(outputs.texts) == text


def test_a_delta_that_was_lost_is_made_good_by_the_whole_block() -> None:
    messages = [*streamed(["Hello ", "there"], whole=False), said("Hello you there")]
    assert drawn(messages).texts == ["Hello you there"]


def test_a_message_that_the_service_broke_off_is_taken_back() -> None:
    start = event({"type": "message_start"})
    broken = streamed(["Half of"], whole=False)
    assert drawn([start, *broken, start, *streamed(["All of it"])]).texts == ["All of it"]


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


def test_the_words_of_a_message_that_was_broken_off_go_at_once_and_what_comes_anew_stands_there() -> None:
    start = event({"type": "message_start"})
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in [start, *streamed(["Half of"], whole=False), start, used("c", "Bash", parent="of an earlier turn")]:
        transcript.feed(message)
        transcript.flush()

    assert "Half" not in outputs.html

    for message in streamed(["All of it"]):
        transcript.feed(message)

    transcript.finish()
    assert outputs.html.index("Subagent") > outputs.html.index("All of it")


def test_blocks_that_follow_each_other_are_parted_by_an_empty_line() -> None:
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)

    for message in [*streamed(["One."]), said("Two."), *streamed(["Thr", "ee."], whole=False)]:
        transcript.feed(message)

    assert transcript.text == "One.\n\nTwo.\n\nThree."
    transcript.finish()
    assert transcript.text == "One.\n\nTwo.\n\nThree."
    assert outputs.texts == ["One.\n\nTwo.\n\nThree."]


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


def test_thinking_is_folded() -> None:
    html = drawn([thought("Hmm, **well**."), said("Yes.")]).html
    assert "<details><summary>Thinking</summary><p>Hmm, <strong>well</strong>.</p>" in html
    assert "Thinking" not in drawn([thought(""), said("Yes.")]).html


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
    assert outputs.texts == ["Partial text."]
    assert "API Error" not in outputs.html


def test_what_a_command_of_the_cli_says_is_shown() -> None:
    said_by_cli = AssistantMessage(content=[TextBlock("## Context Usage")], model="<synthetic>")
    assert drawn([said_by_cli, ended()]).texts == ["## Context Usage"]
    assert drawn([ended(text="Only in the result.")]).texts == ["Only in the result."]


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
        delta(f"{WORDS * 30}\n\n"),
        thought("Hm."),
        event({"type": "content_block_start", "content_block": {"type": "tool_use", "name": "Bash"}}),
        delta("nested", parent="a"),
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
    assert outputs.bundles == drawn([message for message, _ in steps]).bundles


def test_importing_it_does_not_import_the_sdk_or_widgets() -> None:
    code = "import sys, askwidgets.transcript; print('claude_agent_sdk' in sys.modules, 'ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
