"""What a session can be told, and the SDK's options made of it."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict, cast, get_args

from claude_agent_sdk import (
    CanUseTool,
    ClaudeAgentOptions,
    EffortLevel,
    HookMatcher,
    McpServerConfig,
    PermissionMode,
)
from claude_agent_sdk.types import HookEvent

from askwidgets.cli import ENVIRONMENT
from askwidgets.errors import OptionError
from askwidgets.limits import Limits
from askwidgets.permissions import ALWAYS_ASK, BYPASS
from askwidgets.session_store import open_store

__all__ = [
    "MODES",
    "SessionOptions",
    "agent_options",
    "can_bypass",
    "check_options",
    "checked_mode",
    "config_directory",
    "working_directory",
]

MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")
"""The CLI's permission modes."""

_LISTS = ("add_dirs", "allowed_tools", "setting_sources", "tools")

_UNLIKE_ROOT = (
    "another one: the Claude Code CLI refuses it to root. Run the kernel as another user; or, in a container that can "
    "be thrown away, set IS_SANDBOX=1 in the kernel's environment"
)

_BUFFER = 64 * 1024 * 1024
"""Bytes that one line of the CLI's output may have; a tool result of 16 MB passes (the SDK's default is 1 MB)."""


class SessionOptions(TypedDict, total=False):
    """Keyword arguments of ``Session``; each that is left out is the CLI's own default."""

    model: str | None
    effort: str | None
    mode: str
    cwd: str | Path | None
    add_dirs: Sequence[str | Path]
    tools: Sequence[str] | None
    """Names of the built-in tools to offer; AskUserQuestion is always added."""
    max_turns: int | None
    max_budget_usd: float | None
    """US dollars."""
    cli_path: str | Path | None
    connect_timeout: float
    """Seconds that the CLI may take to get ready; 60 by default. The SDK itself gives up after 60, or what
    ``CLAUDE_CODE_STREAM_CLOSE_TIMEOUT`` says in milliseconds."""
    env: Mapping[str, str]
    """Added to the kernel's own environment."""
    setting_sources: Sequence[Literal["user", "project", "local"]]
    """Whose settings, CLAUDE.md and MCP servers are honored; all by default."""
    resume: str | None
    """The conversation to go on from."""
    fork: bool
    """Branch from ``resume`` instead of going on in it."""
    file_checkpoints: bool
    """Keep copies of what the agent's tools for files change, so that it can be put back; not of what commands do."""
    session_store: str
    """The URL of where the conversation is kept beside the CLI's own files."""
    resume_at: str | None
    """The uuid of the entry that ``resume`` goes on from; the last by default."""
    mcp_servers: Mapping[str, object]
    """By name, as the SDK takes them, beside those of the settings."""
    allowed_tools: Sequence[str]
    """Tools that need no permission; what always asks is left out."""
    output_format: Mapping[str, object] | None
    """What the reply has to fit, as the SDK takes it."""
    limits: Limits
    """Which modes and models may be chosen; all by default."""
    scripted: bool
    """A script or a recording answers for the model, so the costs that the CLI reckons are nobody's; none are told."""
    may_bypass: bool
    """Start the CLI so that the mode can become ``bypassPermissions`` while a turn runs."""


def agent_options(
    options: SessionOptions,
    *,
    cli: Path,
    can_use_tool: CanUseTool,
    hooks: dict[HookEvent, list[HookMatcher]],
    stderr: Callable[[str], None],
) -> ClaudeAgentOptions:
    """Make the SDK's options.

    Raises:
        OptionError: the mode, the directory or another value is not one that the CLI takes.
    """
    tools = options.get("tools")

    return ClaudeAgentOptions(
        model=options.get("model"),
        effort=cast("EffortLevel | None", options.get("effort")),
        permission_mode=cast("PermissionMode", checked_mode(options.get("mode", "default"), options)),
        cwd=working_directory(options),
        add_dirs=list(options.get("add_dirs", ())),
        tools=None if tools is None else list(dict.fromkeys([*tools, "AskUserQuestion"])),
        max_turns=options.get("max_turns"),
        max_budget_usd=options.get("max_budget_usd"),
        cli_path=cli,
        env={**ENVIRONMENT, **options.get("env", {})},
        setting_sources=list(options.get("setting_sources", ("user", "project", "local"))),
        resume=options.get("resume"),
        resume_session_at=options.get("resume_at"),
        fork_session=options.get("fork", False),
        session_store=open_store(options.get("session_store", "")),
        # The conversation must be there when this machine is gone in the middle of a turn.
        session_store_flush="eager",
        mcp_servers=cast("dict[str, McpServerConfig]", dict(options.get("mcp_servers", {}))),
        allowed_tools=[tool for tool in options.get("allowed_tools", ()) if tool not in ALWAYS_ASK],
        output_format=cast("dict[str, object] | None", options.get("output_format")),
        enable_file_checkpointing=options.get("file_checkpoints", False),
        extra_args=_extra_arguments(options),
        can_use_tool=can_use_tool,
        hooks=hooks,
        include_partial_messages=True,
        max_buffer_size=_BUFFER,
        stderr=stderr,
    )


