"""What a person can be asked and what can come of it: the values that parser, form, script and session share.

Values only; ``questions`` turns them from and to the JSON of AskUserQuestion.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

__all__ = ["Answer", "Ask", "Kind", "Option", "Outcome", "OutcomeKind", "Question", "QuestionRequest"]

Kind = Literal["choice", "text", "number"]
"""What a question takes: options (and one's own words), text, or a number."""

OutcomeKind = Literal["answered", "replied", "asked_more", "declined", "timed_out"]
"""What a person did with a question; the first three are allowed to the tool, the others denied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing that can be picked."""

    label: str
    """What the model reads when this is picked, byte for byte."""
    description: str = ""
    """What picking it means; may be empty."""
    preview: str | None = None
    """Markdown or an HTML fragment to show beside the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a request, with all that a form needs to ask it."""

    text: str
    """The full question: the key of its answer, byte for byte."""
    header: str = ""
    """A chip of about twelve characters; may be longer, or empty."""
    kind: Kind = "choice"
    """``choice`` also takes one's own words; a choice without options is parsed to ``text``."""
    options: tuple[Option, ...] = ()
    """What can be picked, in the order given."""
    multi_select: bool = False
    """Several options may be picked."""
    description: str = ""
    """Shown under the question."""
    placeholder: str = ""
    """Shown in an empty field of kind ``text``."""
    minimum: float | None = None
    """Smallest number taken, inclusive."""
    maximum: float | None = None
    """Largest number taken, inclusive."""
    step: float | None = None
    """Distance of the numbers offered."""
    default: str | float | None = None
    """What the field of kind ``text`` or ``number`` holds at first."""
    unit: str = ""
    """Shown behind the number, never sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRequest:
    """One call of AskUserQuestion: its questions and what came with them."""

    questions: tuple[Question, ...]
    """At least one; texts are unique."""
    input: Mapping[str, object]
    """The tool's input as it came; never changed, and sent back with the answers."""
    title: str = ""
    """Stands above the form; may be empty."""
    tool_use_id: str = ""
    """Tells this call from others that wait at the same time."""
    agent_id: str | None = None
    """The subagent that asks, if one does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person gave to one question; empty when nothing was given."""

    labels: tuple[str, ...] = ()
    """Labels of the picked options; sent in the order of the options."""
    other: str = ""
    """One's own words, beside or instead of options; the text of kind ``text``."""
    number: float | None = None
    """The number of kind ``number``."""
    notes: str = ""
    """A note for the model; alone it is an answer too."""
    skipped: bool = False
    """Left out on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a question request."""

    kind: OutcomeKind
    answers: Mapping[str, Answer] = field(default_factory=dict)
    """By question text. With ``declined`` and ``timed_out``: what had been picked by then."""
    words: str = ""
    """The reply, the remark or the reason in the person's own words."""
    by: str = "person"
    """Who settled it: ``person``, ``script``, or the command that did."""


class Ask(Protocol):
    """Whatever can be asked: a form, a script of answers, a terminal."""

    def __call__(self, request: QuestionRequest, /) -> Awaitable[Outcome]:
        """Settle the request; cancelled when the agent no longer waits."""
