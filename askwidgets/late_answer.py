"""An answer to a question of the past, given as the real result of its tool use.

The conversation is resumed where it asked, mostly on a branch, and the result is what it hears next: the model
sees its question, then the answer, and nothing of what came after. What it did meanwhile is not undone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from askwidgets.session_options import SessionOptions

__all__ = ["LateAnswer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LateAnswer:
    """Answers to all questions of one message of the agent; one that is left out gets an error as its result."""

    message_uuid: str
    """Of the ``AssistantMessage`` that asked; of several, the last, since each block has one of its own."""
    answers: Mapping[str, str]
    """What the model is to read, by tool use."""
    fork: bool
    """Branch there, so that the conversation as it went on stays; otherwise it is cut off there."""

    def options(self, options: SessionOptions, session_id: str) -> SessionOptions:
        """Give the options of the session that starts where the question was asked."""
        return {**options, "resume": session_id, "resume_at": self.message_uuid, "fork": self.fork}

    async def messages(self) -> AsyncIterator[dict[str, object]]:
        """Give the prompt, as the SDK takes it: the results of the tool uses."""
        blocks = [
            {"type": "tool_result", "tool_use_id": tool_use_id, "content": answer}
            for tool_use_id, answer in self.answers.items()
        ]
        yield {"type": "user", "message": {"role": "user", "content": blocks}, "parent_tool_use_id": None}
