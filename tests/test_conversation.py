"""What is read from a request: the person's prompts, and how far the latest has come."""

from __future__ import annotations

from hypothesis import given, strategies as st

from askwidgets.conversation import CONTEXT_CLOSE, CONTEXT_OPEN, Conversation, ToolResult, parse_conversation

REMINDER = {"type": "text", "text": "<system-reminder>\nToday is a day.\n</system-reminder>\n"}


def _text(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def _user(*blocks: object) -> dict[str, object]:
    return {"role": "user", "content": list(blocks)}


def _assistant(text: str) -> dict[str, object]:
    return {"role": "assistant", "content": [_text(text)]}


def _result(tool_use_id: str, content: object, **more: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content, **more}


def _parsed(*messages: object) -> Conversation:
    return parse_conversation({"messages": list(messages)})


def test_what_the_cli_adds_is_no_prompt() -> None:
    system = {"role": "system", "content": "You are in a directory."}
    command = _text("<local-command-stdout>Set model</local-command-stdout>")

    assert _parsed(_user(REMINDER, command, _text("one")), system).prompts == ("one",)


def test_a_prompt_may_follow_a_reminder_in_the_same_text() -> None:
    assert _parsed(_user(_text("<system-reminder>x</system-reminder>\nplot it"))).prompts == ("plot it",)


def test_blocks_of_one_prompt_stay_together() -> None:
    image = {"type": "image", "source": {}}

    assert _parsed(_user(_text("the frame"), image, _text("plot it"))).prompts == ("the frame\nplot it",)


def test_what_askwidgets_sends_beside_a_prompt_is_none() -> None:
    context = _text(f"{CONTEXT_OPEN}\nx = 1\n{CONTEXT_CLOSE}")

    assert _parsed(_user(context, context, _text("plot it\n"), context, _text("more"))).prompts == ("plot it", "more")


def test_prompts_that_the_cli_merged_are_told_apart() -> None:
    assert _parsed(_user(REMINDER, _text("one\n"), _text("two\n"), _text("three"))).prompts == ("one", "two", "three")


def test_an_interrupt_parts_two_prompts() -> None:
    parsed = _parsed(_user(_text("one"), _text("[Request interrupted by user]\n"), _text("two")))

    assert parsed.prompts == ("one", "two")


def test_messages_of_the_model_are_counted_since_the_latest_prompt() -> None:
    parsed = _parsed(
        _user(_text("one")),
        _assistant("a"),
        _user(_text("two")),
        _assistant("b"),
        _assistant("the rest of b"),
        _user(_result("t1", "done")),
        _assistant("c"),
        _user(_result("t2", [_text("x"), _text("y")], is_error=True)),
    )

    assert parsed.prompts == ("one", "two")
    assert parsed.prompt == "two"
    assert parsed.replies == 2
    assert parsed.tool_results == (ToolResult(tool_use_id="t2", text="x\ny", is_error=True),)
    assert [result.text for result in parsed.all_tool_results] == ["done", "x\ny"]


def test_results_before_a_new_prompt_are_past() -> None:
    parsed = _parsed(_user(_text("one")), _assistant("a"), _user(_result("t1", "rejected"), _text("two")))

    assert (parsed.replies, parsed.tool_results) == (0, ())


def test_the_session_is_read_from_the_metadata() -> None:
    user = '{"device_id": "d", "account_uuid": "", "session_id": "s1"}'

    assert parse_conversation({"metadata": {"user_id": user}}).session_id == "s1"
    assert parse_conversation({"metadata": {"user_id": "plain"}}).session_id == "plain"
    assert parse_conversation({"metadata": None}).session_id == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(["user", "assistant"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["messages", "role", "content", "type", "text", "metadata", "user_id"]), inner, max_size=3
        )
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["messages", "metadata", "model"]), JSON))
def test_any_body_is_read(body: dict[str, object]) -> None:
    parsed = parse_conversation(body)

    assert parsed.replies >= 0
    assert all(prompt.strip() for prompt in parsed.prompts)
