"""What a session is told: what was typed behind ``%%claude``, put over the defaults and held within the limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, cast

from askwidgets.arguments import TurnArguments
from askwidgets.errors import OptionError
from askwidgets.limits import Limits
from askwidgets.model_source import ModelSource
from askwidgets.permissions import BYPASS
from askwidgets.session import Session
from askwidgets.session_options import SessionOptions

__all__ = [
    "BYPASS_WORD",
    "SessionSettings",
    "Settings",
    "adjust",
    "check_word",
    "new_session_options",
]

BYPASS_WORD = "--without-asking"
"""Typed once in each kernel before ``bypassPermissions`` is taken there."""


class SessionSettings(Protocol):
    """The defaults of new sessions."""

    model: str
    effort: str
    mode: str
    cwd: str
    cli_path: str
    connect_timeout: float
    setting_sources: Sequence[str]
    max_turns: int
    max_budget_usd: float
    session_store: str
    file_checkpoints: bool

    @property
    def limits(self) -> Limits:
        """Which modes and models may be chosen."""


class Settings(SessionSettings, Protocol):
    """The defaults that a person can configure; ``ClaudeMagics`` has them as traitlets."""

    timeout: float
    unattended: str
    rerun: str
    ask: Literal["auto", "text", "widgets"]
    show_costs: bool
    notify: str | Callable[[str], object]
    context_bytes: int


def new_session_options(
    arguments: TurnArguments, settings: SessionSettings, source: ModelSource | None, *, may_bypass: bool
) -> SessionOptions:
    """Put what was typed over the defaults; what is empty is left to the CLI.

    Raises:
        OptionError: the mode needs its word, and it was not given.
    """
    limits = settings.limits
    options: dict[str, object] = {
        "model": arguments.model or settings.model or limits.model,
        "effort": arguments.effort or settings.effort,
        "mode": arguments.mode or settings.mode,
        "cwd": arguments.cwd or settings.cwd,
        "add_dirs": arguments.add_dir,
        "tools": arguments.tools and arguments.tools.split(","),
        "max_turns": arguments.max_turns or settings.max_turns,
        "max_budget_usd": arguments.max_budget_usd or settings.max_budget_usd,
        "cli_path": settings.cli_path,
        "connect_timeout": settings.connect_timeout,
        "session_store": settings.session_store,
        "file_checkpoints": settings.file_checkpoints,
        "resume": arguments.resume,
        "fork": arguments.fork,
        "may_bypass": may_bypass,
    }
    check_word(str(options["mode"]), may_bypass=may_bypass)
    given = {name: value for name, value in options.items() if value}
    given["limits"] = limits
    given["setting_sources"] = list(settings.setting_sources)

    if source is not None:
        given["env"] = source.env()
        given["scripted"] = source.is_alone
        given["setting_sources"] = [] if source.is_alone else given["setting_sources"]

    return cast("SessionOptions", given)


async def adjust(session: Session, arguments: TurnArguments) -> None:
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


def check_word(mode: str, *, may_bypass: bool) -> None:
    """Refuse ``bypassPermissions`` until its word was given in this kernel; it is written down nowhere.

    Raises:
        OptionError: it was not; says which word.
    """
    if mode == BYPASS and not may_bypass:
        wanted = f"its word first: every tool would run without asking. Once in each kernel: `%claude mode {BYPASS}"
        raise OptionError("mode", mode, f"{wanted} {BYPASS_WORD}`")
