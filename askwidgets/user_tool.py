"""A Python function of the person's as a tool of the agent: its signature and docstring are what the model reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeVar, cast

from askwidgets.errors import OptionError

__all__ = ["UserTool", "tool", "user_tools"]

F = TypeVar("F", bound=Callable[..., object])

_MARK = "__askwidgets_tool__"
_BY_NAME = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTool:
    """A function as the agent knows it; two are equal when the agent would be told the same of them."""

    name: str
    description: str
    """The docstring."""
    schema: Mapping[str, object]
    """The parameters, in JSON Schema."""
    call: Callable[..., object] = field(compare=False)
    """The function; it takes what came from JSON, made to fit its annotations."""


def tool(function: F) -> F:
    """Offer a function to the agent; it asks before each call, as before any other tool.

    ::

        @askwidgets.tool
        def price(item: str, *, count: int = 1) -> float:
            "Look up what an item costs."

    Raises:
        OptionError: a parameter cannot be given by name, or its annotation has no JSON Schema.
    """
    signature = inspect.signature(function)

    for parameter in signature.parameters.values():
        if parameter.kind not in _BY_NAME:
            raise OptionError("@askwidgets.tool", str(parameter), "parameters that can be given by name")

    name = str(getattr(function, "__name__", "function"))
    setattr(
        function,
        _MARK,
        UserTool(
            name=name,
            description=inspect.getdoc(function) or f"The user's function {name}{signature}",
            schema=_schema(function),
            call=_checked(function),
        ),
    )

    return function


def user_tools(namespace: Mapping[str, object]) -> tuple[UserTool, ...]:
    """Find the functions of a namespace that are tools, each name once."""
    functions = [value for value in list(namespace.values()) if type(value) is FunctionType]
    found = [getattr(function, _MARK, None) for function in functions]

    return tuple({tool.name: tool for tool in found if isinstance(tool, UserTool)}.values())


def _schema(function: Callable[..., object]) -> dict[str, Any]:
    from pydantic import PydanticUserError, TypeAdapter  # noqa: PLC0415 - takes a while, and only few have such tools

    try:
        schema: dict[str, Any] = TypeAdapter(cast("Any", function)).json_schema()
    except (PydanticUserError, NameError, TypeError) as error:
        wanted = f"annotations that have a JSON Schema ({str(error).splitlines()[0]})"
        raise OptionError("@askwidgets.tool", str(inspect.signature(function)), wanted) from error
    else:
        return schema


def _checked(function: Callable[..., object]) -> Callable[..., object]:
    from pydantic import validate_call  # noqa: PLC0415 - see above

    return validate_call(function)
