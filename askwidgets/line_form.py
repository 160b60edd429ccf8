"""The form of a question where there is only ``input()``: numbered options, and a line for the answer.

It blocks the thread that runs the cell; the session's own goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from askwidgets.hidden import plain
from askwidgets.interrupt import PromptInterrupt, interrupt_raises
from askwidgets.permissions import Decision, PermissionRequest, denial
from askwidgets.plan_text import plan_text
from askwidgets.questions import (
    Answer,
    Outcome,
    OutcomeKind,
    Question,
    QuestionRequest,
    answer_problem,
    outcome_problem,
)
from askwidgets.tool_view import tool_code, tool_sentence

__all__ = ["LineForm", "prompted_decision", "prompted_outcome"]

_PLAN = "ExitPlanMode"
_SKIP, _NOTES, _REPLY, _DISCUSS = "/skip", "/notes", "/reply", "/discuss"
_LEAVING: dict[str, OutcomeKind] = {_REPLY: "replied", _DISCUSS: "declined"}


class _WayOut(Exception):  # noqa: N818 - leads out of the questions, and is no error
    """The person typed a way out, in the middle of the questions."""

    def __init__(self, kind: OutcomeKind, words: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.words = words


class LineForm:
    """Asks line by line; ``ask`` and ``permit`` are what a session is handed."""

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Ask every question of the request."""
        return prompted_outcome(request)

    async def permit(self, request: PermissionRequest) -> Decision:
        """Ask for yes or no."""
        return prompted_decision(request)


def prompted_outcome(request: QuestionRequest) -> Outcome:
    """Ask every question of the request, one line each.

    Raises:
        PromptInterrupt: the person pressed Ctrl-C.
    """
    if request.title.strip():
        _tell(request.title)

    while True:
        outcome = _outcome(request)
        problem = None if outcome.kind == "declined" else outcome_problem(request, outcome)

        if problem is None:
            return outcome

        _tell(problem)


def _outcome(request: QuestionRequest) -> Outcome:
    answers: dict[str, Answer] = {}

    try:
        for question in request.questions:
            answers[question.text] = _asked(question, can_skip=len(request.questions) > 1)
    except _WayOut as way:
        return Outcome(kind=way.kind, words=way.words, answers=answers)

    return Outcome(kind="answered", answers=answers)


def _asked(question: Question, *, can_skip: bool) -> Answer:
    _tell_question(question, can_skip=can_skip)
    notes = ""

    while True:
        line = _line(f"{_hint(question)}: ")
        word, _, words = line.strip().partition(" ")

        if word in _LEAVING:
            raise _WayOut(_LEAVING[word], words.strip())

        if word == _SKIP and can_skip:
            return Answer(skipped=True, notes=notes)

        if word == _NOTES:
            notes = words.strip()
            continue

        answer = replace(_parsed(question, line), notes=notes)
        problem = answer_problem(question, answer)

        if problem is None:
            return answer

        _tell(problem)


def _tell_question(question: Question, *, can_skip: bool) -> None:
    _tell(question.text)

    if question.description.strip():
        _tell(question.description)

    for number, option in enumerate(question.options, start=1):
        words = f"{option.label}: {option.description}" if option.description else option.label
        _tell(f"  {number}. {words}")

        if option.preview:
            _tell("\n".join(f"     {line}" for line in option.preview.splitlines()))

    skip = f", {_SKIP}" if can_skip else ""
    _tell(f"  ({_NOTES} WORDS adds a note{skip}; instead of an answer: {_REPLY} WORDS, {_DISCUSS} WORDS)")


def _hint(question: Question) -> str:
    if question.kind == "number":
        return f"A number, in {plain(question.unit)}" if question.unit else "A number"

    if not question.options:
        return "Your own answer"

    if question.multi_select:
        return "Numbers with commas, or your own answer"

    return "A number, or your own answer"


def _parsed(question: Question, line: str) -> Answer:
    """Read numbers as options and everything else as the person's own words."""
    if question.kind == "number":
        try:
            return Answer(number=float(line))
        except ValueError:
            return Answer(other=line)

    picked = _picked([option.label for option in question.options], line)

    if picked and (question.multi_select or len(picked) == 1):
        return Answer(labels=tuple(picked))

    return Answer(other=line)


def _picked(labels: Sequence[str], line: str) -> list[str]:
    words = [word.strip() for word in line.split(",")]

    if not all(word.isdecimal() and 1 <= int(word) <= len(labels) for word in words):
        return []

    return [labels[int(word) - 1] for word in words]


def prompted_decision(request: PermissionRequest) -> Decision:
    """Ask for yes or no.

    Raises:
        PromptInterrupt: the person pressed Ctrl-C.
    """
    if request.tool_name == _PLAN:
        plan = plan_text(request)
        _tell(plan or "No plan was supplied, so there is nothing to approve.")
        is_empty = not plan
    else:
        _tell(tool_sentence(request.tool_name, request.input, request.title, request.cwd))
        note, code, _ = tool_code(request.tool_name, request.input, request.cwd)
        _tell("\n".join(filter(None, [note, code])))
        is_empty = False

    line = _line("Say what to change: " if is_empty else "Type yes to allow, or say why not: ").strip()

    if line.lower() in {"y", "yes"} and not is_empty:
        return Decision(allow=True)

    reason = "" if line.lower() in {"n", "no"} else line

    return Decision(allow=False, message=denial(request, reason), reason=reason)


def _tell(text: str) -> None:
    print(plain(text))  # noqa: T201 - the prompt's own output


def _line(prompt: str) -> str:
    try:
        with interrupt_raises():
            return input(prompt)
    except (KeyboardInterrupt, EOFError) as error:
        raise PromptInterrupt from error
