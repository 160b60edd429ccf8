"""What a session can be told, and the SDK's options made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict, cast

from claude_agent_sdk import CanUseTool, ClaudeAgentOptions, EffortLevel, McpServerConfig, PermissionMode

from askwidgets.cli import ENVIRONMENT
from askwidgets.errors import OptionError

__all__ = ["MODES", "SessionOptions", "agent_options", "checked_mode", "working_directory"]

MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")
"""The CLI's permission modes."""

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
    env: Mapping[str, str]
    """Added to the kernel's own environment."""
    setting_sources: Sequence[Literal["user", "project", "local"]]
    """Whose settings, CLAUDE.md and MCP servers are honored; all by default."""
    resume: str | None
    """The conversation to go on from."""
    fork: bool
    """Branch from ``resume`` instead of going on in it."""
    resume_at: str | None
    """The uuid of the entry that ``resume`` goes on from; the last by default."""
    mcp_servers: Mapping[str, object]
    """By name, as the SDK takes them, beside those of the settings."""
    allowed_tools: Sequence[str]
    """Tools that need no permission."""
    output_format: Mapping[str, object] | None
    """What the reply has to fit, as the SDK takes it."""


def agent_options(
    options: SessionOptions, *, cli: Path, can_use_tool: CanUseTool, stderr: Callable[[str], None]
) -> ClaudeAgentOptions:
    """Make the SDK's options.

    Raises:
        OptionError: the mode, the directory or another value is not one that the CLI takes.
    """
    tools = options.get("tools")

    return ClaudeAgentOptions(
        model=options.get("model"),
        effort=cast("EffortLevel | None", options.get("effort")),
        permission_mode=cast("PermissionMode", checked_mode(options.get("mode", "default"))),
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
        mcp_servers=cast("dict[str, McpServerConfig]", dict(options.get("mcp_servers", {}))),
        allowed_tools=list(options.get("allowed_tools", ())),
        output_format=cast("dict[str, object] | None", options.get("output_format")),
        can_use_tool=can_use_tool,
        include_partial_messages=True,
        max_buffer_size=_BUFFER,
        stderr=stderr,
    )


def checked_mode(mode: str) -> str:
    """Give the permission mode back, if the CLI has it."""
    if mode not in MODES:
        raise OptionError("mode", mode, "one of " + ", ".join(MODES))

    return mode


def working_directory(options: SessionOptions) -> Path:
    """Give the directory that the agent works in, as an absolute path."""
    directory = Path(options.get("cwd") or Path.cwd()).expanduser().absolute()

    if not directory.is_dir():
        raise OptionError("cwd", str(directory), "an existing directory")

    return directory
