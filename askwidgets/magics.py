"""``%%claude`` and ``%claude``: what a person types, parsed and handed to the notebook's sessions.

The magics instance belongs to the shell; nothing is kept at module level. What loads the SDK and the
widgets is imported with the first turn, in the background.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand
from traitlets import Bool, Bunch, Callable, Enum, Float, Int, List, TraitError, Unicode, Union, validate

from askwidgets.arguments import EFFORTS, TurnArguments, parse_arguments, with_usage
from askwidgets.cell_transform import CellTransform
from askwidgets.kernel import run_in_cell, run_nested
from askwidgets.limits import Limit, Limits

if TYPE_CHECKING:
    from askwidgets.notebook import Notebook

__all__ = ["ClaudeMagics"]

_logger = logging.getLogger("askwidgets")


@magics_class
class ClaudeMagics(Magics):
    """The magics of one shell, and the defaults that ``%config ClaudeMagics`` sets."""

    model: Unicode[str, str | bytes] = Unicode("", help="Model of new sessions; empty for the CLI's own default.").tag(
        config=True
    )
    effort: Enum[str] = Enum(
        ["", *EFFORTS], "", help="Effort of new sessions: low, medium, high, xhigh or max; empty for the default."
    ).tag(config=True)
    mode: Unicode[str, str | bytes] = Unicode("default", help="Permission mode of new sessions.").tag(config=True)
    cwd: Unicode[str, str | bytes] = Unicode("", help="Directory the agent works in; empty for the kernel's own.").tag(
        config=True
    )
    cli_path: Unicode[str, str | bytes] = Unicode(
        "", help="The claude program; empty for the one inside claude-agent-sdk."
    ).tag(config=True)
    connect_timeout: Float[float, int | float] = Float(
        60.0, min=0.0, help="Seconds that the CLI may take to get ready."
    ).tag(config=True)
    setting_sources: List[str] = List(
        Unicode(),
        ["user", "project", "local"],
        help="Whose settings, CLAUDE.md and MCP servers are honored.",
    ).tag(config=True)
    max_turns: Int[int, int] = Int(0, min=0, help="Most API round trips of a turn; 0 for no limit.").tag(config=True)
    max_budget_usd: Float[float, int | float] = Float(
        0.0, min=0.0, help="Most US dollars that a session may cost; 0 for no limit."
    ).tag(config=True)
    timeout: Float[float, int | float] = Float(
        0.0, min=0.0, help="Seconds that a question may wait; 0 for no limit."
    ).tag(config=True)
    rerun: Enum[str] = Enum(
        ["run", "ask", "reuse"],
        "run",
        help="What a cell does that holds the finished turn of this very prompt and was not run in this kernel yet: "
        "run it, ask whether to, or reuse, which shows the saved turn again. Where nobody is there to ask, ask reuses.",
    ).tag(config=True)
    unattended: Enum[str] = Enum(
        ["fail", "decline"], "fail", help="What becomes of a question without an answer where nobody is there."
    ).tag(config=True)
    ask: Enum[str] = Enum(
        ["auto", "text", "widgets"],
        "auto",
        help="How questions are asked: auto uses widgets, but text in a terminal and in jupyter console.",
    ).tag(config=True)
    notify: Union = Union(
        [Unicode(), Callable()],
        default_value="",
        help="A command (it gets the question as its last argument) or a callable, run when something waits for you.",
    ).tag(config=True)
    show_costs: Bool[bool, bool | int] = Bool(
        default_value=True, help="Tell times, tokens and costs below a turn."
    ).tag(config=True)
    context_bytes: Int[int, int] = Int(
        8000, min=0, help="Most bytes of what a prompt tells of the kernel since the last turn; 0 for nothing."
    ).tag(config=True)
    session_store: Unicode[str, str | bytes] = Unicode(
        "", help="URL of where conversations are kept beside this machine: postgresql://user@host/database."
    ).tag(config=True)
    file_checkpoints: Bool[bool, bool | int] = Bool(
        default_value=False,
        help="Keep copies of the files that the agent changes, so that %claude reopen --rewind can put them back; "
        "not together with session_store.",
    ).tag(config=True)
    preload: Bool[bool, bool | int] = Bool(
        default_value=True, help="Import the SDK in the background after %load_ext."
    ).tag(config=True)
    start_cli: Bool[bool, bool | int] = Bool(
        default_value=False, help="Start the CLI of the session `main` too, in the background after %load_ext."
    ).tag(config=True)

    allowed_modes: List[str] = List(
        Unicode(), help="Permission modes that may be chosen beside default; empty for all."
    ).tag(config=True)
    allowed_models: List[str] = List(
        Unicode(), help="Models that may be chosen, also patterns with *; the first is the default. Empty for all."
    ).tag(config=True)
    offer_always_allow: Bool[bool, bool | int] = Bool(
        default_value=True, help="Offer `Always allow` for permissions."
    ).tag(config=True)

    def __init__(self, shell: InteractiveShell, locked: Sequence[Limit] = ()) -> None:
        self._locked = Limits()
        super().__init__(shell)
        self._locked = Limits(locked)
        self._shell = shell
        self.transform: CellTransform = CellTransform(shell)
        self._notebook: Notebook | None = None
        self._lock = threading.Lock()

    @property
    def notebook(self) -> Notebook:
        """The notebook's sessions; made, and the SDK imported, on first use."""
        with self._lock:
            if self._notebook is None:
                self._notebook = importlib.import_module("askwidgets.notebook").Notebook(self._shell, self)

            return self._notebook

    @property
    def limits(self) -> Limits:
        """What may be chosen: what is configured, within what an administrator has locked."""
        own = Limit(
            source="ClaudeMagics",
            modes=self.allowed_modes,
            models=self.allowed_models,
            offer_always=self.offer_always_allow,
        )

        return Limits([*self._locked, own])

    @validate("allowed_modes", "allowed_models", "offer_always_allow")
    def _validated(self, proposal: Bunch) -> object:
        """Refuse to widen what is locked."""
        source = self._locked.lock(proposal.trait.name, proposal.value)

        if source is not None:
            raise TraitError(f"{proposal.trait.name} is locked by {source} and cannot be widened here.")

        return proposal.value

    def start_preload(self) -> None:
        """Get ready in the background what the first turn needs."""
        if self.preload or self.start_cli:
            threading.Thread(target=self._preload, name="askwidgets preload", daemon=True).start()

    def _preload(self) -> None:
        notebook = self.notebook

        if not self.start_cli:
            return

        try:
            asyncio.run(_start_cli(notebook))
        except Exception as error:  # noqa: BLE001 - nobody waits for it; the first prompt says it where it is seen
            _logger.debug("The CLI was not started beforehand: %s", error)

        # Unloaded meanwhile.
        if self._notebook is not notebook:
            notebook.close()

    def warnings(self) -> list[str]:
        """Say which answers given beforehand matched no question."""
        return [] if self._notebook is None else self._notebook.answers.drop()

    def close(self) -> None:
        """End every session; the next turn starts anew."""
        notebook, self._notebook = self._notebook, None

        if notebook is not None:
            notebook.close()

    @cell_magic("claude")  # type: ignore[arg-type] # IPython's decorators are typed for functions only
    @with_usage
    def claude_cell(self, line: str, cell: str) -> None:
        """Run one turn of a Claude agent session; the cell's text is the prompt."""
        run_nested(self.notebook.turn(parse_arguments(line), cell, is_awaited=False))

    async def turn(self, line: str, cell: str) -> None:
        """Run a turn from a cell that awaits it, as the input transform writes it."""
        arguments = parse_arguments(self._shell.var_expand(line, depth=1))
        await run_in_cell(self._loaded_turn(arguments, cell))

    async def wait(self, name: str) -> None:
        """Wait for a session's turn from a cell that awaits it, as the input transform writes it."""
        await run_in_cell(self.notebook.wait(self._shell.var_expand(name, depth=1)))

    @line_magic("claude")  # type: ignore[arg-type]
    @no_var_expand
    def claude_line(self, line: str) -> None:
        """Show or steer the sessions: ``%claude help`` lists the words."""
        # Names and files may stand in variables; what a person answers stays as it was typed.
        if line.split(maxsplit=1)[:1] != ["answer"]:
            line = self._shell.var_expand(line, depth=2)

        importlib.import_module("askwidgets.commands").run(self.notebook, line)

    async def _loaded_turn(self, arguments: TurnArguments, cell: str) -> None:
        # The import takes over a second: in a thread, so that an interrupt is noticed meanwhile.
        notebook = await asyncio.to_thread(lambda: self.notebook)
        await notebook.turn(arguments, cell, is_awaited=True)


async def _start_cli(notebook: Notebook) -> None:
    session = await notebook.session_for(TurnArguments())
    # With the kernel's tools, or the first turn would start another process for them.
    await session.adopt(notebook.kernel.options(session.name))
    await session.connect()
