"""Deltas of one text are joined, and nothing else changes or gets lost."""

from __future__ import annotations

from claude_agent_sdk.types import StreamEvent
from hypothesis import given, strategies as st

from askwidgets.text_deltas import joined_deltas
from tests.messages import event


def delta(text: str, index: int = 0, parent: str | None = None) -> StreamEvent:
    part = {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}

    return event(part, parent)


OTHER = [
    event({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
    event({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{"}}),
    event({"type": "content_block_delta", "index": 1, "delta": "odd"}),
    event({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta"}}),
    event({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
]


def test_deltas_of_a_text_that_follow_each_other_become_one() -> None:
    assert list(joined_deltas([delta("One "), delta("two"), delta(".")])) == [delta("One two.")]


def test_another_block_another_speaker_and_another_event_part_them() -> None:
    events = [delta("a"), delta("b", 1), delta("c", 1, "agent"), OTHER[0], delta("d", 1)]
    assert list(joined_deltas(events)) == events


@given(
    st.lists(
        st.sampled_from(OTHER) | st.builds(delta, st.text(max_size=3), st.integers(0, 1), st.none() | st.just("agent")),
        max_size=30,
    )
)
def test_whatever_comes_keeps_its_order_and_its_text(events: list[StreamEvent]) -> None:
    joined = list(joined_deltas(events))
    assert [other for other in joined if other in OTHER] == [other for other in events if other in OTHER]
    assert texts(joined) == texts([*events])


def texts(events: list[object]) -> str:
    """Write down whose text each character is."""
    deltas = [each for each in events if isinstance(each, StreamEvent) and each not in OTHER]
    parts = [(str(each.event["index"]) + str(each.parent_tool_use_id), each) for each in deltas]

    return "".join(f"{whose}{character}" for whose, each in parts for character in each.event["delta"]["text"])
