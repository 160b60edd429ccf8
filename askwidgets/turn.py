"""A turn: one prompt to its result, as a value that the next cell can use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from askwidgets.hidden import plain
from askwidgets.markdown_text import CodeBlock, MarkdownText, code_blocks, markdown_bundle
from askwidgets.questions import Answer, Outcome, Question, QuestionRequest, answer_text
from askwidgets.receipt import RECEIPT_TYPE, question_receipt

__all__ = ["AskedQuestion", "Notice", "ToolUse", "Turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """One call of AskUserQuestion and what became of it."""

    request: QuestionRequest
    outcome: Outcome

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        # Not what programs read: the question was answered once, and its receipt says so where it was asked.
        bundle = question_receipt(self.request, self.outcome).bundle()

        return {kind: data for kind, data in bundle.items() if kind != RECEIPT_TYPE}


@dataclass(frozen=True, slots=True)
class Notice:
    """What the session itself has to say of a turn; comes among the messages."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One tool use with its result."""

    id: str
    name: str
    input: Mapping[str, object]
    result: object = None
    """Text, or content blocks as they came; ``None`` while there is no result."""
    is_error: bool = False
    parent: str | None = None
    """The tool use of the subagent that made it, if one did."""
    message_id: str = ""
    """Of the agent's message; the same for all that it used at once."""
    message_uuid: str = ""
    """Of the entry in the conversation that holds it: where a late answer resumes."""
    text_before: int = 0
    """How many characters of the turn's text the agent had said by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one prompt led to.

    ::

        turn = await session.prompt("Which columns matter? Ask me.")
        turn.text                          # what the agent said, in Markdown
        turn.answers["Which columns?"]     # an answer as text; several labels are joined by ", "
        turn.picked["Which columns?"]      # its labels by themselves: ("price", "region")
        turn.questions[0].outcome.answers  # by question text: labels, other, number, notes
        turn.tool_uses[0].name             # also its input, result and is_error
        turn.duration, turn.cost_usd       # seconds, US dollars or None
    """

    prompt: str
    text: str = MarkdownText()
    """What the agent said, in Markdown; its messages are joined by an empty line."""
    questions: tuple[AskedQuestion, ...] = ()
    tool_uses: tuple[ToolUse, ...] = ()
    """In the order of their start, those of subagents included."""
    usage: Mapping[str, object] = field(default_factory=dict)
    """Tokens, as the Messages API counts them."""
    cost_usd: float | None = None
    """US dollars; ``None`` where the session reports none."""
    duration: float = 0.0
    """Seconds."""
    model: str = ""
    session_id: str = ""
    """To resume the conversation with."""
    prompt_uuid: str = ""
    """Of the entry that holds the prompt, before which files can be put back; empty without file checkpoints."""
    structured: object = None
    """The reply as data, where a schema was given."""
    interrupted: bool = False

    @property
    def answers(self) -> dict[str, str]:
        """Every answer given in the turn as the model read it, by question text."""
        return {question.text: answer_text(question, answer) for question, answer in self._answered()}

    @property
    def picked(self) -> dict[str, tuple[str, ...]]:
        """The labels picked in each answer, in the order of the options, by question text; empty where none was."""
        return {
            question.text: tuple(option.label for option in question.options if option.label in answer.labels)
            for question, answer in self._answered()
        }

    @property
    def code_blocks(self) -> tuple[CodeBlock, ...]:
        """The fenced blocks of code in what the agent said."""
        return code_blocks(self.text)

    def to_markdown(self) -> str:
        """Give the turn as a document: the prompt, what the agent said and used, questions with their answers."""
        prompt = "\n".join(f"> {line}".rstrip() for line in self.prompt.strip().splitlines())
        answers = "\n".join(f"- {question}: **{answer}**" for question, answer in self.answers.items())
        tools = "\n".join(f"- {use.name}{' (failed)' if use.is_error else ''}" for use in self._other_uses())
        parts = [prompt, self.text, answers and f"### Answers\n\n{answers}", tools and f"### Tools\n\n{tools}"]

        return "\n\n".join(part for part in parts if part) + "\n"

    def __str__(self) -> str:
        return plain(self.to_markdown())

    def _answered(self) -> list[tuple[Question, Answer]]:
        return [
            (question, asked.outcome.answers[question.text])
            for asked in self.questions
            if asked.outcome.kind == "answered"
            for question in asked.request.questions
            if question.text in asked.outcome.answers
        ]

    def _other_uses(self) -> list[ToolUse]:
        return [use for use in self.tool_uses if use.name != "AskUserQuestion"]

    def _repr_mimebundle_(self, **_: object) -> dict[str, object]:
        return markdown_bundle(self.to_markdown())
