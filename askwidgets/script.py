"""Scripts of the model server: a list of turns in YAML, each a list of what the model does.

::

    - - say: "Let me ask first."
      - ask: {questions: [...]}
      - expect: "Your questions have been answered"
      - say: "The tool said: {last_result}"
    - when: "*plot*"
      steps:
      - together: [{use: {tool: Bash, input: {command: ls}}}, {ask: {questions: [...]}}]

A turn with ``when`` is played for every prompt that fits its pattern; the others are played in their order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from askwidgets.errors import ScriptError
from askwidgets.yaml_node import yaml_node

__all__ = [
    "Expect",
    "Fail",
    "Pace",
    "Say",
    "Script",
    "Step",
    "Think",
    "Together",
    "Turn",
    "Usage",
    "Use",
    "load_script",
    "parse_script",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """The model writes text."""

    text: str
    """``{last_result}`` in it becomes the text of the last tool result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Think:
    """The model thinks."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """The model uses a tool; ``ask`` is a use of AskUserQuestion."""

    tool: str
    input: Mapping[str, object]
    """``{plan_file}`` in its texts becomes the file that the CLI wants the plan in, in plan mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """The model uses several tools in one message."""

    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    """The last tool results must hold a text."""

    text: str
    line: int
    """Where in the script it stands, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fail:
    """The service says no instead of what follows."""

    status: int
    """An HTTP status from 400 to 599."""
    message: str = "The script says no."
    times: int | None = None
    """How often before it goes on; ``None`` is for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """From here to the end of the turn, deltas come at this pace."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the message says that it used."""

    input_tokens: int = 10
    output_tokens: int | None = None
    """``None`` lets the server count."""
    cache_read_input_tokens: int = 0


