"""Tables and arrays in words: shape, types, missing values, ranges and a few rows.

Data frames of every library are read through narwhals, which imports none of them.
"""

from __future__ import annotations

import csv
import io
import sys
from typing import Any

__all__ = ["array_text", "is_array", "is_table", "table_line", "table_text"]

_LIBRARIES = frozenset({"cudf", "modin", "pandas", "polars", "pyarrow"})
_TABLES = frozenset({"ChunkedArray", "DataFrame", "Series", "Table"})
_ROWS = 5
_MOST_COLUMNS = 60
_MOST_VALUES = 5
_LONGEST_CELL = 60
_MOST_CELLS = 20_000_000
"""Beyond these, missing values and ranges are read from the first rows only."""


def is_table(value: object) -> bool:
    """Whether the value is a data frame or a series of a library that is known."""
    return any(
        base.__name__ in _TABLES and base.__module__.partition(".")[0] in _LIBRARIES for base in type(value).__mro__
    )


def is_array(value: object) -> bool:
    """Whether the value is a NumPy array."""
    numpy: Any = sys.modules.get("numpy")

    return numpy is not None and isinstance(value, numpy.ndarray)


def table_line(value: object) -> str:
    """Say in one line what the table is."""
    kind, library = type(value).__name__, type(value).__module__.partition(".")[0]

    try:
        frame = _frame(value)
    except Exception:  # noqa: BLE001 - columns of one name, say: then there is less to tell
        shape = getattr(value, "shape", ())

        return f"{library} {kind} {' x '.join(f'{size:,}' for size in shape)}"

    columns = [f"{name} {kind_of}" for name, kind_of in list(frame.schema.items())[:_MOST_COLUMNS]]
    more = "" if len(frame.columns) <= _MOST_COLUMNS else ", …"

    return f"{library} {kind} {frame.shape[0]:,} x {frame.shape[1]:,}: {', '.join(columns)}{more}"


def table_text(value: object) -> str:
    """Describe a frame or a series: its shape, each column, and the first rows."""
    kind, library = type(value).__name__, type(value).__module__.partition(".")[0]

    try:
        frame = _frame(value)
        columns = _columns_text(frame)
        rows = _rows_text(frame.head(_ROWS))
    except Exception:  # noqa: BLE001 - whatever a library cannot tell, its own repr can
        return f"{library} {kind}\n{value!r}"

    height, width = frame.shape
    lines = [f"{library} {kind}, {height:,} rows x {width:,} columns{_index_text(value)}", columns]

    if height:
        shown = "All rows" if height <= _ROWS else f"The first {_ROWS} rows"
        lines.append(f"{shown}:\n{rows}")

    return "\n".join(lines)


def array_text(value: Any) -> str:  # noqa: ANN401 - NumPy is not ours to import
    """Describe an array: its shape, type and range, and some of its values."""
    numpy: Any = sys.modules["numpy"]
    facts = [f"numpy array of shape {value.shape}, {value.dtype}"]

    if value.size and value.dtype.kind in "iufb":
        with numpy.errstate(all="ignore"):
            finite = value[numpy.isfinite(value)] if value.dtype.kind == "f" else value

        missing = value.size - finite.size
        facts.append(f"{missing:,} not finite" if missing else "")
        facts.append(f"from {finite.min()} to {finite.max()}, mean {finite.mean():.6g}" if finite.size else "")

    values = numpy.array2string(value, threshold=50, edgeitems=3, max_line_width=100)

    return f"{'; '.join(fact for fact in facts if fact)}\n{values}"


def _frame(value: object) -> Any:  # noqa: ANN401 - of narwhals, with the types of the library it wraps
    import narwhals as nw  # noqa: PLC0415 - only where a table is described

    native: Any = nw.from_native(value, eager_only=True, allow_series=True)

    return native.to_frame() if isinstance(native, nw.Series) else native


def _index_text(value: object) -> str:
    """Tell of a pandas index that says more than a number."""
    index = getattr(value, "index", None)
    kind = type(index).__name__

    if not kind.endswith("Index") or kind == "RangeIndex":
        return ""

    first = ", ".join(repr(label) for label in list(index[:3]))  # type: ignore[index]

    return f"; {kind} {getattr(index, 'name', None) or ''} starting with {first}".replace("  ", " ")


def _columns_text(frame: Any) -> str:  # noqa: ANN401 - see above
    height, width = frame.shape
    most_rows = max(1, _MOST_CELLS // max(1, width))
    seen = frame if height <= most_rows else frame.head(most_rows)
    lines = [_column_text(seen[name]) for name in frame.columns[:_MOST_COLUMNS]]

    if width > _MOST_COLUMNS:
        lines.append(f"and {width - _MOST_COLUMNS:,} more columns")

    if height > most_rows:
        lines.append(f"(missing values and ranges of the first {most_rows:,} rows)")

    return "\n".join(lines)


def _column_text(column: Any) -> str:  # noqa: ANN401 - see above
    missing = column.null_count()
    parts = [f"- {column.name}: {column.dtype}"]

    if missing:
        parts.append(f"{missing:,} missing")

    try:
        parts.append(_range_text(column))
    except Exception:  # noqa: BLE001 - lists, objects and the like have neither an order nor a count
        parts.append("")

    return ", ".join(part for part in parts if part)


def _range_text(column: Any) -> str:  # noqa: ANN401 - see above
    known = column.drop_nulls()

    if not len(known):
        return "no values"

    if column.dtype.is_numeric() or column.dtype.is_temporal():
        return f"{_cell(known.min())} to {_cell(known.max())}"

    different = known.unique()
    values = ", ".join(map(_cell, sorted(map(str, different.head(_MOST_VALUES).to_list()))))

    return f"{len(different):,} different: {values}{', …' if len(different) > _MOST_VALUES else ''}"


def _rows_text(frame: Any) -> str:  # noqa: ANN401 - see above
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(frame.columns[:_MOST_COLUMNS])
    writer.writerows([_cell(value) for value in row[:_MOST_COLUMNS]] for row in frame.rows())

    return file.getvalue().rstrip("\n")


def _cell(value: object) -> str:
    text = str(value)

    return text if len(text) <= _LONGEST_CELL else f"{text[: _LONGEST_CELL - 1]}…"
