"""A reply as data: what ``--schema`` names, as JSON Schema for the agent and back as a value of the person's type."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from askwidgets.errors import OptionError, SchemaError

__all__ = ["ReplySchema", "reply_schema"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ReplySchema:
    """What a reply has to fit."""

    name: str
    """What the person calls it."""
    schema: Mapping[str, object]
    """JSON Schema, of an object."""
    kind: type | None = None
    """What the value is made of; ``None`` leaves it as it came."""

    def output_format(self) -> dict[str, object]:
        """Give the SDK's option."""
        return {"type": "json_schema", "schema": dict(self.schema)}

    def parsed(self, value: object, text: str) -> object:
        """Make a value of what the agent gave.

        Args:
            value: as the session gave it; ``None`` where it gave none.
            text: what the agent said, which may be the value too.

        Raises:
            SchemaError: it does not fit.
        """
        found = _json(text) if value is None else value

        if found is None:
            raise SchemaError(self.name, "the agent gave none", text)

        try:
            return _valid(found, self)
        except ValueError as error:
            raise SchemaError(self.name, str(error), text or json.dumps(found)) from None


def reply_schema(name: str, namespace: Mapping[str, object]) -> ReplySchema:
    """Read the schema that a name stands for.

    Raises:
        OptionError: it is neither a pydantic model, a dataclass, a TypedDict nor a JSON Schema of an object.
    """
    value = namespace.get(name)
    wanted = "the name of a pydantic model, a dataclass, a TypedDict or a JSON Schema dict whose type is object"

    if isinstance(value, Mapping) and value.get("type") == "object":
        return ReplySchema(name=name, schema=value)

    if not isinstance(value, type):
        raise OptionError("--schema", name, wanted)

    from pydantic import PydanticUserError, TypeAdapter  # noqa: PLC0415 - takes a while, and only few need it

    try:
        schema = TypeAdapter(value).json_schema()
    except (PydanticUserError, NameError, TypeError) as error:
        raise OptionError("--schema", name, f"{wanted} ({str(error).splitlines()[0]})") from error

    if schema.get("type") != "object":
        raise OptionError("--schema", name, wanted)

    return ReplySchema(name=name, schema=schema, kind=value)


def _valid(value: object, schema: ReplySchema) -> object:
    if schema.kind is not None:
        from pydantic import TypeAdapter  # noqa: PLC0415 - see above

        made: object = TypeAdapter(schema.kind).validate_python(value)

        return made

    import jsonschema  # type: ignore[import-untyped] # noqa: PLC0415 - takes a second beside JupyterLab

    try:
        jsonschema.validate(value, dict(schema.schema))
    except jsonschema.ValidationError as error:
        raise ValueError(error.message) from error

    return value


def _json(text: str) -> Any:  # noqa: ANN401 - JSON
    """Read the text as JSON, also where it stands in a fence; ``None`` for what is none."""
    inside = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")

    try:
        return json.loads(inside)
    except ValueError:
        return None
