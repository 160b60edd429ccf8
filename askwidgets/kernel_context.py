"""The kernel as the agent's context: what a prompt brings along, and the tools that a turn has in it.

One for each notebook; it knows how far each session knows the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from IPython.core.interactiveshell import InteractiveShell

from askwidgets.arguments import TurnArguments
from askwidgets.display import CellOutputs
from askwidgets.kernel_changes import KernelChanges, Mark
from askwidgets.kernel_run import CodeRunner
from askwidgets.kernel_tools import READING_TOOLS, KernelTools, ToolTurn
from askwidgets.kernel_values import KernelValues
from askwidgets.new_cells import NewCells
from askwidgets.prompt_content import Block, PromptContent, prompt_content
from askwidgets.secret import Secrets
from askwidgets.session_options import SessionOptions
from askwidgets.structured import ReplySchema, reply_schema
from askwidgets.turn import Turn
from askwidgets.user_tool import UserTool, user_tools

__all__ = ["KernelContext", "TurnContext"]


class _SessionContext:
    """What is kept for one session."""

    def __init__(self, shell: InteractiveShell, runner: CodeRunner) -> None:
        self.mark: Mark = Mark()
        self.tools: KernelTools = KernelTools(shell, runner)
        self._functions: tuple[UserTool, ...] = ()
        self._servers: Mapping[str, object] = {"kernel": self.tools.server()}

    def servers(self, functions: tuple[UserTool, ...]) -> Mapping[str, object]:
        """Give the MCP servers; the same object as long as the functions are the same to the agent."""
        # Another object would be another MCP server to the session, which then starts its CLI anew.
        if functions != self._functions:
            self._functions = functions
            self._servers = {"kernel": self.tools.server(functions)}

        return self._servers


class KernelContext:
    """The kernel of one notebook."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._values = KernelValues(shell)
        self._changes = KernelChanges(shell)
        self._runner = CodeRunner(shell)
        self._sessions: dict[str, _SessionContext] = {}

    def forget(self, name: str) -> None:
        """Let a session of this name start without knowing anything."""
        self._sessions.pop(name, None)

    def turn(self, arguments: TurnArguments, prompt: str, *, most_bytes: int) -> TurnContext:
        """Read what a prompt is to bring along; nothing is sent or changed by it.

        Raises:
            OptionError: a name of ``--with`` or ``--schema`` is not there, or is nothing that fits.
        """
        names = tuple(name.strip() for word in arguments.with_ for name in word.split(",") if name.strip())
        # All that can be wrong is found before anything is sent.
        schema = reply_schema(arguments.schema, self._values.namespace) if arguments.schema else None
        fresh = arguments.new or bool(arguments.resume)
        mark = Mark() if fresh or arguments.session not in self._sessions else self._sessions[arguments.session].mark
        secrets = Secrets(self._values.namespace, names)
        # A slash command is for the CLI, not for the model.
        is_told = most_bytes > 0 and not arguments.no_context and not prompt.lstrip().startswith("/")
        changes = self._changes.text(mark, secrets, most_bytes) if is_told else ""
        content = prompt_content(prompt, self._values, names=names, context=changes, secrets=secrets)

        return TurnContext(content=content, schema=schema, names=names, kernel=self, name=arguments.session)

    def session(self, name: str) -> _SessionContext:
        """Give what is kept for a session."""
        if name not in self._sessions:
            self._sessions[name] = _SessionContext(self._shell, self._runner)

        return self._sessions[name]

    def options(self, name: str, schema: ReplySchema | None = None) -> SessionOptions:
        """Give the options of a session that follow from the kernel."""
        return {
            "mcp_servers": self.session(name).servers(user_tools(self._values.namespace)),
            "allowed_tools": READING_TOOLS,
            "output_format": None if schema is None else schema.output_format(),
        }

    @contextmanager
    def tools(
        self, name: str, outputs: CellOutputs, stop: Callable[[], None], is_stopping: Callable[[], bool]
    ) -> Iterator[None]:
        """Let a session's tools work in a turn that brings nothing along."""
        before = self.begin(name, outputs, stop, is_stopping, ())

        try:
            yield
        finally:
            self.end(name, before)

    def begin(
        self,
        name: str,
        outputs: CellOutputs,
        stop: Callable[[], None],
        is_stopping: Callable[[], bool],
        names: tuple[str, ...],
    ) -> Mark:
        """Begin a turn: the session knows the kernel as it is now. Gives the mark before."""
        kept = self.session(name)
        # Marked when the turn begins: what the person runs meanwhile is news to the next prompt.
        before, kept.mark = kept.mark, self._changes.mark()

        def after_run() -> None:
            kept.mark = self._changes.with_variables(kept.mark)

        kept.tools.begin(
            ToolTurn(
                outputs=outputs,
                stop=stop,
                is_stopping=is_stopping,
                new_cells=NewCells(self._shell),
                named=names,
                after_run=after_run,
            )
        )

        return before

    def end(self, name: str, mark: Mark | None) -> None:
        """End a turn; with a mark, the session knows no more than that."""
        kept = self.session(name)
        kept.tools.end()
        kept.mark = mark or kept.mark


@dataclass(slots=True, kw_only=True)
class TurnContext:
    """What one turn brings along."""

    content: PromptContent
    schema: ReplySchema | None
    names: tuple[str, ...]
    """Given by ``--with``."""
    kernel: KernelContext
    name: str
    """The session's."""
    _before: Mark | None = None

    @property
    def prompt(self) -> str:
        """The prompt as it is sent."""
        return self.content.prompt

    @property
    def before(self) -> tuple[Block, ...]:
        """The blocks that are sent before it."""
        return self.content.before

    def options(self) -> SessionOptions:
        """Give the options that the session must have for this turn."""
        return self.kernel.options(self.name, self.schema)

    def begin(self, outputs: CellOutputs, stop: Callable[[], None], is_stopping: Callable[[], bool]) -> None:
        """Let the tools work in the cell of this turn."""
        self._before = self.kernel.begin(self.name, outputs, stop, is_stopping, self.names)

    def end(self, *, was_sent: bool) -> None:
        """Let the tools work no longer."""
        self.kernel.end(self.name, None if was_sent else self._before)

    def finished(self, turn: Turn) -> Turn:
        """Give the turn with its reply as data, where a schema asks for it.

        Raises:
            SchemaError: the reply does not fit the schema.
        """
        if self.schema is None:
            return turn

        return replace(turn, structured=self.schema.parsed(turn.structured, turn.text))
