"""Where the model's words come from instead of the service alone: a script, a recording, or one being made."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Protocol

from askwidgets.errors import RecordingError
from askwidgets.model_server import ModelServer
from askwidgets.recorded import load_recording
from askwidgets.recording import RecordingProxy, Replay
from askwidgets.reply import Player
from askwidgets.script import Script, load_script

__all__ = ["DemoSource", "ModelSource", "RecordingSource", "ReplaySource"]

_DEMO_PACE = 0.01
"""Seconds between two pieces of the scripted model's text, so that one sees it grow."""

_OTHER_SERVICES = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")


class ModelSource(Protocol):
    """What new sessions talk to; made once it serves, and closed after the sessions."""

    @property
    def description(self) -> str:
        """Say in one sentence what answers."""

    @property
    def is_alone(self) -> bool:
        """Whether sessions have neither the person's account nor their settings."""

    def env(self) -> Mapping[str, str]:
        """Give the environment with which the CLI talks to it."""

    def problem(self) -> RecordingError | None:
        """Say what came otherwise than expected since this was asked last."""

    def warning(self) -> str:
        """Say what the person should know of it after a turn; empty for nothing."""

    def close(self) -> None:
        """Stop serving."""


class _PlayedSource:
    """What is played on loopback, for sessions with neither the person's account nor their settings."""

    is_alone = True

    def __init__(self, player: Script | Player, *, description: str, pace: float = 0.0) -> None:
        self.description: str = description
        self._server = ModelServer(player, pace=pace)
        self._directory = tempfile.TemporaryDirectory(prefix="askwidgets-played-")
        self._server.start()

    def env(self) -> Mapping[str, str]:
        """Give the environment with which the CLI talks to it, without an account."""
        return self._server.env(self._directory.name)

    def warning(self) -> str:
        """Give none: nothing is kept of it."""
        return ""

    def close(self) -> None:
        """Stop serving."""
        self._server.close()
        self._directory.cleanup()


class DemoSource(_PlayedSource):
    """The scripted model.

    Args:
        script: what it plays; the tour's own by default.

    Raises:
        ScriptError: the script does not parse.
    """

    def __init__(self, script: Path | None = None) -> None:
        path = script or Path(str(files("askwidgets") / "demo.yaml"))
        super().__init__(load_script(path), description="The scripted model answers (demo).", pace=_DEMO_PACE)

    def problem(self) -> RecordingError | None:
        """Give none: what a script did not expect, it says in the turn."""
        return None


class ReplaySource(_PlayedSource):
    """A recording that is played without the service.

    Raises:
        RecordingError: the file is no recording.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(Replay(load_recording(path)), description=f"The recording {path} answers (replay).")
        self._told = 0

    def problem(self) -> RecordingError | None:
        """Say what the recording had no answer to since this was asked last."""
        mismatches = self._server.mismatches[self._told :]
        self._told += len(mismatches)
        return RecordingError(mismatches[0]) if mismatches else None


class RecordingSource:
    """The model's service, or the script that stands for it, with a proxy before it that writes down its answers.

    Args:
        path: the recording's file.
        missing: play what it holds already, and record only what is new.
        behind: what answers; the service itself by default. It is closed along.

    Raises:
        RecordingError: the file is no recording or cannot be one, or the service is none that can be recorded.
    """

    def __init__(self, path: Path, *, missing: bool = False, behind: ModelSource | None = None) -> None:
        if path.is_dir() or not path.parent.is_dir():
            # Said before anything is paid for.
            raise RecordingError.unusable(str(path), "is a directory, or in one that does not exist")

        self._behind = behind
        self.is_alone: bool = behind is not None and behind.is_alone
        self.description: str = f"What the model answers is recorded to {path}."
        env = {} if behind is None else behind.env()
        other = next((name for name in _OTHER_SERVICES if os.environ.get(name) and name not in env), None)
        # These do not speak the Messages API at one address, so a proxy before them would record nothing.
        if other is not None:
            raise RecordingError.unreachable(other)

        self._env = env
        self._proxy = RecordingProxy(path, missing=missing, service=env.get("ANTHROPIC_BASE_URL"))
        self._proxy.start()

    def env(self) -> Mapping[str, str]:
        """Give the environment with which the CLI goes through the proxy, signed in as it is."""
        return {**self._env, **self._proxy.env()}

    def problem(self) -> RecordingError | None:
        """Give none: whatever comes is recorded."""
        return None

    def warning(self) -> str:
        """Say why what was recorded last is not written; empty where it is."""
        return self._proxy.warning()

    def save(self) -> None:
        """Write what could not be written before.

        Raises:
            RecordingError: it still cannot be; it is kept, and recording goes on.
        """
        self._proxy.save()

    def released(self) -> ModelSource | None:
        """Give what answers behind the proxy; it is not closed along any more."""
        behind, self._behind = self._behind, None
        return behind

    def close(self) -> None:
        """Stop serving, and write what is not written yet."""
        self._proxy.close()
        if self._behind is not None:
            self._behind.close()
