"""What a notebook's magics work on: its sessions by name, and the turns that run in its cells."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Protocol, cast

from IPython.core.interactiveshell import InteractiveShell

from askwidgets.allowances import SessionAllowances
from askwidgets.answers import Answers
from askwidgets.arguments import TurnArguments
from askwidgets.background import UnfinishedTurn
from askwidgets.cell_host import CellHost
from askwidgets.cell_turn import CellTurn
from askwidgets.display import CellOutputs
from askwidgets.errors import BusyError, OptionError
from askwidgets.kernel import cell_outputs, has_frontend
from askwidgets.model_server import ModelServer
from askwidgets.policy import Policy
from askwidgets.script import load_script
from askwidgets.session import Session
from askwidgets.session_options import SessionOptions
from askwidgets.transcript import Transcript
from askwidgets.turn import Turn

__all__ = ["Notebook", "Settings"]

_DEMO_PACE = 0.01
"""Seconds between two pieces of the scripted model's text, so that one sees it grow."""

_SESSION_NAME = re.compile(r"[^\W\d][\w-]*")


class Settings(Protocol):
    """The defaults that a person can configure; ``ClaudeMagics`` has them as traitlets."""

    model: str
    effort: str
    mode: str
    cwd: str
    cli_path: str
    setting_sources: Sequence[str]
    max_turns: int
    max_budget_usd: float
    timeout: float
    show_costs: bool


