"""What turns took is plotted side by side, and given as data."""

from __future__ import annotations

import pandas as pd

from askwidgets.turn import Turn
from askwidgets.usage import turn_usages, usage_bundle, usage_frame

TURNS = (
    Turn(prompt="First\n<b>", duration=2.0, usage={"input_tokens": 10, "output_tokens": 5}, cost_usd=0.25),
    Turn(prompt="Second " * 20, duration=1.0, usage={"cache_read_input_tokens": 85, "output_tokens": "?"}),
)


def test_bars_are_as_long_as_the_largest_of_their_kind_allows() -> None:
    html = str(usage_bundle(turn_usages(TURNS))["text/html"])
    assert html.count("<rect") == 6
    assert [html.count(f'<rect width="{width}"') for width in (120, 60, 21, 0)] == [3, 1, 1, 1]
    assert "First &lt;b&gt;" in html


def test_the_figures_stand_in_the_text_too() -> None:
    plain = str(usage_bundle(turn_usages(TURNS))["text/plain"])
    assert plain.splitlines()[0] == "1. First <b>: 2.0 s, 15 tokens, $0.2500"
    assert plain.splitlines()[1].endswith("…: 1.0 s, 85 tokens, $0.0000")


def test_the_data_is_a_frame_with_a_row_for_each_turn() -> None:
    frame = usage_frame(turn_usages(TURNS))
    assert isinstance(frame, pd.DataFrame)
    assert frame.index.tolist() == [1, 2]
    assert frame["input_tokens"].tolist() == [10, 85]
    assert frame["cost_usd"].sum() == 0.25


def test_without_turns_that_is_said() -> None:
    assert usage_bundle(())["text/plain"] == "No turns yet."
