"""The file of a recording."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings, strategies as st

from askwidgets.errors import RecordingError
from askwidgets.fingerprint import Fingerprint
from askwidgets.recorded import Exchange, Recording, load_recording, save_recording
from askwidgets.reply import Reply, Text, Thinking, TokenCount, ToolUse

WORDS = st.text(max_size=30)
REPLIES = st.builds(
    Reply,
    blocks=st.lists(
        st.builds(Text, text=WORDS)
        | st.builds(Thinking, text=WORDS)
        | st.builds(
            ToolUse, tool=st.just("Bash"), input=st.dictionaries(WORDS, WORDS | st.integers() | st.lists(WORDS))
        ),
        max_size=3,
    ).map(tuple),
    usage=st.builds(TokenCount, input_tokens=st.integers(0, 9), output_tokens=st.none() | st.integers(0, 9)),
)
FINGERPRINTS = st.builds(
    Fingerprint,
    request=st.sampled_from(["00", "1e5", "017"]),
    before=st.just("a"),
    prompt=WORDS,
    step=st.integers(0, 9),
    results=st.lists(WORDS, max_size=2).map(tuple),
)


@settings(max_examples=settings().max_examples // 3)
@given(st.lists(st.builds(Exchange, request=FINGERPRINTS, reply=REPLIES), max_size=3))
def test_what_is_saved_is_loaded(exchanges: list[Exchange]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "r.yaml"
        recording = Recording(exchanges=tuple(exchanges), source=str(path))
        save_recording(recording, path)

        assert load_recording(path) == recording
        assert list(Path(folder).iterdir()) == [path]


def test_text_of_several_lines_stands_in_lines(tmp_path: Path) -> None:
    request = Fingerprint(request="1", before="2", prompt="plot it", step=0)
    reply = Reply(blocks=(Text(text="One.\nTwo: Grüße."), ToolUse(tool="Bash", input={"command": "ls"})))
    path = tmp_path / "r.yaml"
    save_recording(Recording(exchanges=(Exchange(request=request, reply=reply),)), path)

    assert path.read_text(encoding="utf-8").split("\n", 1)[1] == (
        "version: 1\nexchanges:\n- prompt: plot it\n  step: 0\n  request: '1'\n  before: '2'\n  reply:\n"
        "  - say: |-\n      One.\n      Two: Grüße.\n  - use:\n      tool: Bash\n      input:\n        command: ls\n"
        "  usage:\n    input_tokens: 10\n    output_tokens: null\n    cache_read_input_tokens: 0\n"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no recording of version 1"),
        ("version: 2\nexchanges: []", "is no recording of version 1"),
        ("version: 1\nexchanges: {}", "is no recording of version 1"),
        ("version: 1\nexchanges: [a]", "does not fit"),
        ("version: 1\nexchanges: [{prompt: a}]", "does not fit"),
        ("version: 1\nexchanges: [{prompt: a, step: 0, request: b, before: c, reply: [{}]}]", "does not fit"),
        ("version: 1\nexchanges: [{prompt: a, step: x, request: b, before: c, reply: []}]", "does not fit"),
        ("version: [", "line 1: is no YAML"),
    ],
)
def test_what_is_no_recording_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(RecordingError, match=words):
        load_recording(path)

    with pytest.raises(RecordingError, match="cannot be read"):
        load_recording(tmp_path / "missing.yaml")


def _exchange(request: str, before: str, said: str, **more: object) -> Exchange:
    fields: dict[str, object] = {"prompt": "plot it", "step": 0, **more}
    fingerprint = Fingerprint(request=request, before=before, **fields)  # type: ignore[arg-type] # as the test says
    return Exchange(request=fingerprint, reply=Reply(blocks=(Text(text=said),)))


def test_the_same_past_is_preferred_and_another_will_do() -> None:
    recording = Recording(exchanges=(_exchange("r", "x", "first"), _exchange("r", "y", "second")))

    found = [recording.find(_exchange("r", before, "").request) for before in ("x", "y", "z")]

    assert found == [recording.exchanges[0].reply, recording.exchanges[1].reply, recording.exchanges[0].reply]
    assert recording.find(_exchange("s", "x", "").request) is None


def test_a_notice_may_come_at_another_time() -> None:
    other = _exchange("r", "x", "other", prompt="hello", step=1)
    recording = Recording(exchanges=(_exchange("q", "x", "a"), other, _exchange("s", "x", "Done.", step=2)))

    assert recording.find(_exchange("t", "x", "", step=3).request) == recording.exchanges[2].reply
    assert recording.find(_exchange("t", "x", "", step=1, prompt="bye").request) == other.reply
    assert recording.find(_exchange("t", "x", "", step=3, results=("a",)).request) is None


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"prompt": "plot this"}, "Expected the prompt 'plot it'; what came was 'plot this'."),
        ({"step": 5, "results": ("a",)}, "Expected nothing after step 1; what came was the tool result 'a'."),
        (
            {"step": 1, "results": ("b",)},
            "In the turn 'plot it', expected the tool result 'a'; what came was the tool result 'b'.",
        ),
        ({"step": 1, "results": ("a",)}, "What came looks as expected (the tool result 'a'), but"),
    ],
)
def test_a_mismatch_says_what_was_expected(asked: dict[str, object], words: str) -> None:
    exchanges = (_exchange("r", "x", "first"), _exchange("s", "x", "second", step=1, results=("a",)))
    said = Recording(exchanges=exchanges, source="tour.yaml").mismatch(_exchange("t", "x", "", **asked).request)

    assert said.startswith(f"the recording tour.yaml has no answer here. {words}")
    assert said.endswith("\nRecord again with `%claude record tour.yaml`; with `--missing` behind it only what is new.")


def test_an_empty_recording_says_so() -> None:
    assert "Expected the prompt of no turn (it is empty)" in Recording().mismatch(_exchange("t", "x", "").request)
