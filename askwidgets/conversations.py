"""The conversations that a directory has had, as the CLI keeps them: which there are, and what waits in one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from claude_agent_sdk import (
    SDKSessionInfo,
    SessionMessage,
    SessionStore,
    get_session_messages,
    get_session_messages_from_store,
    list_sessions,
    list_sessions_from_store,
)

from askwidgets.conversation import prompts_of
from askwidgets.errors import OptionError, QuestionError
from askwidgets.hidden import plain
from askwidgets.notebook_file import cell_outputs, notebook_cells, own_metadata
from askwidgets.past_question import PastQuestion
from askwidgets.questions import parse_question_request
from askwidgets.redaction import UUID
from askwidgets.turn import ToolUse

__all__ = ["LAST", "Conversations"]

T = TypeVar("T")

LAST = "last"
"""What a person types for the notebook's last conversation."""

_PROMPT = 60
"""Characters of a first prompt that are shown."""

_LISTED = 20


class Conversations:
    """Those of one directory, as the CLI keeps them here, or as a store keeps them for several machines.

    Args:
        directory: that the agent worked in.
        store: where they are kept, if not by the CLI.
    """

    def __init__(self, directory: Path, store: SessionStore | None = None) -> None:
        self._directory = str(directory)
        self._store = store

    def lines(self) -> list[str]:
        """List the conversations, the most recent first: id, time, first prompt."""
        return [_line(info, self._messages(info.session_id)) for info in self._infos()[:_LISTED]]

    def find(self, word: str, *, known: str = "") -> str:
        """Give the id of the conversation that a person means: an id or the beginning of one, a title, or ``last``.

        Args:
            word: what was typed.
            known: that of the session of this kernel, which is the last one where there is one.

        Raises:
            OptionError: there is none, or more than one.
        """
        if word == LAST:
            found = [known] if known else [*_notebook_ids()] or [info.session_id for info in self._infos()]

            if not found:
                raise OptionError("--resume", word, f"a conversation; there is none yet in {self._directory!r}")

            return found[0]

        found = [
            info.session_id for info in self._infos() if info.session_id.startswith(word) or info.custom_title == word
        ]

        if len(found) > 1:
            raise OptionError("--resume", word, "the beginning of one id, or one title; these fit: " + ", ".join(found))

        # A whole id of one that is kept elsewhere is the CLI's to find.
        if not found and not UUID.fullmatch(word):
            wanted = f"{LAST}, a title, or an id or its beginning as `%claude resume` lists them"
            raise OptionError("--resume", word, wanted)

        return found[0] if found else word

    def holds(self, session_id: str) -> bool:
        """Whether the conversation is kept here."""
        return bool(self._messages(session_id))

    def waiting_question(self, session_id: str) -> PastQuestion | None:
        """Give the question that the conversation ends with, where nobody could answer it any more."""
        uses: list[ToolUse] = []
        is_open = False

        for entry in self._messages(session_id):
            uses += [_tool_use(entry, block) for block in _blocks(entry) if block.get("type") == "tool_use"]
            is_open = _leaves_open(entry, uses[-1].id if uses else "", is_open=is_open)

        if not is_open or uses[-1].name != "AskUserQuestion":
            return None

        try:
            request = parse_question_request(uses[-1].input, tool_use_id=uses[-1].id)
        # Odd input was denied when it was asked, and cannot be asked now either.
        except QuestionError:
            return None

        message = tuple(use for use in uses if use.message_id == uses[-1].message_id)

        return PastQuestion(request=request, message=message, session_id=session_id)

    def _infos(self) -> list[SDKSessionInfo]:
        if self._store is None:
            return list_sessions(self._directory)

        return _now(list_sessions_from_store(self._store, self._directory))

    def _messages(self, session_id: str) -> list[SessionMessage]:
        if self._store is None:
            return get_session_messages(session_id, self._directory)

        return _now(get_session_messages_from_store(self._store, session_id, self._directory))


def _now(coroutine: Coroutine[object, object, T]) -> T:
    """Run it to its end in a thread, since the loop of this one is running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def _line(info: SDKSessionInfo, messages: Sequence[SessionMessage]) -> str:
    time = datetime.fromtimestamp(info.last_modified / 1000).astimezone()
    # The SDK takes what a prompt tells of the kernel for the prompt.
    prompts = [
        prompt for entry in messages[:1] if isinstance(entry.message, Mapping) for prompt in prompts_of(entry.message)
    ]
    prompt = " ".join(plain(prompts[0] if prompts else info.summary).split())
    shown = prompt if len(prompt) <= _PROMPT else prompt[: _PROMPT - 1] + "…"

    return f"{info.session_id}  {time:%Y-%m-%d %H:%M}  {shown}"


def _blocks(entry: SessionMessage) -> list[Mapping[str, object]]:
    content = entry.message.get("content") if isinstance(entry.message, Mapping) else None

    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []


def _leaves_open(entry: SessionMessage, tool_use_id: str, *, is_open: bool) -> bool:
    """Whether the latest tool use still has no real result behind this entry.

    A CLI that sees its host die writes an error as the result, and then that the request was interrupted.
    """
    blocks = _blocks(entry)

    if entry.type == "assistant":
        return any(block.get("id") == tool_use_id for block in blocks)

    results = [block for block in blocks if block.get("tool_use_id") == tool_use_id]

    return is_open and all(block.get("is_error") for block in results) and not prompts_of(entry.message)


def _tool_use(entry: SessionMessage, block: Mapping[str, object]) -> ToolUse:
    tool_input = block.get("input")

    return ToolUse(
        id=str(block.get("id")),
        name=str(block.get("name")),
        input=tool_input if isinstance(tool_input, Mapping) else {},
        message_id=str(entry.message.get("id")),
        message_uuid=entry.uuid,
    )


def _notebook_ids() -> Iterator[str]:
    """Give the conversations in the metadata of the notebook's outputs, the last first, where its file is known."""
    found = [own_metadata(output).get("session_id") for cell in notebook_cells() for output in cell_outputs(cell)]

    yield from (str(session_id) for session_id in reversed(found) if session_id)
