"""Replies as data: every kind of schema, values of the person's type, and what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pydantic
import pytest
from typing_extensions import TypedDict

from askwidgets.errors import OptionError, SchemaError
from askwidgets.structured import reply_schema
from tests.notebook_shell import NotebookShell


class Model(pydantic.BaseModel):
    """A pydantic model."""

    name: str
    count: int


@dataclass
class Record:
    """A dataclass."""

    name: str
    count: int


class Entry(TypedDict):
    """A TypedDict."""

    name: str
    count: int


SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "count": {"type": "integer"}},
    "required": ["name", "count"],
}
NAMESPACE: Mapping[str, object] = {"Model": Model, "Record": Record, "Entry": Entry, "schema": SCHEMA, "x": 1, "T": int}
FOUND = {"name": "a", "count": 2}


@pytest.mark.parametrize(
    ("name", "value"),
    [("Model", Model(name="a", count=2)), ("Record", Record("a", 2)), ("Entry", FOUND), ("schema", FOUND)],
)
def test_a_reply_becomes_a_value_of_the_named_type(name: str, value: object) -> None:
    schema = reply_schema(name, NAMESPACE)

    assert schema.output_format()["type"] == "json_schema"
    assert schema.parsed(FOUND, "") == value
    assert schema.parsed(None, '```json\n{"name": "a", "count": 2}\n```') == value


@pytest.mark.parametrize("name", ["Model", "Record", "Entry", "schema"])
@pytest.mark.parametrize(
    ("found", "text"), [({"name": "a", "count": "many"}, "raw words"), (None, "no JSON at all"), ({"name": "a"}, "")]
)
def test_a_reply_that_does_not_fit_is_an_error_with_its_text(name: str, found: object, text: str) -> None:
    with pytest.raises(SchemaError, match=f"no {name}") as raised:
        reply_schema(name, NAMESPACE).parsed(found, text)

    assert text in str(raised.value)


@pytest.mark.parametrize("name", ["x", "T", "missing"])
def test_what_is_no_schema_is_an_error(name: str) -> None:
    with pytest.raises(OptionError, match="pydantic model"):
        reply_schema(name, NAMESPACE)


SCRIPT = """
- when: "*good*"
  steps:
    - use: {tool: StructuredOutput, input: {name: a, count: 2}}
    - say: Done.
- when: "*bad*"
  steps:
    - say: I would rather talk.
- when: "*"
  steps:
    - say: Hello.
"""


@pytest.mark.agent
def test_a_schema_is_for_one_turn_and_the_conversation_goes_on(tmp_path: Path) -> None:
    with NotebookShell.scripted(SCRIPT, tmp_path) as notebook:
        notebook.shell.user_ns["Model"] = Model
        first = notebook.prompt("hello")
        result = notebook.run("%%claude --schema Model --into value\nsomething good")
        assert result.success, notebook.printed
        value = notebook.shell.user_ns["value"]
        failed = notebook.run("%%claude --schema Model --into value\nsomething bad")
        printed = notebook.printed
        last = notebook.prompt("hello again")
        kept = notebook.shell.user_ns["value"]

    assert value == kept == Model(name="a", count=2)
    assert isinstance(failed.error_in_exec, SchemaError)
    assert "I would rather talk." in printed
    assert first.session_id == last.session_id
    assert last.text == "Hello."
