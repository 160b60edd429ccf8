"""The file of answers: text stays text, and errors name the line."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from askwidgets.answers import Answers
from askwidgets.answers_file import read_answers_file
from askwidgets.errors import AnswerError

YAML = """\
# for CI
"Keep it?": Yes
"Which Python?": 3.10

"Which day?": 2026-01-01
"Chart title?": {other: "Sales, 2026", notes: null}
"Which columns?":
  - price
  - on
"""


def test_labels_in_yaml_stay_the_text_that_they_are(tmp_path: Path) -> None:
    file = tmp_path / "answers.yaml"
    file.write_text(YAML)
    entries, lines = read_answers_file(file)

    assert entries == {
        "Keep it?": "Yes",
        "Which Python?": "3.10",
        "Which day?": "2026-01-01",
        "Chart title?": {"other": "Sales, 2026", "notes": "null"},
        "Which columns?": ["price", "on"],
    }
    assert lines == {"Keep it?": 2, "Which Python?": 3, "Which day?": 5, "Chart title?": 6, "Which columns?": 7}


def test_json_is_read_with_its_numbers_as_written(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_text('{\n\t"Which Python?": 3.10,\n\t"Größe?": {"skip": true}\n}')

    assert read_answers_file(file) == (
        {"Which Python?": "3.10", "Größe?": {"skip": True}},
        {"Which Python?": 2, "Größe?": 3},
    )


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.yaml", "a: b\nc: [d\n", "a.yaml, line 3: "),
        ("a.yaml", "a: b\na: c\n", "a.yaml, line 2: 'a' stands here a second time"),
        ("a.yaml", "a: b\n[c]: d\n", "a.yaml, line 2: .* is no question's text"),
        ("a.yaml", "- a\n- b\n", "wanted a mapping from questions to answers"),
        ("a.yaml", "", "wanted a mapping"),
        ("a.yaml", "a: &x [*x]\n", "a.yaml, line 1: .* by its aliases"),
        ("a.yaml", "a: \x07\n", "a.yaml: "),
        ("a.json", '{"a": "b",\n"c"}', "a.json, line 2: "),
        ("a.json", "[]", "wanted a mapping"),
        ("a.json", "[" * 99_999, "a.json: nested too deeply"),
    ],
)
def test_what_does_not_parse_is_told_with_file_and_line(tmp_path: Path, name: str, text: str, problem: str) -> None:
    file = tmp_path / name
    file.write_text(text)

    with pytest.raises(AnswerError, match=problem):
        read_answers_file(file)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe4\n")

    with pytest.raises(AnswerError, match=r"none\.yaml: no such file"):
        read_answers_file(tmp_path / "none.yaml")

    with pytest.raises(AnswerError, match="cannot be read"):
        read_answers_file(tmp_path)

    with pytest.raises(AnswerError, match=r"latin\.yaml: cannot be read"):
        read_answers_file(tmp_path / "latin.yaml")


NESTED = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["first", "approve"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4) | st.sampled_from(["other", "notes", "answer", "decline", "skip"]), inner)
    ),
    max_leaves=6,
)
TOP = st.text(max_size=6) | st.sampled_from(["*", "allow", "deny", "plan", "Which*"])


@given(st.dictionaries(TOP, NESTED, max_size=4).map(json.dumps) | st.text(max_size=60))
def test_any_file_gives_answers_or_an_error_of_ours(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("any.yaml", "any.json"):
            file = Path(folder, name)
            file.write_bytes(text.encode(errors="surrogatepass"))

            with suppress(AnswerError):
                assert isinstance(Answers.from_file(file).unused, tuple)
