"""Reads the SDK's messages of a turn into a ``Turn``, and says what went wrong when it failed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from claude_agent_sdk import (
    AssistantMessage,
    ResultMessage,
    SystemMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)

from askwidgets.errors import SessionError, SignInError, TurnError
from askwidgets.markdown_text import MarkdownText
from askwidgets.turn import AskedQuestion, ToolUse, Turn

__all__ = ["TurnRecord"]

_ADVICE = {
    "error_max_turns": "Raise --max-turns, or run another cell to go on.",
    "error_max_budget_usd": "Raise --max-budget-usd, or run another cell to go on.",
    "billing_error": "Settle that with the account, then run the cell again.",
    "rate_limit": "Wait a little, then run the cell again.",
    "server_error": "Run the cell again; what the agent had said and done by then is not lost.",
}
"""By the subtype of the result, or the error of the message."""
_NOT_SIGNED_IN = "Not logged in"
"""How the CLI begins where it has neither a sign-in nor a key."""


class TurnRecord:
    """Collects the messages of one turn; gives the turn at any moment."""

    def __init__(self, prompt: str, before: Sequence[Mapping[str, object]] = ()) -> None:
        self.prompt = prompt
        self._before = before
        self.questions: list[AskedQuestion] = []
        self.interrupted = False
        self._texts: list[str] = []
        self._tool_uses: dict[str, ToolUse] = {}
        self._session_id = ""
        self._prompt_uuid = ""
        self._model = ""
        self._error: str | None = None
        self._result: ResultMessage | None = None

    def sent(self) -> str | AsyncIterator[dict[str, object]]:
        """Give what is sent, as the SDK takes it: the prompt alone as text, otherwise the blocks before it too."""
        return _messages([*self._before, {"type": "text", "text": self.prompt}]) if self._before else self.prompt

    def add(self, message: object) -> None:
        """Take in the next message."""
        if isinstance(message, AssistantMessage):
            self._add_assistant(message)
        elif isinstance(message, UserMessage):
            self._add_results(message)
        elif isinstance(message, ResultMessage):
            self._result = message
            self._session_id = message.session_id
        elif isinstance(message, SystemMessage) and message.subtype == "init":
            self._session_id = str(message.data.get("session_id", ""))
            self._model = str(message.data.get("model", ""))

    def _add_assistant(self, message: AssistantMessage) -> None:
        self._error = message.error or self._error

        for block in message.content:
            # With an error, a text is not the agent's but the service's.
            if isinstance(block, TextBlock) and message.parent_tool_use_id is None and not message.error:
                self._texts.append(block.text)
            elif isinstance(block, ToolUseBlock):
                self._tool_uses[block.id] = ToolUse(
                    id=block.id,
                    name=block.name,
                    input=block.input,
                    parent=message.parent_tool_use_id,
                    message_id=message.message_id or "",
                    message_uuid=message.uuid or "",
                    text_before=len(self._text()),
                )

    def _add_results(self, message: UserMessage) -> None:
        if not self._prompt_uuid and not self._tool_uses and message.parent_tool_use_id is None:
            self._prompt_uuid = message.uuid or ""

        for block in message.content if isinstance(message.content, list) else ():
            if isinstance(block, ToolResultBlock) and block.tool_use_id in self._tool_uses:
                self._tool_uses[block.tool_use_id] = replace(
                    self._tool_uses[block.tool_use_id], result=block.content, is_error=bool(block.is_error)
                )

    def _text(self) -> str:
        return "\n\n".join(self._texts)

    def turn(self) -> Turn:
        """Give the turn as far as it has come."""
        result = self._result

        return Turn(
            prompt=self.prompt,
            text=MarkdownText(self._text()),
            questions=tuple(self.questions),
            tool_uses=tuple(self._tool_uses.values()),
            usage=(result and result.usage) or {},
            cost_usd=result.total_cost_usd if result else None,
            duration=result.duration_ms / 1000 if result else 0.0,
            model=self._model,
            session_id=self._session_id,
            prompt_uuid=self._prompt_uuid,
            structured=result.structured_output if result else None,
            interrupted=self.interrupted,
        )

    def problem(self) -> SessionError | None:
        """Say why the turn failed; judged by ``is_error``, since ``subtype`` is ``success`` then too."""
        result = self._result

        if result is None or not result.is_error or self.interrupted:
            return None

        text = result.result or "; ".join(result.errors or ()) or result.subtype.replace("_", " ")

        if self._error == "authentication_failed":
            return SignInError() if text.startswith(_NOT_SIGNED_IN) else SignInError.refused(text)

        return TurnError(text, _ADVICE.get(result.subtype) or _ADVICE.get(self._error or "", ""))


async def _messages(content: list[Mapping[str, object]]) -> AsyncIterator[dict[str, object]]:
    yield {"type": "user", "message": {"role": "user", "content": content}, "parent_tool_use_id": None}
