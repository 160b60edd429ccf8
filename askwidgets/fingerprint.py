"""What tells one request of a conversation from another, so that a recording can be matched by content."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from askwidgets.conversation import Conversation, blocks_of, prompts_of, tool_results_of
from askwidgets.redaction import Redaction

__all__ = ["Fingerprint", "fingerprint"]

_SHOWN = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """A request, reduced: digests to match it by, and enough to say in words what it was."""

    request: str
    """A digest of the latest prompt and of all that came since."""
    before: str
    """A digest of what came before the latest prompt."""
    prompt: str
    """The latest prompt, its beginning."""
    step: int
    """How many messages of the model came since."""
    results: tuple[str, ...] = ()
    """The tool results that the model is to read, their beginnings."""

    @property
    def is_notice(self) -> bool:
        """Neither a prompt nor a result led to it: the CLI told the model of something, as a subagent's end."""
        return self.step > 0 and not self.results


def fingerprint(conversation: Conversation, redaction: Redaction) -> Fingerprint:
    """Reduce a request; ids, times, directories and secrets in it make no difference."""
    entries = [(kind, redaction.steadied(text)) for kind, text in _entries(conversation)]
    prompts = [place for place, (kind, _) in enumerate(entries) if kind == "prompt"]
    latest = prompts[-1] if prompts else 0
    # Two notices may come as one, so what the model said after the first makes no difference.
    notice = [("notice", "")] if conversation.replies and not conversation.tool_results else []
    return Fingerprint(
        request=_digest(entries[latest:] + notice),
        before=_digest(entries[:latest]),
        prompt=redaction.steadied(conversation.prompt)[:_SHOWN],
        step=conversation.replies,
        results=tuple(redaction.steadied(result.text)[:_SHOWN] for result in conversation.tool_results),
    )


def _digest(entries: list[tuple[str, str]]) -> str:
    return sha256(json.dumps(entries).encode()).hexdigest()[:16]


def _entries(conversation: Conversation) -> Iterator[tuple[str, str]]:
    places: dict[str, int] = {}
    for message in conversation.messages:
        if message.get("role") == "assistant":
            yield from _said(message, places)
        elif message.get("role") == "user":
            # Tools that ran together may give their results in any order.
            results = sorted(tool_results_of(message), key=lambda result: places.get(result.tool_use_id, 0))
            yield from (("error" if result.is_error else "result", result.text) for result in results)
            yield from (("prompt", prompt) for prompt in prompts_of(message))


def _said(message: Mapping[str, object], places: dict[str, int]) -> Iterator[tuple[str, str]]:
    for block in blocks_of(message.get("content")):
        if block.get("type") == "tool_use":
            places[str(block.get("id", ""))] = len(places)
            # The texts in the input, not its JSON: escapes would hide directories and secrets.
            yield "use", str(block.get("name", ""))
            yield from (("input", text) for text in _leaves(block.get("input")))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key in sorted(value):
            yield str(key)
            yield from _leaves(value[key])
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
