"""Scripts of the model server: what parses, and what is said of what does not."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, strategies as st

from askwidgets.errors import ScriptError
from askwidgets.script import (
    Expect,
    Fail,
    Pace,
    Say,
    Script,
    Think,
    Together,
    Turn,
    Usage,
    Use,
    load_script,
    parse_script,
)

WHOLE = """\
- - think: "Which store?"
  - say: "Let me ask first."
  - ask: {questions: [{question: "Which store?", options: [{label: Redis}, {label: SQLite}]}]}
  - expect: "Your questions have been answered"
  - usage: {input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 9}
  - say: "So: {last_result}"
- when: "*plot*"
  steps:
  - pace: 0.01
  - together:
    - use: {tool: Bash, input: {command: ls, since: 2026-01-31}}
    - ask: {questions: []}
  - fail: {status: 529, message: "Busy.", times: 2}
- - fail: {status: 400}
"""


def test_every_step_becomes_its_value() -> None:
    question = {"question": "Which store?", "options": [{"label": "Redis"}, {"label": "SQLite"}]}
    first = (
        Think(text="Which store?"),
        Say(text="Let me ask first."),
        Use(tool="AskUserQuestion", input={"questions": [question]}),
        Expect(text="Your questions have been answered", line=4),
        Usage(input_tokens=5, output_tokens=7, cache_read_input_tokens=9),
        Say(text="So: {last_result}"),
    )
    second = (
        Pace(seconds=0.01),
        Together(
            uses=(
                Use(tool="Bash", input={"command": "ls", "since": "2026-01-31"}),
                Use(tool="AskUserQuestion", input={"questions": []}),
            )
        ),
        Fail(status=529, message="Busy.", times=2),
    )

    assert parse_script(WHOLE) == Script(
        turns=(
            Turn(steps=first, line=1),
            Turn(steps=second, line=7, when="*plot*"),
            Turn(steps=(Fail(status=400),), line=14),
        )
    )


def test_a_use_of_tools_ends_a_message() -> None:
    turn = parse_script(WHOLE).turns[0]

    assert turn.groups() == (turn.steps[:3], turn.steps[3:])


def test_text_may_look_like_a_number() -> None:
    assert parse_script("- - say: 3.10").turns[0].steps == (Say(text="3.10"),)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "is empty; wanted a list of turns"),
        ("say: hello", 1, "found a mapping; wanted a list of turns"),
        ("[]", 1, "found an empty list; wanted a list of turns"),
        ("- - say: a\n- hello", 2, "found 'hello'; wanted a list of steps"),
        ("- - say: a\n  - shout: b", 2, "unknown key 'shout'; wanted ask, expect, fail, pace, say,"),
        ("- - say: a\n    think: b", 1, "a step with 2 keys; wanted one of ask,"),
        ("- - {}", 1, "a step with 0 keys"),
        ("- - say:", 1, "found nothing; wanted text"),
        ("- - say: [a]", 1, "found a list; wanted text"),
        ("- - say: a\n    say: b", 2, "the key 'say' stands here twice"),
        ("- when: '*'", 1, "the key 'steps' is missing; wanted steps, when"),
        ("- - use: {input: {}}", 1, "the key 'tool' is missing; wanted tool, input"),
        ("- - use:\n      tool: Bash\n      input: [ls]", 3, "found a list; wanted a mapping"),
        ("- - ask: {questions: [!!set {a, b}]}", 1, "cannot be written as JSON"),
        ("- - ask: {questions: .nan}", 1, "cannot be written as JSON"),
        ("- - together:\n    - say: a", 2, "unknown key 'say'; wanted ask, use"),
        ("- - fail: {status: 200}", 1, "status is 200; wanted an HTTP status from 400 to 599"),
        ("- - fail: {status: 4.5}", 1, "found '4.5'; wanted a whole number"),
        ("- - pace: soon", 1, "found 'soon'; wanted a number from 0 up"),
        ("- - pace: -1", 1, "found '-1'; wanted a number from 0 up"),
        ("- - pace: true", 1, "found 'true'; wanted a number from 0 up"),
        ("- - usage: {tokens: 1}", 1, "unknown key 'tokens'; wanted input_tokens,"),
        ("- - say: [a\n  - b", 2, "is no YAML"),
        ("- - say: !python/object:os.system a\n  - use: !thing {tool: a, input: !thing {}}", 2, "is no YAML"),
        ("- &a [*a]", 1, "by its aliases"),
        ("- - use: {tool: a, input: &a {b: *a}}", 1, "is no YAML"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(ScriptError) as raised:
        parse_script(text, "tour.yaml")

    assert raised.value.line == line
    assert str(raised.value).startswith(f"tour.yaml, line {line}: ")
    assert words in str(raised.value)


def test_characters_that_yaml_forbids_are_an_error_of_ours() -> None:
    with pytest.raises(ScriptError, match="is no YAML"):
        parse_script("- - say: \x07")


def test_deep_nesting_is_an_error_of_ours() -> None:
    with pytest.raises(ScriptError, match="nested too deeply"):
        parse_script("- - ask: " + "[" * 5000)


def test_a_file_is_read_and_named(tmp_path: Path) -> None:
    path = tmp_path / "tour.yaml"
    path.write_text("- - say: Grüße", encoding="utf-8")

    script = load_script(path)

    assert script.source == str(path)
    assert script.turns[0].steps == (Say(text="Grüße"),)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"- - say: Gr\xfc\xdfe")

    for name in ("missing.yaml", "latin.yaml", "."):
        with pytest.raises(ScriptError, match="cannot be read"):
            load_script(tmp_path / name)


STEP_LIKE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["say", "ask", "use", "tool", "input", "fail", "status", "when", "steps", "pace"]),
            inner,
            max_size=2,
        )
    ),
    max_leaves=8,
)


@given(STEP_LIKE)
def test_any_yaml_parses_or_is_an_error_of_ours(value: object) -> None:
    try:
        script = parse_script(yaml.safe_dump(value))
    except ScriptError:
        return

    assert all(turn.steps for turn in script.turns)


@given(st.text(alphabet="-[]{}&*!|>'\":,\n say:ask#%@`", max_size=40))
def test_any_text_parses_or_is_an_error_of_ours(text: str) -> None:
    try:
        script = parse_script(text)
    except ScriptError:
        return

    assert script.turns
