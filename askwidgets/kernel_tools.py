"""The tools that the agent has in the kernel: an MCP server in this process, called ``kernel``.

The reading tools do not ask; what runs or adds code does, through the ordinary form. Tools are called in the
session's thread, and do their work where the turn is awaited: on the kernel's main thread, in the cell.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from claude_agent_sdk import McpSdkServerConfig, SdkMcpTool, create_sdk_mcp_server
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.description import Description, describe, summarize
from askwidgets.display import CellOutputs
from askwidgets.errors import AskWidgetsError, OptionError
from askwidgets.kernel_run import CodeRunner
from askwidgets.kernel_values import KernelValues
from askwidgets.new_cells import NewCells
from askwidgets.run_result import RunOutputs, run_content
from askwidgets.secret import HIDDEN, Secrets, source_without_secrets
from askwidgets.user_tool import UserTool

__all__ = ["READING_TOOLS", "KernelTools", "ToolTurn"]

READING_TOOLS = ("mcp__kernel__list_variables", "mcp__kernel__inspect")
"""Need no permission."""

Result = dict[str, object]
"""What a tool gives back, as the SDK takes it."""

_MOST_VARIABLES = 300
_INTERRUPTED = "The user interrupted it."


@dataclass(kw_only=True, eq=False)
class ToolTurn:
    """The turn that the tools are called in; made on its home loop, in the context of its cell."""

    outputs: CellOutputs
    stop: Callable[[], None]
    """Called when the person interrupts code that the agent runs."""
    is_stopping: Callable[[], bool]
    """Whether the person has interrupted the turn: code that came too late must not begin."""
    new_cells: NewCells
    named: Collection[str] = ()
    """Names that the person gave by hand: these may be read, also where they look secret."""
    after_run: Callable[[], None] = lambda: None
    """Called when code has run, which the agent then knows of."""
    home: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    context: contextvars.Context = field(default_factory=contextvars.copy_context)
    running: set[concurrent.futures.Future[Result]] = field(default_factory=set)


class KernelTools:
    """The tools of one session; ``begin`` and ``end`` frame each of its turns."""

    def __init__(self, shell: InteractiveShell, runner: CodeRunner) -> None:
        self._values = KernelValues(shell)
        self._shell = shell
        self._runner = runner
        self._turn: ToolTurn | None = None

    def begin(self, turn: ToolTurn) -> None:
        """Let the tools work in this turn."""
        self._turn = turn

    def end(self) -> None:
        """Cancel what still runs; nothing is called until the next turn."""
        turn, self._turn = self._turn, None

        for future in list(turn.running) if turn is not None else ():
            future.cancel()

    def server(self, functions: Sequence[UserTool] = ()) -> McpSdkServerConfig:
        """Make the MCP server, with the person's own functions beside the kernel's tools."""
        tools = [
            self._tool("list_variables", _LIST_VARIABLES, {}, self._list_variables),
            self._tool("inspect", _INSPECT, {"name": _text("A variable, Out[n], In[n], or error")}, self._inspect),
            self._tool("run_python", _RUN_PYTHON, {"code": _text("The code")}, self._run_python),
            self._tool("add_cell", _ADD_CELL, _ADD_CELL_INPUT, self._add_cell),
            *(self._function_tool(function) for function in functions),
        ]
        server = create_sdk_mcp_server("kernel", tools=tools)
        # Without this the agent would have to search for the tools before it can use them.
        server["alwaysLoad"] = True  # type: ignore[typeddict-unknown-key] # known to the CLI, not to the SDK's types

        return server

    def _tool(
        self, name: str, description: str, properties: Mapping[str, object], work: Callable[..., Awaitable[Result]]
    ) -> SdkMcpTool[Any]:
        schema = {"type": "object", "properties": dict(properties), "required": [*properties][:1]}

        async def handler(arguments: Mapping[str, object]) -> Result:
            return await self._at_home(lambda turn: work(turn, **arguments))

        return SdkMcpTool(name=name, description=description, input_schema=schema, handler=handler)

    def _function_tool(self, function: UserTool) -> SdkMcpTool[Any]:
        async def handler(arguments: Mapping[str, object]) -> Result:
            return await self._at_home(lambda turn: self._call(turn, function, arguments))

        return SdkMcpTool(
            name=function.name, description=function.description, input_schema=dict(function.schema), handler=handler
        )

    async def _at_home(self, work: Callable[[ToolTurn], Awaitable[Result]]) -> Result:
        """Do the work on the turn's own loop; called and cancelled in the session's thread."""
        turn = self._turn

        if turn is None:
            return _error("No turn is running in the notebook.")

        async def at_home() -> Result:
            try:
                result = await work(turn)
            except AskWidgetsError as error:
                result = _error(str(error))

            return _without(self._secrets(turn), result)

        future = turn.context.copy().run(asyncio.run_coroutine_threadsafe, at_home(), turn.home)
        turn.running.add(future)

        try:
            return await asyncio.wrap_future(future)
        finally:
            turn.running.discard(future)

    async def _list_variables(self, turn: ToolTurn) -> Result:
        secrets = self._secrets(turn)
        variables = self._values.variables()
        lines = [
            f"{name}: {HIDDEN}" if secrets.hides(name) else f"{name}: {secrets.hidden_in_repr(summarize(value))}"
            for name, value in sorted(variables.items())[:_MOST_VARIABLES]
        ]

        if len(variables) > _MOST_VARIABLES:
            lines.append(f"and {len(variables) - _MOST_VARIABLES:,} more")

        return _content("\n".join(lines) or "There are no variables yet.")

    async def _inspect(self, turn: ToolTurn, name: str) -> Result:
        secrets = self._secrets(turn)

        if secrets.hides(name) or (name.startswith("_") and name not in turn.named):
            raise OptionError("the name", name, "one that may be read; ask the user to show it with --with")

        value = self._values.named(name)

        if name.startswith("Out") and any(value is other for other in self._hidden_values(secrets)):
            return _content(HIDDEN)

        description = describe(value)

        if name.startswith("In[") or isinstance(value, (type, FunctionType)):
            text = secrets.hidden(source_without_secrets(description.text))
        elif isinstance(value, str):
            text = secrets.hidden(description.text)
        else:
            text = secrets.hidden_in_repr(description.text)

        return _described(Description(text=text, picture=description.picture))

    async def _run_python(self, turn: ToolTurn, code: str) -> Result:
        if turn.is_stopping():
            return _error(_INTERRUPTED)

        outputs = RunOutputs(turn.outputs)
        run = await self._runner.run(code, outputs.show)
        turn.after_run()

        if run.interrupted:
            turn.stop()

        return run_content(run)

    async def _call(self, turn: ToolTurn, function: UserTool, arguments: Mapping[str, object]) -> Result:
        if turn.is_stopping():
            return _error(_INTERRUPTED)

        outputs = RunOutputs(turn.outputs)

        try:
            run, value = await self._runner.call(lambda: function.call(**arguments), outputs.show)
        except Exception as error:  # noqa: BLE001 - whatever the person's function raises, the model may read
            return _error(f"{type(error).__name__}: {error}")

        turn.after_run()

        if run.interrupted:
            turn.stop()

            return _error(_INTERRUPTED)

        return _described(describe(value))

    async def _add_cell(self, turn: ToolTurn, source: str, kind: str = "code") -> Result:
        turn.new_cells.add(source, is_markdown=kind == "markdown")
        joined = " together with the others that you added" if turn.new_cells.count > 1 else ""

        return _content(f"The cell{joined} stands below once this turn is over. It was not executed.")

    def _secrets(self, turn: ToolTurn) -> Secrets:
        return Secrets(self._values.namespace, turn.named)

    def _hidden_values(self, secrets: Secrets) -> list[object]:
        return [value for name, value in self._values.variables().items() if secrets.hides(name)]


def _text(description: str) -> dict[str, object]:
    return {"type": "string", "description": description}


def _without(secrets: Secrets, result: Result) -> Result:
    """Hide secrets in all text of a result: code that runs may print them, or quote them in an error."""
    blocks = result["content"]
    content = [
        {**block, "text": secrets.hidden(block["text"])} if isinstance(block.get("text"), str) else block
        for block in (blocks if isinstance(blocks, list) else [])
    ]

    return {**result, "content": content}


def _content(text: str) -> Result:
    return {"content": [{"type": "text", "text": text}]}


def _described(description: Description) -> Result:
    content = _content(description.text)["content"]
    pictures = [] if description.picture is None else [description.picture.mcp_block()]

    return {"content": [*content, *pictures]}  # type: ignore[misc] # a list, made above


def _error(text: str) -> Result:
    return {**_content(text), "is_error": True}


_LIST_VARIABLES = "List the variables of the user's notebook kernel, each with its type and size in one line."
_INSPECT = (
    "Look at one value of the user's notebook kernel: a data frame's columns, types, missing values, ranges and "
    "first rows; a figure or picture as an image; the source of a function or class; any other value's repr."
)
_RUN_PYTHON = (
    "Run Python code in the user's live notebook kernel, in their namespace, as a cell would. Gives back what it "
    "prints, the value of its last expression, plots as images, and the traceback if it fails. Variables stay. "
    "The user sees plots and tables in their notebook and may stop it. Prefer it to Bash for work with their data."
)
_ADD_CELL = "Add a cell below the current one in the user's notebook. It is not executed: the user may run it."
_ADD_CELL_INPUT: Mapping[str, object] = {
    "source": _text("What stands in the cell"),
    "kind": {"type": "string", "enum": ["code", "markdown"], "description": "code by default"},
}
