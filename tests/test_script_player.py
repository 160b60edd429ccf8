"""Where a script stands follows from the conversation alone."""

from __future__ import annotations

from askwidgets.conversation import Conversation, ToolResult
from askwidgets.reply import Failure, Reply, Text, Thinking, TokenCount, ToolUse
from askwidgets.script import parse_script
from askwidgets.script_player import ScriptPlayer

SCRIPT = """
- - think: hm
  - say: "First."
  - use: {tool: Bash, input: {command: ls}}
  - expect: README
  - pace: 0.5
  - say: "Came: {last_result} {0} {x}"
  - usage: {input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7}
- when: "plot*[a]?"
  steps: [{say: A plot.}]
- - say: "Second."
"""


def _player(script: str = SCRIPT) -> ScriptPlayer:
    return ScriptPlayer(parse_script(script, "tour.yaml"))


def _at(*prompts: str, replies: int = 0, result: str | None = None, session_id: str = "s") -> Conversation:
    results = () if result is None else (ToolResult(tool_use_id="t", text=result),)
    blocks = [{"type": "tool_result", "tool_use_id": "t", "content": result}] if results else []
    return Conversation(
        prompts=prompts,
        replies=replies,
        tool_results=results,
        messages=({"role": "user", "content": blocks},),
        session_id=session_id,
    )


def test_a_message_ends_with_its_tool_use() -> None:
    reply = _player().respond(_at("go"))

    use = ToolUse(tool="Bash", input={"command": "ls"})
    assert reply == Reply(blocks=(Thinking(text="hm"), Text(text="First."), use))


def test_the_next_message_follows_the_result_and_may_repeat_it() -> None:
    reply = _player().respond(_at("go", replies=1, result="README.md {last_result}"))

    assert reply == Reply(
        blocks=(Text(text="Came: README.md {last_result} {0} {x}", pace=0.5),),
        usage=TokenCount(input_tokens=5, output_tokens=6, cache_read_input_tokens=7),
    )


def test_a_pattern_may_fit_again_and_again_and_takes_no_place_in_the_order() -> None:
    player = _player()

    for prompts in (("plot x[a]?",), ("go", "plot[a]?"), ("go", "plot[a]?", "plot that [a]?")):
        assert player.respond(_at(*prompts)) == Reply(blocks=(Text(text="A plot."),))

    assert player.respond(_at("plot[a]?", "go", "plot[a]?", "on")) == Reply(blocks=(Text(text="Second."),))
    # Only the star is special.
    assert player.respond(_at("go", "plot a!")) == Reply(blocks=(Text(text="Second."),))


def test_the_same_conversation_gets_the_same_again() -> None:
    player = _player()
    replies = [player.respond(_at("go", "on")), player.respond(_at("go")), player.respond(_at("go", "on"))]

    assert replies[0] == replies[2] != replies[1]


def test_what_was_not_expected_is_said_and_kept_once() -> None:
    player = _player()
    words = "tour.yaml, line 5: expected 'README' in the tool result; what came was 'LICENSE'."

    for _ in range(2):
        assert player.respond(_at("go", replies=1, result="LICENSE")) == Reply(blocks=(Text(text=words),))

    assert player.mismatches == (words,)


def test_no_result_at_all_is_said_too() -> None:
    player = _player()
    player.respond(_at("go", replies=1))

    assert player.mismatches == ("tour.yaml, line 5: expected 'README' in the tool result; no tool result came.",)


def test_a_turn_that_ends_with_a_tool_use_still_shows_something() -> None:
    player = _player("- [{use: {tool: Bash}}]")

    assert player.respond(_at("go", replies=1, result="")) == Reply(blocks=(Text(text="Done."),))
    assert player.respond(_at("go", replies=2, result="")) == Reply(blocks=(Text(text="Done."),))


def test_a_script_that_is_over_says_so_with_the_prompt() -> None:
    failure = _player().respond(_at("go", "on", "more" * 100))

    assert isinstance(failure, Failure)
    assert failure.status == 400
    assert failure.message.startswith("the script tour.yaml has no turn 3 for the prompt 'moremore")
    assert failure.message.endswith(
        "It has 2 that go in order; those for 'plot*[a]?'. Type such a prompt, or add a turn."
    )
    assert len(failure.message) < 400


def test_a_failure_stays_or_goes_as_the_script_says() -> None:
    player = _player("- [{fail: {status: 529, times: 2}}, {say: ok}]\n- [{fail: {status: 400, message: No.}}]")
    no, ok = Failure(status=529, message="The script says no."), Reply(blocks=(Text(text="ok"),))

    assert [player.respond(_at("go")) for _ in range(4)] == [no, no, ok, ok]
    assert player.respond(_at("go", session_id="other")) == no
    assert [player.respond(_at("go", "on")) for _ in range(3)] == [Failure(status=400, message="No.")] * 3


def test_a_plan_is_written_where_the_cli_wants_it() -> None:
    """B68."""
    player = _player('- - use: {tool: Write, input: {file_path: "{plan_file}", content: "1. Read"}}\n')
    told = {"role": "user", "content": "Write your plan to /home/a/.claude/plans/a-calm-pearl.md, nowhere else."}
    reply = player.respond(Conversation(prompts=("go",), replies=0, tool_results=(), messages=(told,)))

    written = {"file_path": "/home/a/.claude/plans/a-calm-pearl.md", "content": "1. Read"}
    assert reply == Reply(blocks=(ToolUse(tool="Write", input=written),))
