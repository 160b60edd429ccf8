"""Deltas that continue a text are joined, and nothing else changes or gets lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from claude_agent_sdk.types import StreamEvent
from hypothesis import given, strategies as st

from askwidgets.inbox import Inbox
from tests.messages import delta, event

OTHER = [
    event({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
    event({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{"}}),
    event({"type": "content_block_delta", "index": 1, "delta": "odd"}),
    event({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta"}}),
    event({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
]


def passed(messages: Sequence[object]) -> list[object]:
    """Put messages in, and take them out together."""
    inbox = Inbox()

    for message in messages:
        inbox.put(message)

    return inbox.take()


def test_deltas_that_continue_another_one_become_one() -> None:
    assert passed([delta("One "), delta("two"), delta(", "), delta("three.")]) == [delta("One "), delta("two, three.")]


def test_a_text_goes_on_after_some_of_it_was_taken_and_changed() -> None:
    inbox = Inbox()
    inbox.put(delta("One ", 1, "agent"))
    taken = inbox.take()
    assert taken == [delta("One ", 1, "agent")]
    cast("StreamEvent", taken[0]).event.clear()
    inbox.put(delta("two", 1, "agent"))
    inbox.put(replace(delta(".", 1, "agent"), uuid="last"))
    assert inbox.take() == [replace(delta("two.", 1, "agent"), uuid="last")]
    assert inbox.take() == []


def test_another_block_another_speaker_and_another_event_part_them() -> None:
    events = [delta("a"), delta("b", 1), delta("c", 1, "agent"), OTHER[0], delta("d", 1)]
    assert passed(events) == events


@given(
    st.lists(
        st.sampled_from(OTHER) | st.builds(delta, st.text(max_size=3), st.integers(0, 1), st.none() | st.just("agent")),
        max_size=30,
    ),
    st.lists(st.booleans(), min_size=30, max_size=30),
)
def test_whatever_comes_keeps_its_order_and_its_text(events: list[StreamEvent], taken: list[bool]) -> None:
    inbox = Inbox()
    joined: list[object] = []

    for each, is_taken in zip(events, taken, strict=False):
        inbox.put(each)
        joined += inbox.take() if is_taken else []

    joined += inbox.take()
    assert [other for other in joined if other in OTHER] == [other for other in events if other in OTHER]
    assert texts(joined) == texts([*events])


def texts(events: list[object]) -> str:
    """Write down whose text each character is."""
    deltas = [each for each in events if isinstance(each, StreamEvent) and each not in OTHER]
    parts = [(str(each.event["index"]) + str(each.parent_tool_use_id), each) for each in deltas]

    return "".join(f"{whose}{character}" for whose, each in parts for character in each.event["delta"]["text"])
