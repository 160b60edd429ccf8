"""The events of a reply, read back as a client reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given, strategies as st

from askwidgets.conversation import Conversation
from askwidgets.reply import Reply, Text, Thinking, TokenCount, ToolUse, reply_events, reply_message

HERE = Conversation(prompts=("one",), replies=0, tool_results=(), messages=(), session_id="s", model="m")


def _events(reply: Reply, conversation: Conversation = HERE) -> list[dict[str, Any]]:
    events = []
    for event, _ in reply_events(reply, conversation):
        name, data, end = event.split("\n", 2)
        assert end == "\n"
        parsed = json.loads(data.removeprefix("data: "))
        assert name == f"event: {parsed['type']}"
        events.append(parsed)

    return events


def _read(events: list[dict[str, Any]]) -> Mapping[str, object]:
    """Put a message together from its events."""
    message: dict[str, Any] = events[0]["message"]
    for event in events:
        if event["type"] == "content_block_start":
            message["content"].append(event["content_block"])
            partial = ""
        elif event["type"] == "content_block_delta":
            delta = {key: value for key, value in event["delta"].items() if key != "type"}
            for key, value in delta.items():
                if key == "partial_json":
                    partial += value
                    message["content"][-1]["input"] = partial
                else:
                    message["content"][-1][key] += value
        elif event["type"] == "content_block_stop" and message["content"][-1]["type"] == "tool_use":
            message["content"][-1]["input"] = json.loads(partial)
        elif event["type"] == "message_delta":
            message |= {**event["delta"], "usage": event["usage"]}

    return message


BLOCKS = st.lists(
    st.builds(Text, text=st.text(min_size=1))
    | st.builds(Thinking, text=st.text(min_size=1))
    | st.builds(
        ToolUse,
        tool=st.sampled_from(["Bash", "AskUserQuestion"]),
        input=st.dictionaries(st.text(max_size=3), st.text(max_size=30) | st.integers()),
    ),
    max_size=4,
)


@given(BLOCKS)
def test_the_events_carry_what_the_plain_message_says(blocks: list[Text | Thinking | ToolUse]) -> None:
    reply = Reply(blocks=tuple(blocks), usage=TokenCount(input_tokens=3, cache_read_input_tokens=4))

    assert _read(_events(reply)) == reply_message(reply, HERE)


def test_deltas_are_small() -> None:
    events = _events(Reply(blocks=(Text(text="A sentence of words, and averyveryveryveryverylongone. " * 5),)))
    texts = [event["delta"]["text"] for event in events if event["type"] == "content_block_delta"]

    assert len(texts) > 30
    assert max(map(len, texts)) <= 20


def test_the_model_waits_after_a_tool_use_only() -> None:
    assert Reply(blocks=(Text(text="a"), ToolUse(tool="Bash", input={}))).stop_reason == "tool_use"
    assert Reply(blocks=(Text(text="a"),)).stop_reason == "end_turn"


def _ids(conversation: Conversation) -> list[str]:
    use = ToolUse(tool="Bash", input={})
    message: dict[str, Any] = reply_message(Reply(blocks=(use, use)), conversation)
    return [message["id"], *(block["id"] for block in message["content"])]


def test_ids_are_the_same_for_a_retry_and_differ_everywhere_else() -> None:
    places = [
        Conversation(prompts=prompts, replies=replies, tool_results=(), messages=(), session_id=session)
        for prompts in (("one",), ("one", "one"))
        for replies in (0, 1)
        for session in ("s", "t")
    ]
    ids = [identifier for place in places for identifier in _ids(place)]

    assert len(set(ids)) == len(ids) == 24
    assert ids == [identifier for place in places for identifier in _ids(place)]
