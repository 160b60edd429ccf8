"""What a recording must not hold, and what differs between machines, replaced by names in angle brackets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

__all__ = ["UUID", "Redaction"]

UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
"""As the CLI writes the ids of conversations and messages."""

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_SECRET = re.compile(r"\bsk-[\w-]{16,}|\bgh[pousr]_\w{20,}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]+")
_SHORTEST = 8
_VOLATILE = (
    # What the CLI adds to the result of a subagent, of a command in the background, and of a long output.
    (re.compile(r"\b(duration_ms|subagent_tokens|total_tokens): \d+"), r"\1: <count>"),
    (re.compile(r"(?<![\w.])/\S{0,1000}/(?:tasks|tool-results)/[\w.-]+"), "<file>"),
    (UUID, "<uuid>"),
    (re.compile(r"\b(?:toolu|msg|req|agent)_\w{8,}|\ba[0-9a-f]{16}\b"), "<id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "<address>"),
)


class Redaction:
    """Replaces secrets, and the directories of this machine, in what a session said.

    ::

        redaction = Redaction(directory="/home/ada/project", secrets=[key])
        redaction.applied("cat /home/ada/project/a.py")    # "cat <cwd>/a.py"
        redaction.undone("cat <cwd>/a.py")                 # of directories only
    """

    def __init__(
        self, *, directory: str = "", secrets: Iterable[str] = (), environment: Mapping[str, str] | None = None
    ) -> None:
        variables = (*os.environ.items(), *(environment or {}).items())
        named = (value for name, value in variables if _SECRET_NAME.search(name))
        known = {secret for secret in (*secrets, *named) if len(secret) >= _SHORTEST}
        # The longest first: one secret may begin with another.
        self._secrets = sorted(known, key=lambda secret: (-len(secret), secret))
        places = {"<cwd>": directory, "<home>": str(Path.home())}
        self._places = {name: place for name, place in places.items() if len(place) > len("/")}

    def applied(self, text: str) -> str:
        """Give the text without secrets, and with names for directories."""
        text = self.without_secrets(text)
        for name, place in self._places.items():
            text = re.sub(re.escape(place) + r"(?![\w-])", name, text)

        return text

    def without_secrets(self, text: str) -> str:
        """Give the text without secrets alone."""
        for secret in self._secrets:
            text = text.replace(secret, "<secret>")

        return _SECRET.sub("<secret>", text)

    def steadied(self, text: str) -> str:
        """Give the text as ``applied`` does, also without ids, times and addresses."""
        text = self.applied(text)
        for pattern, name in _VOLATILE:
            text = pattern.sub(name, text)

        return text

    def undone(self, text: str) -> str:
        """Put this machine's directories where their names stand."""
        for name, place in self._places.items():
            text = text.replace(name, place)

        return text

    def applied_to_input(self, value: Mapping[str, object]) -> dict[str, object]:
        """Give the input of a tool with ``applied`` called for every text in it."""
        return {self.applied(key): self._each(item, undo=False) for key, item in value.items()}

    def undone_in_input(self, value: Mapping[str, object]) -> dict[str, object]:
        """Give the input of a tool with ``undone`` called for every text in it."""
        return {self.undone(key): self._each(item, undo=True) for key, item in value.items()}

    def _each(self, value: object, *, undo: bool) -> object:
        if isinstance(value, str):
            return self.undone(value) if undo else self.applied(value)

        if isinstance(value, Mapping):
            return self.undone_in_input(value) if undo else self.applied_to_input(value)

        if isinstance(value, list):
            return [self._each(item, undo=undo) for item in value]

        return value
