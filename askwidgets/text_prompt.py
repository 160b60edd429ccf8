"""Asks in text, where no widget can be answered: numbered options and ``input()``.

A blocking prompt on the thread that runs the cell; the receipt is the same as a form's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askwidgets.cell_host import CellHost
from askwidgets.kernel import PromptInterrupt
from askwidgets.markup import plain
from askwidgets.permissions import Decision, PermissionRequest, denial
from askwidgets.questions import Answer, Outcome, Question, QuestionRequest, answer_problem
from askwidgets.tool_view import tool_sentence

__all__ = ["TextPrompt", "prompted_decision", "prompted_outcome"]

_PLAN = "ExitPlanMode"


@dataclass(frozen=True, slots=True)
class TextPrompt:
    """Asks for the cell of ``host``; ``ask`` and ``permit`` are what a session is handed."""

    host: CellHost

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Settle a question by the answers given beforehand, else line by line."""
        outcome = await self.host.given_outcome(request)

        if outcome is None:
            outcome = prompted_outcome(request)
            self.host.show_outcome(request, outcome)

        return outcome

    async def permit(self, request: PermissionRequest) -> Decision:
        """Decide about a tool use by what was given beforehand, else by yes or no."""
        decision = await self.host.given_decision(request)

        if decision is None:
            decision = prompted_decision(request)
            self.host.show_decision(request, decision)

        return decision


def prompted_outcome(request: QuestionRequest) -> Outcome:
    """Ask every question of the request, one line each.

    Raises:
        PromptInterrupt: the person pressed Ctrl-C.
    """
    return Outcome(kind="answered", answers={question.text: _asked(question) for question in request.questions})


def _asked(question: Question) -> Answer:
    print(plain(question.text))  # noqa: T201 - the prompt's own output

    for number, option in enumerate(question.options, start=1):
        words = f"{option.label}: {option.description}" if option.description else option.label
        print(f"  {number}. {plain(words)}")  # noqa: T201

    hint = _hint(question)

    while True:
        answer = _parsed(question, _line(f"{hint}: "))
        problem = answer_problem(question, answer)

        if problem is None:
            return answer

        print(problem)  # noqa: T201


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
    plan = request.input.get("plan")

    if request.tool_name == _PLAN:
        print(plain(plan) if isinstance(plan, str) else "No plan was supplied.")  # noqa: T201
    else:
        print(plain(tool_sentence(request.tool_name, request.input, request.title)))  # noqa: T201

    line = _line("Type yes to allow, or say why not: ").strip()

    if line.lower() in {"y", "yes"}:
        return Decision(allow=True)

    reason = "" if line.lower() in {"n", "no"} else line

    return Decision(allow=False, message=denial(request, reason), reason=reason)


def _line(prompt: str) -> str:
    try:
        return input(prompt)
    except (KeyboardInterrupt, EOFError) as error:
        raise PromptInterrupt from error