def _extra_arguments(options: SessionOptions) -> dict[str, str | None]:
    extra: dict[str, str | None] = {"allow-dangerously-skip-permissions": None} if can_bypass(options) else {}

    # Checkpoints are told by the uuid of the prompt, which the CLI then sends back.
    return {**extra, "replay-user-messages": None} if options.get("file_checkpoints") else extra


def check_options(options: Mapping[str, object]) -> None:
    """Refuse what would be passed over in silence.

    Raises:
        TypeError: there is no such option.
        OptionError: one text was given for a list, and would be taken for a list of its letters; or there is no
            such effort, which the CLI would not say.
    """
    unknown = sorted(options.keys() - SessionOptions.__optional_keys__)

    if unknown:
        message = f"Session() got an unexpected keyword argument {unknown[0]!r}"
        raise TypeError(message)

    for name in _LISTS:
        if isinstance(options.get(name), str):
            raise OptionError(name, options[name], f"a list: [{options[name]!r}]")

    efforts = get_args(EffortLevel)

    if options.get("effort") not in {None, *efforts}:
        raise OptionError("effort", options["effort"], f"one of {', '.join(efforts)}")


def checked_mode(mode: str, options: SessionOptions) -> str:
    """Give the permission mode back, if the CLI has it and takes it here.

    Raises:
        OptionError: it does not, or the session's limits leave it out.
    """
    if mode not in MODES:
        raise OptionError("mode", mode, "one of " + ", ".join(MODES))

    options.get("limits", Limits()).check_mode(mode)

    if mode == BYPASS and _refuses_bypass(options):
        raise OptionError("mode", mode, _UNLIKE_ROOT)

    return mode


def can_bypass(options: SessionOptions) -> bool:
    """Whether a CLI that is started with these options can be switched to ``bypassPermissions``."""
    is_wanted = options.get("may_bypass", False) or options.get("mode") == BYPASS

    return is_wanted and not _refuses_bypass(options) and options.get("limits", Limits()).allows_mode(BYPASS)


def _refuses_bypass(options: SessionOptions) -> bool:
    """Whether the CLI does: to root, outside of what it is told to be a sandbox."""
    is_sandbox = {**os.environ, **options.get("env", {})}.get("IS_SANDBOX") == "1"

    return hasattr(os, "geteuid") and os.geteuid() == 0 and not is_sandbox


def working_directory(options: SessionOptions) -> Path:
    """Give the directory that the agent works in, as an absolute path."""
    directory = Path(options.get("cwd") or Path.cwd()).expanduser().absolute()

    if not directory.is_dir():
        raise OptionError("cwd", str(directory), "an existing directory")

    return directory


def config_directory(options: SessionOptions) -> Path:
    """Give the directory in which the session's CLI keeps its files: conversations, plans, settings."""
    variables = {**os.environ, **options.get("env", {})}
    chosen = variables.get("CLAUDE_CONFIG_DIR")
    home = variables.get("USERPROFILE" if sys.platform == "win32" else "HOME") or Path.home()
    # Measured: also an empty one counts, and a relative one begins where the agent works.
    directory = Path(home, ".claude") if chosen is None else working_directory(options) / chosen

    return Path(unicodedata.normalize("NFC", str(directory)))
