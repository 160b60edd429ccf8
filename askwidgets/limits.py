"""What an administrator leaves to the people of a machine: which modes and models, and lasting permissions.

A limit set in a system-wide ``ipython_config.py`` is locked: neither a person's own configuration nor
``%config`` widens it. It binds the magics, not what Python code in the kernel starts by itself; for that, the CLI
has managed settings of its own (https://code.claude.com/docs/en/settings).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from traitlets.config.loader import Config, LazyConfigValue, PyFileConfigLoader

from askwidgets.errors import OptionError
from askwidgets.pattern import pattern_matches
from askwidgets.permissions import BYPASS, Decision, PermissionRequest, Suggestion

__all__ = ["Limit", "Limits", "read_limits", "system_directories"]

_ALWAYS_ALLOWED = "default"
"""The mode that asks about everything."""

_FILE = "ipython_config.py"
_SECTION = "ClaudeMagics"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What one source allows; what is empty it leaves open."""

    source: str
    """Where it is set, for error messages."""
    modes: Sequence[str] = ()
    """Permission modes beside ``default``, which always is."""
    models: Sequence[str] = ()
    """Names of models, or patterns with ``*``."""
    offer_always: bool = True
    """Whether a form offers ``Always allow``."""


class Limits:
    """Several limits at once: what one of them does not allow is not allowed."""

    def __init__(self, limits: Iterable[Limit] = ()) -> None:
        self._limits = tuple(limits)

    def __iter__(self) -> Iterator[Limit]:
        return iter(self._limits)

    @property
    def offer_always(self) -> bool:
        """Whether a form offers ``Always allow``."""
        return all(limit.offer_always for limit in self._limits)

    @property
    def model(self) -> str:
        """The model where none is named: the first that is allowed; empty for the CLI's own."""
        named = [model for limit in self._limits for model in limit.models if "*" not in model]

        return next((model for model in named if self._refusing_model(model) is None), "")

    def allows_mode(self, mode: str) -> bool:
        """Whether a permission mode may be chosen."""
        return self._refusing_mode(mode) is None

    def allows_model(self, model: str) -> bool:
        """Whether a model may be chosen, or every model of a pattern."""
        return self._refusing_model(model) is None

    def check_mode(self, mode: str) -> None:
        """Refuse a permission mode that may not be chosen.

        Raises:
            OptionError: it may not; says who set that.
        """
        limit = self._refusing_mode(mode)

        if limit is not None:
            raise OptionError("mode", mode, _wanted([_ALWAYS_ALLOWED, *limit.modes], limit))

    def check_model(self, model: str | None) -> None:
        """Refuse a model that may not be chosen; also none, since the CLI would choose.

        Raises:
            OptionError: it may not; says who set that.
        """
        limit = self._refusing_model(model or "")

        if limit is not None:
            raise OptionError("model", model or "", _wanted(limit.models, limit))

    def within(self, request: PermissionRequest) -> PermissionRequest:
        """Take from a request what may not be chosen; ``bypassPermissions`` never comes by a suggestion."""
        allowed = [suggestion for suggestion in request.suggestions if self.allows_suggestion(suggestion)]

        return replace(request, suggestions=tuple(allowed))

    def narrowed(self, decision: Decision) -> Decision:
        """Take from a decision what may not be chosen; the tool use itself is not touched."""
        kept = filter(self.allows_suggestion, decision.suggestions if self.offer_always else ())

        return replace(decision, suggestions=tuple(kept), mode=decision.mode if self.allows_mode(decision.mode) else "")

    def allows_suggestion(self, suggestion: Suggestion) -> bool:
        """Whether what the CLI suggests may be chosen."""
        return suggestion.kind != "mode" or (suggestion.mode != BYPASS and self.allows_mode(suggestion.mode))

    def lock(self, name: str, value: object) -> str | None:
        """Say who locked a trait, if that value would widen what is allowed."""
        return next((limit.source for limit in self._limits if _is_wider(name, value, limit)), None)

    def _refusing_mode(self, mode: str) -> Limit | None:
        if mode in {"", _ALWAYS_ALLOWED}:
            return None

        return next((limit for limit in self._limits if limit.modes and mode not in limit.modes), None)

    def _refusing_model(self, model: str) -> Limit | None:
        return next((limit for limit in self._limits if limit.models and not _matches(limit.models, model)), None)


def read_limits(directories: Iterable[Path]) -> list[Limit]:
    """Read what the ``ipython_config.py`` of each directory sets of ``ClaudeMagics``; without those that set nothing.

    Raises:
        OptionError: a file that speaks of it does not run: what it allows is then not known.
    """
    files = [Path(directory, _FILE) for directory in directories]
    limits = [_read_limit(file) for file in files if file.is_file()]

    return [limit for limit in limits if limit is not None]


def system_directories() -> list[Path]:
    """Give the directories of IPython's configuration that are not the person's own."""
    from IPython.core.application import ENV_CONFIG_DIRS, SYSTEM_CONFIG_DIRS  # noqa: PLC0415 - not without a shell

    return [Path(directory) for directory in (*SYSTEM_CONFIG_DIRS, *ENV_CONFIG_DIRS)]


def _is_wider(name: str, value: object, limit: Limit) -> bool:
    if name == "offer_always_allow":
        return bool(value) and not limit.offer_always

    words = _words(value)

    if name == "allowed_modes":
        return bool(limit.modes) and not (words and {*words} <= {_ALWAYS_ALLOWED, *limit.modes})

    return bool(limit.models) and not (words and all(_matches(limit.models, word) for word in words))


def _read_limit(file: Path) -> Limit | None:
    try:
        # A file that says nothing of it is none of our business, and is not run again.
        if _SECTION not in file.read_text(encoding="utf-8"):
            return None

        section = PyFileConfigLoader(file.name, path=str(file.parent)).load_config().get(_SECTION, Config())
        limit = Limit(
            source=str(file),
            modes=_words(section.get("allowed_modes")),
            models=_words(section.get("allowed_models")),
            offer_always=section.get("offer_always_allow", True) is True,
        )
    except Exception as error:
        raise OptionError("the system-wide configuration", str(file), f"one that can be read ({error})") from error

    return limit


def _words(value: object) -> tuple[str, ...]:
    given = value.get_value([]) if isinstance(value, LazyConfigValue) else value

    if given is None:
        return ()

    if isinstance(given, (list, tuple, set)) and all(isinstance(word, str) for word in given):
        return tuple(given)

    raise OptionError("a limit", given, "a list of names")


def _wanted(allowed: Iterable[str], limit: Limit) -> str:
    return f"one of {', '.join(allowed)}; {limit.source} allows no other"


def _matches(patterns: Iterable[str], name: str) -> bool:
    return any(pattern_matches(pattern, name) for pattern in patterns)