class Notebook:
    """The sessions of one shell.

    Args:
        shell: whose cells run the turns.
        settings: read whenever a session is made.
    """

    def __init__(self, shell: InteractiveShell, settings: Settings) -> None:
        self.sessions: dict[str, Session] = {}
        """By name, in the order in which they were made."""
        self.turns: dict[str, CellTurn] = {}
        """Those that run now, by the session's name."""
        self._shell = shell
        self._settings = settings
        self._allowances: dict[str, SessionAllowances] = {}
        self._demo: ModelServer | None = None
        self._demo_directory: tempfile.TemporaryDirectory[str] | None = None

    async def turn(self, arguments: TurnArguments, prompt: str, *, is_awaited: bool) -> None:
        """Run one turn in the cell that is running; what it leaves is drawn there.

        Args:
            arguments: of the magic.
            prompt: the cell's text.
            is_awaited: whether widgets of this cell can be answered while it runs.
        """
        turn = await self._prepared(arguments, prompt, is_awaited=is_awaited)
        task = turn.start()
        self.turns[turn.name] = turn
        task.add_done_callback(lambda _: self._finished(turn, arguments.into))

        if turn.is_background:
            self._bind(arguments.into, UnfinishedTurn(turn.name, task))
        else:
            await task

    async def wait(self, name: str = "main") -> Turn:
        """Wait until the session's turn has ended, and give it; at once when none runs.

        Raises:
            SessionError: the turn failed.
            OptionError: there is no such session, or it had no turn.
        """
        turn = self.turns.get(name)

        if turn is not None and turn.task is not None:
            return await asyncio.shield(turn.task)

        session = self.sessions.get(name)

        if session is None or session.last is None:
            raise OptionError("session", name, "one that has run a turn: " + (", ".join(self.sessions) or "none yet"))

        return session.last

    def _finished(self, turn: CellTurn, into: str) -> None:
        del self.turns[turn.name]
        task = turn.task

        if task is None or task.cancelled():
            return

        if task.exception() is None:
            self._bind(into, task.result())

    def _bind(self, name: str, value: object) -> None:
        if name:
            self._shell.user_ns[name] = value

    async def _prepared(self, arguments: TurnArguments, prompt: str, *, is_awaited: bool) -> CellTurn:
        running = self.turns.get(arguments.session)

        if running is not None:
            raise BusyError(running.name, len(running.host.pending))

        if arguments.into and not arguments.into.isidentifier():
            raise OptionError("--into", arguments.into, "the name of a variable")

        session = await self._session(arguments)
        outputs = cell_outputs(self._shell)
        transcript = Transcript(outputs, session=session.name, show_costs=self._settings.show_costs)

        return CellTurn(
            session=session,
            prompt=prompt,
            host=self._host(arguments, outputs, transcript),
            transcript=transcript,
            is_awaited=is_awaited or arguments.background,
            is_background=arguments.background,
        )

    def start_demo(self, script: Path | None = None) -> None:
        """Let a scripted model on loopback answer from now on, for new sessions; no account is needed.

        Args:
            script: what it plays; the tour's own by default.

        Raises:
            ScriptError: the script does not parse.
        """
        path = script or Path(str(files("askwidgets") / "demo.yaml"))
        server = ModelServer(load_script(path), pace=_DEMO_PACE)
        self.close()
        server.start()
        self._demo = server
        self._demo_directory = tempfile.TemporaryDirectory(prefix="askwidgets-demo-")

    @property
    def is_demo(self) -> bool:
        """Whether the scripted model answers."""
        return self._demo is not None

    def allowances(self, name: str) -> SessionAllowances:
        """Give what the person allowed for a session; kept while it lasts."""
        return self._allowances.setdefault(name, SessionAllowances())

    def forget(self, name: str) -> None:
        """End a session; the name is free again."""
        session = self.sessions.pop(name, None)
        self._allowances.pop(name, None)

        if session is not None:
            session.close_now()

    def close(self) -> None:
        """End every session and the scripted model."""
        for name in list(self.sessions):
            self.forget(name)

        if self._demo is not None and self._demo_directory is not None:
            self._demo.close()
            self._demo_directory.cleanup()
            self._demo = self._demo_directory = None

    async def _session(self, arguments: TurnArguments) -> Session:
        name = arguments.session

        if not _SESSION_NAME.fullmatch(name):
            raise OptionError("the session's name", name, "a letter, then letters, digits, _ or -")

        if arguments.new or arguments.resume:
            self.forget(name)

        session = self.sessions.get(name)

        if session is None:
            session = self.sessions[name] = Session(name=name, **self._options(arguments))
        else:
            await _adjust(session, arguments)

        return session

    def _options(self, arguments: TurnArguments) -> SessionOptions:
        """Put what was typed over the defaults; what is empty is left to the CLI."""
        settings = self._settings
        options: dict[str, object] = {
            "model": arguments.model or settings.model,
            "effort": arguments.effort or settings.effort,
            "mode": arguments.mode or settings.mode,
            "cwd": arguments.cwd or settings.cwd,
            "add_dirs": arguments.add_dir,
            "tools": arguments.tools and arguments.tools.split(","),
            "max_turns": arguments.max_turns or settings.max_turns,
            "max_budget_usd": arguments.max_budget_usd or settings.max_budget_usd,
            "cli_path": settings.cli_path,
            "resume": arguments.resume,
            "fork": arguments.fork,
        }
        given = {name: value for name, value in options.items() if value}
        given["setting_sources"] = list(settings.setting_sources)

        if self._demo is not None and self._demo_directory is not None:
            given["env"] = self._demo.env(self._demo_directory.name)
            given["setting_sources"] = []

        return cast("SessionOptions", given)

    def _host(self, arguments: TurnArguments, outputs: CellOutputs, transcript: Transcript) -> CellHost:
        answers = self._answers(arguments.answers)

        return CellHost(
            outputs=outputs,
            transcript=transcript,
            allowances=self.allowances(arguments.session),
            answers=answers,
            policy=answers.permissions if answers else Policy(),
            is_attended=has_frontend(self._shell),
            timeout=arguments.timeout or self._settings.timeout or None,
        )

    def _answers(self, name: str) -> Answers | None:
        """Give the answers that a name in the namespace, or else a file, holds."""
        if not name:
            return None

        value = self._shell.user_ns.get(name)

        if isinstance(value, Answers):
            return value

        if isinstance(value, Mapping):
            return Answers(value)

        if Path(name).is_file():
            return Answers.from_file(Path(name))

        raise OptionError("--answers", name, "the name of a mapping in the namespace, or a YAML or JSON file")


async def _adjust(session: Session, arguments: TurnArguments) -> None:
    """Change what can be changed in a session that goes on.

    Raises:
        OptionError: something was given that only a new session takes.
    """
    fixed = ("effort", "cwd", "add_dir", "tools", "max_turns", "max_budget_usd", "fork")
    given = [name for name in fixed if getattr(arguments, name)]

    if given:
        wanted = f"it left out, since session {session.name!r} goes on; or --new beside it"
        raise OptionError("--" + given[0].replace("_", "-"), getattr(arguments, given[0]), wanted)

    if arguments.mode:
        await session.set_mode(arguments.mode)

    if arguments.model:
        await session.set_model(arguments.model)
