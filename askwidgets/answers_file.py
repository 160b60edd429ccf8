"""The file of answers given beforehand: YAML or JSON, read with the line of each entry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import yaml

from askwidgets.errors import AnswerError
from askwidgets.yaml_node import yaml_node

__all__ = ["read_answers_file"]

_DEEPEST = 20


def read_answers_file(path: Path) -> tuple[dict[str, object], dict[str, int]]:
    """Give the entries of a file, and the line on which each stands.

    A scalar stays the text that it is: ``Yes``, ``3.10`` and ``2026-01-01`` are labels, not a
    boolean, a number and a date.

    Raises:
        AnswerError: the file cannot be read, does not parse, or holds something else than a mapping.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise AnswerError(f"{path}: no such file; wanted a YAML or JSON file of answers.") from None
    except (OSError, UnicodeError) as error:
        raise AnswerError(f"{path}: cannot be read ({_reason(error)}).") from None

    return _json_entries(path, text) if path.suffix.lower() == ".json" else _yaml_entries(path, text)


def _json_entries(path: Path, text: str) -> tuple[dict[str, object], dict[str, int]]:
    try:
        entries = json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        raise AnswerError(f"{path}, line {error.lineno}: {error.msg}.") from None
    except RecursionError:
        raise AnswerError(f"{path}: nested too deeply.") from None

    if not isinstance(entries, dict):
        raise _not_a_mapping(path)

    return entries, {key: line for key in entries if (line := _line_of(text, key))}


def _line_of(text: str, key: str) -> int | None:
    spellings = (json.dumps(key), json.dumps(key, ensure_ascii=False))
    place = next((place for spelling in spellings if (place := text.find(spelling)) >= 0), None)
    return None if place is None else text.count("\n", 0, place) + 1


def _yaml_entries(path: Path, text: str) -> tuple[dict[str, object], dict[str, int]]:
    try:
        root = yaml_node(yaml.BaseLoader(text))
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise AnswerError(f"{path}{line}: {error.problem}.") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise AnswerError(f"{path}: {_reason(error)}.") from None

    if not isinstance(root, yaml.MappingNode):
        raise _not_a_mapping(path)

    entries: dict[str, object] = {}
    lines: dict[str, int] = {}
    for key_node, value_node in root.value:
        line = key_node.start_mark.line + 1
        key = _value(key_node, f"{path}, line {line}")
        if not isinstance(key, str) or key in entries:
            problem = "stands here a second time" if isinstance(key, str) else "is no question's text"
            raise AnswerError(f"{path}, line {line}: {key!r} {problem}.")

        entries[key] = _value(value_node, f"{path}, line {line}")
        lines[key] = line

    return entries, lines


def _value(node: yaml.Node, place: str, depth: int = 0) -> object:
    if depth > _DEEPEST:
        raise AnswerError(f"{place}: nested too deeply.")

    if isinstance(node, yaml.SequenceNode):
        return [_value(held, place, depth + 1) for held in node.value]

    if isinstance(node, yaml.MappingNode):
        return _mapping(node, place, depth)

    return node.value


def _mapping(node: yaml.MappingNode, place: str, depth: int) -> Mapping[str, object]:
    return {str(_value(key, place, depth + 1)): _value(held, place, depth + 1) for key, held in node.value}


def _not_a_mapping(path: Path) -> AnswerError:
    return AnswerError(f'{path}: wanted a mapping from questions to answers, for example "Which store?": SQLite')


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error).splitlines()[0] or type(error).__name__
