"""A question of an earlier turn: to be asked again, or answered at last when the tool answered itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from askwidgets.errors import QuestionError
from askwidgets.questions import Outcome, QuestionRequest, parse_question_request
from askwidgets.result_text import result_text
from askwidgets.tool_view import tool_action
from askwidgets.turn import ToolUse, Turn

__all__ = ["PastQuestion", "cut_off_question", "past_questions", "unheard_question"]

_MOST_NAMED = 5
"""Of the things that the agent did since, how many are named."""

_KEPT = "What commands did stays."

_OFFER = "With --rewind, %claude reopen puts the files back, to where they were before that turn's prompt."

_CHANGES_NOTHING = frozenset({"AskUserQuestion", "Glob", "Grep", "Read", "TodoWrite"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PastQuestion:
    """A question with its place in the conversation."""

    request: QuestionRequest
    message: tuple[ToolUse, ...]
    """All tool uses of the agent's message that asked; at least one."""
    session_id: str
    """The conversation that holds it."""
    earlier: tuple[ToolUse, ...] = ()
    """What the agent used before it in the same turn."""
    later: tuple[ToolUse, ...] = ()
    """What the agent used after it."""
    prompt_uuid: str = ""
    """Of the turn's prompt, before which files can be put back; empty without file checkpoints."""
    rewinds: bool = False
    """Whether they are put back once it is answered."""
    outcome: Outcome | None = None
    """What became of it; ``None`` where nobody was asked."""

    @property
    def message_uuid(self) -> str:
        """Where the conversation resumes: the last entry of that message."""
        return self.message[-1].message_uuid

    def results(self, outcome: Outcome) -> dict[str, str]:
        """Give the results of all tool uses of the message, with the new answer among them."""
        # All of them: one that is left out comes to the model as missing due to an internal error.
        results = {use.id: _text(use.result) for use in self.message}

        return {**results, self.request.tool_use_id: result_text(self.request, outcome)}

    def prompt(self, outcome: Outcome) -> str:
        """Quote question and answer, for where they cannot be the tool's result."""
        questions = "\n".join(f"- {question.text}" for question in self.request.questions)

        return f"You asked earlier, and nobody could answer then:\n{questions}\n\n{result_text(self.request, outcome)}"

    def changes(self) -> str:
        """Say what the agent did since, and what becomes of it; empty where it did nothing of the kind."""
        since, before = _named(self.later), _named(self.earlier)

        if self.rewinds:
            also = f", which also undoes what came before the question: {before}" if before else ""
            return f"Your answer first puts files back to where they were before that turn's prompt{also}. {_KEPT}"

        if not since:
            return ""

        offer = f" {_OFFER}" if self.prompt_uuid else ""

        return f"What the agent did since is not undone: {since}.{offer}"


def past_questions(turns: Sequence[Turn]) -> list[PastQuestion]:
    """List the questions that were put to the person, the most recent first."""
    found = [past for place, turn in enumerate(turns) for past in _asked(turn, turns[place + 1 :])]

    return found[::-1]


def unheard_question(turn: Turn) -> PastQuestion | None:
    """Find the last question of a turn that the tool answered itself, with an error and nobody asked."""
    heard = {asked.request.tool_use_id for asked in turn.questions}

    for use in reversed(turn.tool_uses):
        if use.name == "AskUserQuestion" and use.is_error and use.id not in heard and not _is_asked_again(use):
            try:
                request = parse_question_request(use.input, tool_use_id=use.id)
            except QuestionError:
                return None

            return _past(request, use, turn)

    return None


def cut_off_question(turn: Turn) -> PastQuestion | None:
    """Find the question that waited when the CLI died."""
    use = turn.tool_uses[-1] if turn.tool_uses else None

    # Only the very last use can have waited when it died.
    if use is None or use.name != "AskUserQuestion" or use.result is not None or use.parent is not None:
        return None

    try:
        return _past(parse_question_request(use.input, tool_use_id=use.id), use, turn)
    except QuestionError:
        return None


def _asked(turn: Turn, later: Sequence[Turn]) -> Iterator[PastQuestion]:
    uses = {use.id: use for use in turn.tool_uses}
    afterwards = tuple(use for other in later for use in other.tool_uses)

    for asked in turn.questions:
        use = uses.get(asked.request.tool_use_id)

        if use is not None:
            past = _past(asked.request, use, turn)

            yield replace(past, outcome=asked.outcome, later=past.later + afterwards)


def _past(request: QuestionRequest, use: ToolUse, turn: Turn) -> PastQuestion:
    uses = turn.tool_uses
    message = tuple(other for other in uses if other is use or (use.message_id and other.message_id == use.message_id))
    later = uses[uses.index(message[-1]) + 1 :]

    return PastQuestion(
        request=request,
        message=message,
        session_id=turn.session_id,
        earlier=uses[: uses.index(message[0])],
        later=later,
        prompt_uuid=turn.prompt_uuid,
    )


def _named(uses: Sequence[ToolUse]) -> str:
    """Name what changed something."""
    done = [use for use in uses if use.name not in _CHANGES_NOTHING and not use.is_error]
    named = "; ".join(tool_action(use.name, use.input) for use in done[:_MOST_NAMED])

    return f"{named}; and {len(done) - _MOST_NAMED} more" if len(done) > _MOST_NAMED else named


def _is_asked_again(use: ToolUse) -> bool:
    """Whether the question is somebody else's: of a subagent, or of the agent when it has read what its call lacked."""
    return use.parent is not None or "InputValidationError" in _text(use.result)


def _text(result: object) -> str:
    """Give a tool result as text; of content blocks, what they say."""
    if isinstance(result, str):
        return result

    blocks = result if isinstance(result, list) else []

    return "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, Mapping))
