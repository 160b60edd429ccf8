"""YAML from a file that somebody else may have written: read to its nodes, which must not stand for endlessly many.

A few lines with aliases of aliases stand for billions of values (https://en.wikipedia.org/wiki/Billion_laughs_attack),
and whoever walks them visits every one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import yaml

__all__ = ["yaml_node"]

_MOST = 1_000_000
_PIECE = 64
"""Characters of text that count as one value."""


def yaml_node(loader: yaml.BaseLoader | yaml.SafeLoader) -> yaml.Node | None:
    """Read the one document of a loader; ``None`` where there is none.

    Raises:
        yaml.YAMLError: it does not parse, or its aliases make it too large.
        RecursionError: it is nested too deeply.
    """
    node = loader.get_single_node()

    if node is not None and _size(node, {}) > _MOST:
        raise yaml.MarkedYAMLError(problem="holds more than is bearable, by its aliases", problem_mark=node.start_mark)

    return node


def _size(node: yaml.Node, sizes: dict[int, float]) -> float:
    """Count the values of a node, those of its aliases each time anew."""
    if id(node) not in sizes:
        # What holds itself, by an alias, has no end.
        sizes[id(node)] = math.inf
        text = len(node.value) if isinstance(node, yaml.ScalarNode) else 0
        sizes[id(node)] = 1 + text // _PIECE + sum(_size(held, sizes) for held in _held(node))

    return sizes[id(node)]


def _held(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from (key, value)
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value
