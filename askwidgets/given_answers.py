"""The answers given beforehand in a notebook: for one turn, for all that follow, and where nobody is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from askwidgets.answers import Answers
from askwidgets.errors import OptionError

__all__ = ["GivenAnswers", "TurnAnswers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAnswers:
    """What answers the questions of one turn."""

    answers: Answers | None = None
    """All of it; ``None`` where nothing was given."""
    own: Answers | None = None
    """What was given for this turn alone, so that what it did not use is of no use."""


class GivenAnswers:
    """Finds answers by name, and keeps those for the turns to come.

    Args:
        namespace: where names are looked up before files.
        file: answers that count only where nobody is there; may be empty.
    """

    def __init__(self, namespace: Mapping[str, object], *, file: str = "") -> None:
        self.chosen: Answers | None = None
        """What ``%claude answers`` set."""
        self._namespace = namespace
        self._file = file
        self._ambient: Answers | None = None

    def choose(self, name: str) -> list[str]:
        """Let a mapping or a file answer in all turns to come; gives warnings about what it replaces.

        Raises:
            OptionError: there is neither a mapping nor a file of that name.
            AnswerError: its content is no answers.
        """
        given = self._named(name, "%claude answers")
        warnings = self.drop()
        self.chosen = given
        return warnings

    def drop(self) -> list[str]:
        """Let people answer again; gives warnings about patterns that matched nothing."""
        chosen, self.chosen = self.chosen, None
        return chosen.warnings if chosen is not None else []

    def for_turn(self, name: str, *, is_attended: bool) -> TurnAnswers:
        """Give what answers in a turn: what it names itself goes first, the environment last.

        Raises:
            OptionError: there is neither a mapping nor a file of that name.
            AnswerError: its content is no answers.
        """
        own = self._named(name, "--answers") if name else None
        ambient = None if is_attended else self._from_environment()
        layers = [answers for answers in (own, self.chosen, ambient) if answers is not None]
        # An object of Answers may be meant for several turns.
        is_lasting = isinstance(self._namespace.get(name), Answers)
        return TurnAnswers(answers=Answers({}, fallbacks=layers) if layers else None, own=None if is_lasting else own)

    def _from_environment(self) -> Answers | None:
        if self._ambient is None and self._file:
            self._ambient = Answers.from_file(Path(self._file))

        return self._ambient

    def _named(self, name: str, option: str) -> Answers:
        value = self._namespace.get(name)
        if isinstance(value, Answers):
            return value

        if isinstance(value, Mapping):
            return Answers(value, source=name)

        path = Path(name).expanduser()
        if path.is_file():
            return Answers.from_file(path)

        raise OptionError(option, name, "the name of a mapping in the namespace, or a YAML or JSON file")
