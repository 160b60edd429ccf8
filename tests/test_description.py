"""Values of every kind, told to the model."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from askwidgets.background import UnfinishedTurn
from askwidgets.description import cut, describe, summarize

# By default its unit is that of the installed pandas.
DAYS = pd.date_range("2026-01-01", periods=3).astype("datetime64[us]")
SALES = pd.DataFrame({"price": [1.5, None, 3.0], "region": ["north", "south", "north"], "day": DAYS})


class Awkward:
    """An object that raises whatever it is asked."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


def area(width: float, *, height: float = 1.0) -> float:
    """Multiply."""
    return width * height


def test_a_frame_is_told_by_shape_types_missing_values_ranges_and_rows() -> None:
    assert describe(SALES).text == textwrap.dedent(
        """\
        pandas DataFrame, 3 rows x 3 columns
        - price: Float64, 1 missing, 1.5 to 3.0
        - region: String, 2 different: north, south
        - day: Datetime(time_unit='us', time_zone=None), 2026-01-01 00:00:00 to 2026-01-03 00:00:00
        All rows:
        price,region,day
        1.5,north,2026-01-01 00:00:00
        nan,south,2026-01-02 00:00:00
        3.0,north,2026-01-03 00:00:00"""
    )


@pytest.mark.parametrize(
    ("value", "begins"),
    [
        (pl.DataFrame({"a": [1, None]}), "polars DataFrame, 2 rows x 1 columns\n- a: Int64, 1 missing, 1 to 1"),
        (pa.table({"a": [1, 2]}), "pyarrow Table, 2 rows x 1 columns\n- a: Int64, 1 to 2"),
        (pl.Series("a", [1, 2]), "polars Series, 2 rows x 1 columns\n- a: Int64, 1 to 2"),
        (SALES["price"], "pandas Series, 3 rows x 1 columns\n- price: Float64, 1 missing"),
        (SALES.set_index("region"), "pandas DataFrame, 3 rows x 2 columns; Index region starting with 'north'"),
        (pd.DataFrame({"a": []}), "pandas DataFrame, 0 rows x 1 columns"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "pandas DataFrame\n   a  a"),
        (pd.DataFrame({"a": [[1], [2]]}), "pandas DataFrame, 2 rows x 1 columns\n- a: "),
        (pd.DataFrame(np.zeros((2, 100))), "pandas DataFrame"),
        (np.array([1.0, np.nan, 3.0]), "numpy array of shape (3,), float64; 1 not finite; from 1.0 to 3.0, mean 2"),
        (np.array(["a"]), "numpy array of shape (1,), <U1"),
        (np.array([]), "numpy array of shape (0,), float64"),
        (area, "def area(width: float"),
        (Awkward, "class Awkward:"),
        (pd, "module pandas 3" if pd.__version__.startswith("3") else "module pandas"),
        ({"a": 1}, "dict, 1 items\n{'a': 1}"),
        ("text\n", "text\n"),
        (None, "NoneType\nNone"),
    ],
)
def test_each_kind_of_value_has_its_description(value: object, begins: str) -> None:
    assert describe(value).text.startswith(begins)


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (SALES[["price", "region"]], "pandas DataFrame 3 x 2: price Float64, region String"),
        (np.zeros((2, 3)), "numpy.ndarray of shape (2, 3), float64"),
        (area, "function area(width: 'float', *, height: 'float' = 1.0) -> 'float'"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "pandas DataFrame 1 x 2"),
        ([1] * 1000, "list of 1,000 items: [1, 1, 1, 1, ...]"),
        ("one\ntwo", "str of 7 characters: 'one\\ntwo'"),
        (object(), "object: <object object>"),
        (5, "int: 5"),
    ],
)
def test_each_kind_of_value_has_its_line(value: object, line: str) -> None:
    assert summarize(value) == line


def test_a_line_stays_a_line_and_short() -> None:
    line = summarize(["x\n" * 1000] * 10)

    assert "\n" not in line
    assert len(line) <= 200


@pytest.mark.parametrize("tell", [summarize, lambda value: describe(value).text])
def test_an_object_that_raises_is_told_all_the_same(tell: Callable[[object], str]) -> None:
    assert "Awkward" in tell(Awkward())


async def _never() -> None:
    await asyncio.Event().wait()


def test_a_turn_that_is_not_finished_is_told_without_waiting() -> None:
    loop = asyncio.new_event_loop()
    task = loop.create_task(_never())
    line = summarize(UnfinishedTurn("main", task))  # type: ignore[arg-type] # the task is not looked at
    task.cancel()
    loop.run_until_complete(asyncio.wait([task]))
    loop.close()

    assert "not finished" in line


def test_a_long_text_is_cut_with_its_size_said() -> None:
    shown = describe("x" * 100_000).text

    assert len(shown) < 17_000
    assert "100,000 characters in all" in shown
    assert cut("short", 10) == "short"
