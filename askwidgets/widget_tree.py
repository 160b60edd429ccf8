"""A tree of widgets, walked down to the layout and style models that hang on each of them."""

from __future__ import annotations

from collections.abc import Iterator

from ipywidgets import Widget

__all__ = ["close_widgets", "tree_widgets"]


def tree_widgets(root: Widget) -> Iterator[Widget]:
    """Walk ``root`` and every widget that it refers to, each once, parents first."""
    seen: set[int] = set()
    waiting: list[object] = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, (list, tuple)):
            waiting.extend(reversed(value))
        elif isinstance(value, Widget) and id(value) not in seen:
            seen.add(id(value))
            yield value
            waiting.extend(getattr(value, name) for name in reversed(value.keys))


def close_widgets(root: Widget) -> None:
    """Close the whole tree; ``Widget.close`` alone leaves children, layouts and styles open."""
    for widget in list(tree_widgets(root)):
        widget.close()
