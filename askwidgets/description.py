"""A value of the kernel as the model is told of it: in one line, or at length with its image.

No library is imported for it: what a value is of is loaded already. Secrets in it are hidden by whoever asks.
"""

from __future__ import annotations

import inspect
import re
import reprlib
from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass
from types import FunctionType, ModuleType

from IPython.lib.pretty import pretty

from askwidgets.picture import Picture, picture_of
from askwidgets.table_text import array_text, is_array, is_table, table_line, table_text

__all__ = ["Description", "cut", "describe", "summarize"]

LONGEST = 16_000
"""Characters of one description."""
_LONGEST_LINE = 200
_MOST_ITEMS = 40

_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
"""Tells the model nothing, and is another in every run."""

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 80
_short.maxlevel = 3
_short.maxlist = _short.maxtuple = _short.maxset = _short.maxdict = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A value in words, and its image where it has one."""

    text: str
    picture: Picture | None = None


def describe(value: object) -> Description:
    """Describe a value at length."""
    try:
        picture = picture_of(value)
        text = _text(value) if picture is None else f"{_kind(value)}, shown as an image"
    except Exception as error:  # noqa: BLE001 - as below
        picture, text = None, _untold(value, error)

    return Description(text=cut(text, LONGEST), picture=picture)


def summarize(value: object) -> str:
    """Say in one line what a value is; cheap, so that every variable can be looked at before a turn."""
    try:
        line = _summary(value)
    except Exception as error:  # noqa: BLE001 - an object of somebody's own may raise whatever it is asked
        line = _untold(value, error)

    line = " ".join(_ADDRESS.sub("", line).split())

    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"


def _untold(value: object, error: Exception) -> str:
    return f"{type(value).__name__}, of which nothing can be told ({type(error).__name__})"


def _summary(value: object) -> str:
    if is_table(value):
        return table_line(value)

    if isinstance(value, ModuleType):
        return _module_text(value)

    if isinstance(value, type):
        return f"class {value.__name__}{_signature(value)}"

    if callable(value) and hasattr(value, "__name__"):
        return f"function {value.__name__}{_signature(value)}"

    # Asked of the class, since an object may answer to any name.
    if hasattr(type(value), "shape") and hasattr(type(value), "dtype"):
        shape, dtype = (getattr(value, name) for name in ("shape", "dtype"))

        return f"{_kind(value)} of shape {shape}, {dtype}"

    size = f" of {_size(value)}" if isinstance(value, Sized) else ""

    return f"{type(value).__name__}{size}: {_short_repr(value)}"


def cut(text: str, longest: int) -> str:
    """Give a text of at most about ``longest`` characters, with the size of the whole where it was cut."""
    if len(text) <= longest:
        return text

    tail = longest // 5

    return f"{text[: longest - tail]}\n[… cut: {len(text):,} characters in all …]\n{text[-tail:]}"


def _text(value: object) -> str:
    if isinstance(value, str):
        return value

    if is_table(value):
        return table_text(value)

    if is_array(value):
        return array_text(value)

    if isinstance(value, (type, FunctionType)):
        return _source_text(value)

    return _module_text(value) if isinstance(value, ModuleType) else _figure_text(value) or _long_repr(value)


def _module_text(module: ModuleType) -> str:
    version = getattr(module, "__version__", "")

    return f"module {module.__name__} {version}".rstrip()


def _source_text(value: Callable[..., object]) -> str:
    try:
        return inspect.getsource(value).rstrip("\n")
    except (OSError, TypeError):
        documentation = inspect.getdoc(value) or ""

        return f"{summarize(value)}\n{documentation}".rstrip()


def _figure_text(value: object) -> str:
    """Describe a plotly figure that cannot be drawn here by its data's kinds and its titles."""
    to_plotly = getattr(value, "to_plotly_json", None) if type(value).__module__.startswith("plotly") else None

    if to_plotly is None:
        return ""

    figure: Mapping[str, Mapping[str, object]] = to_plotly()
    layout = {name: part for name, part in figure.get("layout", {}).items() if name != "template"}

    return f"plotly figure\ndata: {pretty(figure.get('data'), max_seq_length=6)}\nlayout: {pretty(layout)}"


def _long_repr(value: object) -> str:
    try:
        shown = pretty(value, max_seq_length=_MOST_ITEMS)
    except Exception as error:  # noqa: BLE001 - a repr of somebody's own may do anything
        shown = f"<its repr raised {type(error).__name__}>"

    size = f", {_size(value)}" if isinstance(value, Sized) else ""

    return f"{_kind(value)}{size}\n{_ADDRESS.sub('', shown)}"


def _short_repr(value: object) -> str:
    try:
        return _short.repr(value)
    except Exception as error:  # noqa: BLE001 - see above
        return f"<its repr raised {type(error).__name__}>"


def _size(value: Sized) -> str:
    try:
        count = len(value)
    except Exception:  # noqa: BLE001 - see above
        return "unknown size"

    noun = {"str": "characters", "bytes": "bytes", "bytearray": "bytes"}.get(type(value).__name__, "items")

    return f"{count:,} {noun}"


def _signature(value: Callable[..., object]) -> str:
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(…)"


def _kind(value: object) -> str:
    kind = type(value)

    return kind.__name__ if kind.__module__ in {"builtins", "__main__"} else f"{kind.__module__}.{kind.__name__}"