Step = Say | Think | Use | Together | Expect | Fail | Pace | Usage
"""One step of a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the model does after one prompt."""

    steps: tuple[Step, ...]
    line: int
    """Where in the script it begins, from 1."""
    when: str | None = None
    """A pattern with ``*`` for the prompt; ``None`` takes its place in the order."""

    def groups(self) -> tuple[tuple[Step, ...], ...]:
        """Part the steps into messages: each ends with what uses tools, the last with the turn."""
        groups: list[list[Step]] = [[]]
        for step in self.steps:
            groups[-1].append(step)
            if isinstance(step, (Use, Together)):
                groups.append([])

        return tuple(tuple(group) for group in groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the scripted model does, turn by turn."""

    turns: tuple[Turn, ...]
    source: str = "<script>"
    """The file or name that errors give."""


def load_script(path: Path | str) -> Script:
    """Read a script from a file.

    Raises:
        ScriptError: It cannot be read, or does not parse.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ScriptError(str(path), None, f"cannot be read ({reason}); wanted a YAML file in UTF-8") from error

    return parse_script(text, str(path))


def parse_script(text: str, source: str = "<script>") -> Script:
    """Read a script from YAML.

    Raises:
        ScriptError: It does not parse; names the line.
    """
    try:
        return _Reader(source).script(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        raise ScriptError(source, line, f"is no YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise ScriptError(source, None, f"is no YAML: {error}") from error
    except RecursionError:
        raise ScriptError(source, None, "is nested too deeply") from None


class _Loader(yaml.SafeLoader):
    """YAML's safe part, with dates left as text, because JSON has none."""


def _as_text(_: _Loader, node: yaml.Node) -> str:
    return str(node.value)


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _as_text)

_NOS = range(400, 600)
_SHOWN = 60
_KINDS = {
    yaml.ScalarNode: "a single value",
    yaml.SequenceNode: "a list",
    yaml.MappingNode: "a mapping",
}


class _Reader:
    """Turns nodes into values, and says where one does not fit."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._steps: dict[str, Callable[[yaml.Node], Step]] = {
            "ask": self._ask,
            "expect": lambda node: Expect(text=self._text(node), line=_line(node)),
            "fail": self._fail,
            "pace": lambda node: Pace(seconds=self._number(node)),
            "say": lambda node: Say(text=self._text(node)),
            "think": lambda node: Think(text=self._text(node)),
            "together": self._together,
            "usage": self._usage,
            "use": self._use,
        }

    def script(self, text: str) -> Script:
        self._loader = _Loader(text)
        node = yaml_node(self._loader)
        if node is None:
            raise ScriptError(self._source, 1, "is empty; wanted a list of turns")

        turns = tuple(self._turn(item) for item in self._items(node, "a list of turns"))
        return Script(turns=turns, source=self._source)

    def _error(self, node: yaml.Node, problem: str) -> ScriptError:
        return ScriptError(self._source, _line(node), problem)

    def _turn(self, node: yaml.Node) -> Turn:
        if not isinstance(node, yaml.MappingNode):
            return Turn(steps=self._turn_steps(node), line=_line(node))

        fields = self._fields(node, required=("steps",), optional=("when",))
        when = self._text(fields["when"]) if "when" in fields else None
        return Turn(steps=self._turn_steps(fields["steps"]), line=_line(node), when=when)

    def _turn_steps(self, node: yaml.Node) -> tuple[Step, ...]:
        return tuple(self._step(item) for item in self._items(node, "a list of steps"))

    def _step(self, node: yaml.Node) -> Step:
        name, value = self._single(node, tuple(self._steps))
        return self._steps[name](value)

    def _single(self, node: yaml.Node, names: tuple[str, ...]) -> tuple[str, yaml.Node]:
        fields = self._fields(node, optional=names)
        if len(fields) != 1:
            raise self._error(node, f"a step with {len(fields)} keys; wanted one of {', '.join(names)}")

        return next(iter(fields.items()))

    def _ask(self, node: yaml.Node) -> Use:
        return Use(tool="AskUserQuestion", input=self._json_object(node))

    def _use(self, node: yaml.Node) -> Use:
        fields = self._fields(node, required=("tool",), optional=("input",))
        given = self._json_object(fields["input"]) if "input" in fields else {}
        return Use(tool=self._text(fields["tool"]), input=given)

    def _together(self, node: yaml.Node) -> Together:
        uses = []
        for item in self._items(node, "a list of ask and use"):
            name, value = self._single(item, ("ask", "use"))
            uses.append(self._ask(value) if name == "ask" else self._use(value))

        return Together(uses=tuple(uses))

    def _fail(self, node: yaml.Node) -> Fail:
        fields = self._fields(node, required=("status",), optional=("message", "times"))
        status = self._integer(fields["status"])
        if status not in _NOS:
            raise self._error(fields["status"], f"status is {status}; wanted an HTTP status from 400 to 599")

        return Fail(
            status=status,
            message=self._text(fields["message"]) if "message" in fields else "The script says no.",
            times=self._integer(fields["times"]) if "times" in fields else None,
        )

    def _usage(self, node: yaml.Node) -> Usage:
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
        fields = self._fields(node, optional=names)
        return Usage(**{name: self._integer(value) for name, value in fields.items()})

    def _fields(
        self, node: yaml.Node, *, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()
    ) -> dict[str, yaml.Node]:
        names = required + optional
        if not isinstance(node, yaml.MappingNode):
            raise self._error(node, f"found {_found(node)}; wanted a mapping with {', '.join(names)}")

        fields: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            if name not in names:
                raise self._error(key, f"unknown key {name!r}; wanted {', '.join(names)}")

            if name in fields:
                raise self._error(key, f"the key {name!r} stands here twice")

            fields[name] = value

        for name in required:
            if name not in fields:
                raise self._error(node, f"the key {name!r} is missing; wanted {', '.join(names)}")

        return fields

    def _items(self, node: yaml.Node, wanted: str) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode) or not node.value:
            raise self._error(node, f"found {_found(node)}; wanted {wanted}")

        return list(node.value)

    def _text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or node.tag.endswith(":null"):
            raise self._error(node, f"found {_found(node)}; wanted text")

        return str(node.value)

    def _number(self, node: yaml.Node) -> float:
        value = self._json(node)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            raise self._error(node, f"found {_found(node)}; wanted a number from 0 up")

        return value

    def _integer(self, node: yaml.Node) -> int:
        value = self._number(node)
        if not isinstance(value, int):
            raise self._error(node, f"found {_found(node)}; wanted a whole number")

        return value

    def _json_object(self, node: yaml.Node) -> Mapping[str, object]:
        value = self._json(node)
        if not isinstance(value, dict):
            raise self._error(node, f"found {_found(node)}; wanted a mapping")

        return value

    def _json(self, node: yaml.Node) -> object:
        value: object = self._loader.construct_object(node, deep=True)
        try:
            plain: object = json.loads(json.dumps(value, allow_nan=False))
        except (TypeError, ValueError) as error:
            raise self._error(node, f"cannot be written as JSON ({error})") from error

        return plain


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _found(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return "nothing" if node.tag.endswith(":null") else repr(str(node.value)[:_SHOWN])

    return "an empty list" if not node.value else _KINDS[type(node)]
