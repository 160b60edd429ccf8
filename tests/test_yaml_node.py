"""Files whose aliases stand for more than anybody could read, wherever YAML is read."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from askwidgets.answers_file import read_answers_file
from askwidgets.errors import AnswerError, AskWidgetsError, RecordingError, ScriptError
from askwidgets.recorded import load_recording
from askwidgets.script import load_script
from askwidgets.yaml_node import yaml_node

LAYERS = "abcdefghi"
LAUGHS = "\n".join(f"{layer}: &{layer} [{', '.join([f'*{below}'] * 10)}]" for below, layer in pairwise(LAYERS))
BOMB = f"a: &a [lol]\n{LAUGHS}"
MERGES = BOMB.replace("[lol]", "{x: 1}").replace("[*", "{<<: [*").replace("]\n", "]}\n") + "}"
LONG = f"a: &a {'x' * 100_000}\nb: &b [{', '.join(['*a'] * 1_000)}]"
ENDLESS = "a: &a [*a]"
DEEP = "[" * 5_000


@pytest.mark.parametrize("text", [BOMB, MERGES, LONG, ENDLESS, DEEP], ids=["bomb", "merges", "long", "endless", "deep"])
@pytest.mark.parametrize(
    ("read", "error", "wrapped"),
    [
        (read_answers_file, AnswerError, "{}"),
        (load_script, ScriptError, "{}"),
        (load_recording, RecordingError, "version: 1\nexchanges: []\n{}"),
    ],
)
def test_a_file_that_stands_for_too_much_is_refused_at_once(
    read: Callable[[Path], object], error: type[AskWidgetsError], wrapped: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "file.yaml").write_text(wrapped.format(text))

    with pytest.raises(error, match=r"by its aliases|too deeply|no YAML|recursion"):
        read(tmp_path / "file.yaml")


def test_aliases_in_moderation_are_read() -> None:
    node = yaml_node(yaml.SafeLoader("a: &a [x, y]\nb: *a"))

    assert isinstance(node, yaml.MappingNode)
    assert node.value[0][1] is node.value[1][1]
    assert yaml_node(yaml.BaseLoader("")) is None
