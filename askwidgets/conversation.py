"""The Messages API, inward: what a request says of its conversation.

Specification: https://docs.claude.com/en/api/messages. Which texts of a user message are the person's
own, and which the CLI added, was measured with the CLI inside claude-agent-sdk 0.2.189.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

__all__ = [
    "CONTEXT_CLOSE",
    "CONTEXT_OPEN",
    "Conversation",
    "ToolResult",
    "blocks_of",
    "parse_conversation",
    "prompts_of",
    "tool_results_of",
]

CONTEXT_OPEN = "<notebook-context>"
CONTEXT_CLOSE = "</notebook-context>"
"""Between these stands what askwidgets sends beside a prompt, which the person did not type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool gave back to the model."""

    tool_use_id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What one request holds: the prompts so far, and how far the latest one has come."""

    prompts: tuple[str, ...]
    """What the person typed, without what the CLI adds to it; the latest is last."""
    replies: int
    """How many messages of the model came since the latest prompt."""
    tool_results: tuple[ToolResult, ...]
    """Those that came since the model's last message."""
    messages: Sequence[Mapping[str, object]]
    """The messages as they came."""
    session_id: str = ""
    """What the CLI calls the session; empty when it does not say."""
    model: str = ""
    """Which model was asked."""
    directory: str = ""
    """Where the session works, as the CLI tells the model; empty when it does not say."""

    @property
    def prompt(self) -> str:
        """The latest prompt; empty when there is none."""
        return self.prompts[-1] if self.prompts else ""

    @property
    def all_tool_results(self) -> tuple[ToolResult, ...]:
        """Every tool result of the conversation, in order."""
        return tuple(result for message in self.messages for result in tool_results_of(message))

    @property
    def plan_file(self) -> str:
        """Where the model is to write its plan, as the CLI tells it in plan mode; empty when it does not say."""
        found = _PLAN_FILE.search(json.dumps(list(self.messages), ensure_ascii=False))

        return found[0] if found else ""


_PLAN_FILE = re.compile(r"/[^\s\"`]*/plans/[\w-]+\.md")
_ADDED = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_NOT_PROMPTS = (
    CONTEXT_OPEN,
    "<local-command-",
    "<command-",
    "<task-notification>",
    "<bash-",
    "[Your previous response had no visible",
)
_INTERRUPTED = "[Request interrupted"


def parse_conversation(body: Mapping[str, object]) -> Conversation:
    """Read a request's body; what has another shape counts as absent."""
    messages = tuple(message for message in _sequence(body.get("messages")) if isinstance(message, Mapping))
    prompts: list[str] = []
    results: list[ToolResult] = []
    replies = 0
    role_before = ""
    for message in messages:
        role = str(message.get("role", ""))
        if role == "assistant":
            # The CLI may send the blocks of one message as several.
            replies += role_before != "assistant"
            results.clear()
        elif role == "user":
            typed = prompts_of(message)
            results.extend(() if typed else tool_results_of(message))
            prompts.extend(typed)
            replies = 0 if typed else replies

        role_before = role if role in {"assistant", "user"} else role_before

    return Conversation(
        prompts=tuple(prompts),
        replies=replies,
        tool_results=tuple(results),
        messages=messages,
        session_id=_session_id(body),
        model=str(body.get("model", "")),
        directory=_directory([body.get("system"), *(message.get("content") for message in messages)]),
    )


def _sequence(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def blocks_of(content: object) -> Iterator[Mapping[str, object]]:
    """Give the content blocks of a message or a tool result, whose content may also be bare text."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
        return

    for block in _sequence(content):
        if isinstance(block, Mapping):
            yield block


def prompts_of(message: Mapping[str, object]) -> list[str]:
    """Give the prompts in a user message; after a failure or an interrupt the CLI sends several as one."""
    prompts: list[list[str]] = [[]]
    for block in blocks_of(message.get("content")):
        if block.get("type") != "text":
            continue

        text = _ADDED.sub("", str(block.get("text", "")))
        if not text.strip() or text.startswith(_NOT_PROMPTS):
            continue

        if not text.startswith(_INTERRUPTED):
            prompts[-1].append(text.strip())

        # A line break is what the CLI puts between messages that it merges.
        if text.endswith("\n") or text.startswith(_INTERRUPTED):
            prompts.append([])

    return ["\n".join(texts) for texts in prompts if texts]


def tool_results_of(message: Mapping[str, object]) -> Iterator[ToolResult]:
    """Give the tool results in a user message."""
    for block in blocks_of(message.get("content")):
        if block.get("type") == "tool_result":
            texts = (
                str(part.get("text", "")) for part in blocks_of(block.get("content")) if part.get("type") == "text"
            )
            yield ToolResult(
                tool_use_id=str(block.get("tool_use_id", "")),
                text="\n".join(texts),
                is_error=block.get("is_error") is True,
            )


def _session_id(body: Mapping[str, object]) -> str:
    metadata = body.get("metadata")
    user = str(metadata.get("user_id", "")) if isinstance(metadata, Mapping) else ""
    try:
        fields = json.loads(user)
    except ValueError:
        return user

    return str(fields.get("session_id", "")) if isinstance(fields, dict) else user


_DIRECTORY = re.compile(r"[Ww]orking directory: ([^\n]+)")


def _directory(contents: Iterable[object]) -> str:
    for content in contents:
        for block in blocks_of(content):
            found = _DIRECTORY.search(str(block.get("text", "")))
            if found:
                return found[1].strip()

    return ""
