"""The form of a question in a terminal: lists to pick from, lines to type in, and the same ways out as in a notebook.

It needs neither IPython nor widgets, so a script has it as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from askwidgets.hidden import plain
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.plain_json import number_text
from askwidgets.preview import is_fragment
from askwidgets.questions import (
    Answer,
    Outcome,
    Question,
    QuestionRequest,
    answer_problem,
    answer_text,
    outcome_problem,
)
from askwidgets.terminal_decision import asked_decision
from askwidgets.terminal_prompt import Row, pick, tell, tick, type_line
from askwidgets.terminal_text import code_text, has_colors, markdown_text

__all__ = ["TerminalForm"]

_OTHER, _NOTES, _SKIP, _REPLY, _DISCUSS, _BACK, _SUBMIT = (
    "other",
    "notes",
    "skip",
    "reply",
    "discuss",
    "back",
    "submit",
)
"""The values of our own rows; those of options are their places."""

_OWN_WORDS = Row(value=_OTHER, text="Your own answer")
_ADD_NOTE = Row(value=_NOTES, text="Notes")
_WAYS_OUT = (Row(value=_REPLY, text="Reply in my own words"), Row(value=_DISCUSS, text="Discuss instead"))


class _WayOut(Exception):  # noqa: N818 - leads out of the questions, and is no error
    """The person picked a way out, in the middle of the questions."""

    def __init__(self, way: str) -> None:
        super().__init__(way)
        self.way = way


class TerminalForm:
    """Asks a person at a terminal, one request at a time.

    ::

        form = TerminalForm()
        session = Session(ask=form.ask, permit=form.permit)
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def ask(self, request: QuestionRequest) -> Outcome:
        """Ask every question of the request.

        Raises:
            PromptInterrupt: the person pressed Ctrl-C.
        """
        # One at a time: two prompts on one terminal would take each other's keys.
        async with self._turn:
            return await _Questions(request).outcome()

    async def permit(self, request: PermissionRequest) -> Decision:
        """Ask whether a tool may run, or a plan be carried out.

        Raises:
            PromptInterrupt: the person pressed Ctrl-C.
        """
        async with self._turn:
            return await asked_decision(request)


class _Questions:
    """One request while it is asked."""

    def __init__(self, request: QuestionRequest) -> None:
        self._request = request
        self._is_single = len(request.questions) == 1
        self._answers: dict[str, Answer] = {}

    async def outcome(self) -> Outcome:
        self._tell_heading()

        while True:
            try:
                await self._ask_missing()
                await self._review()
                outcome = Outcome(kind="answered", answers=self._answers)
            except _WayOut as chosen:
                left = await self._left(chosen.way)

                if left is None:
                    continue

                outcome = left

            problem = None if outcome.kind == "declined" else outcome_problem(self._request, outcome)

            if problem is None:
                return outcome

            tell(problem)
            # Asked anew from the start: which of the answers was too much, the problem has just said.
            self._answers.clear()

    def _tell_heading(self) -> None:
        if self._request.agent_id is not None:
            tell(plain(f"Asked by a subagent ({self._request.agent_id})"))

        if self._request.title.strip():
            tell(_markdown(self._request.title))

    async def _ask_missing(self) -> None:
        for place, question in enumerate(self._request.questions, start=1):
            if question.text not in self._answers:
                self._answers[question.text] = await self._asked(question, place)

    async def _asked(self, question: Question, place: int) -> Answer:
        tell(_markdown(question.text))

        if question.description.strip():
            tell(_markdown(question.description))

        name = _name(question, place)
        answer = Answer()

        while True:
            answer = await self._answered(question, name, answer)
            problem = answer_problem(question, answer)

            if problem is None:
                return answer

            tell(problem)

    async def _answered(self, question: Question, name: str, answer: Answer) -> Answer:
        if question.kind != "choice":
            return await self._typed(question, name, answer)

        if question.multi_select:
            return await self._ticked(question, name, answer)

        return await self._picked(question, name, answer)

    async def _picked(self, question: Question, name: str, answer: Answer) -> Answer:
        rows = [*_option_rows(question), _OWN_WORDS]
        note = Row(value=_NOTES, text=f"Notes: {answer.notes}" if answer.notes else "Notes, and then an option")
        picked = await pick(name, rows, below=[note, *self._ways(question)], previews=_previews(question))

        if picked == _NOTES:
            return await self._answered(question, name, await _noted(answer))

        if picked == _OTHER:
            return replace(answer, labels=(), other=await _own_words(answer))

        if picked.isdecimal():
            return replace(answer, labels=(question.options[int(picked)].label,))

        return self._leave(picked, answer)

    async def _ticked(self, question: Question, name: str, answer: Answer) -> Answer:
        self._tell_previews(question)
        rows = [replace(row, ticked=_label(question, row) in answer.labels) for row in _option_rows(question)]
        rows += [replace(_OWN_WORDS, ticked=bool(answer.other)), replace(_ADD_NOTE, ticked=bool(answer.notes))]
        ticked = await tick(name, rows)

        if not ticked:
            return await self._otherwise(question, name, answer, again="Pick from the list")

        answer = Answer(labels=tuple(question.options[int(value)].label for value in ticked if value.isdecimal()))

        if _OTHER in ticked:
            answer = replace(answer, other=await _own_words(answer))

        return await _noted(answer) if _NOTES in ticked else answer

    def _tell_previews(self, question: Question) -> None:
        for value, preview in _previews(question).items():
            tell(f"{plain(question.options[int(value)].label)}:\n{preview}")

    async def _typed(self, question: Question, name: str, answer: Answer) -> Answer:
        line = await type_line(name, default=_default(question, answer), hint=_hint(question))

        if not line.strip():
            return await self._otherwise(question, name, answer, again="Type an answer")

        if question.kind == "number":
            try:
                # A comma is how much of the world writes the decimal point.
                return replace(answer, number=float(line.replace(",", ".")), other="")
            except ValueError:
                pass

        return replace(answer, number=None, other=line)

    async def _otherwise(self, question: Question, name: str, answer: Answer, *, again: str) -> Answer:
        """Show the ways out where nothing was given."""
        note = Row(value=_NOTES, text="Only notes")
        picked = await pick(name, [Row(value=_BACK, text=again), note, *self._ways(question)])

        if picked == _BACK:
            return await self._answered(question, name, answer)

        return await _noted(answer) if picked == _NOTES else self._leave(picked, answer)

    def _ways(self, question: Question) -> Sequence[Row]:
        """Give the ways out; a question that stands alone is declined rather than skipped."""
        skip = () if self._is_single else (Row(value=_SKIP, text=f"Skip {plain(question.header)}".rstrip()),)

        return [*skip, *_WAYS_OUT]

    def _leave(self, way: str, answer: Answer) -> Answer:
        if way == _SKIP:
            return Answer(skipped=True, notes=answer.notes)

        raise _WayOut(way)

    async def _review(self) -> None:
        """Let several answers be looked at before they are sent."""
        while not self._is_single:
            questions = self._request.questions
            rows = [
                Row(value=str(place), text=f"Change {_name(question, place)}: {self._summary(question)}")
                for place, question in enumerate(questions, start=1)
            ]
            picked = await pick("Submit?", [Row(value=_SUBMIT, text="Submit answers"), *rows], below=_WAYS_OUT)

            if picked == _SUBMIT:
                return

            if not picked.isdecimal():
                raise _WayOut(picked)

            place = int(picked)
            question = questions[place - 1]
            self._answers[question.text] = await self._asked(question, place)

    def _summary(self, question: Question) -> str:
        answer = self._answers[question.text]
        notes = f" (notes: {answer.notes})" if answer.notes else ""

        return ("skipped" if answer.skipped else answer_text(question, answer) or "no option") + notes

    async def _left(self, way: str) -> Outcome | None:
        """Take the words that go with a way out; ``None`` leads back to the questions."""
        if way == _DISCUSS:
            words = await type_line("What should be discussed?", hint="Enter alone says nothing of it")

            return Outcome(kind="declined", words=words.strip(), answers=self._answers)

        words = await type_line("Your reply", hint="Enter alone leads back")

        return Outcome(kind="replied", words=words.strip(), answers=self._answers) if words.strip() else None


async def _noted(answer: Answer) -> Answer:
    return replace(answer, notes=(await type_line("Notes", default=answer.notes)).strip())


async def _own_words(answer: Answer) -> str:
    return (await type_line("Your own answer", default=answer.other)).strip()


def _name(question: Question, place: int) -> str:
    return question.header.strip() or f"Question {place}"


def _option_rows(question: Question) -> list[Row]:
    return [
        Row(value=str(place), text=f"{option.label}: {option.description}" if option.description else option.label)
        for place, option in enumerate(question.options)
    ]


def _label(question: Question, row: Row) -> str:
    return question.options[int(row.value)].label


def _previews(question: Question) -> dict[str, str]:
    """Give the previews by the values of the rows, safe for the terminal."""
    return {str(place): _preview(option.preview) for place, option in enumerate(question.options) if option.preview}


def _preview(preview: str) -> str:
    if is_fragment(preview):
        return code_text(preview, "html", colored=has_colors())

    return _markdown(preview)


def _markdown(text: str) -> str:
    return markdown_text(text, colored=has_colors())


def _default(question: Question, answer: Answer) -> str:
    """Give what stands in the line at first."""
    if answer.other or answer.number is not None:
        return answer.other or number_text(answer.number or 0.0)

    if isinstance(question.default, str):
        return question.default

    return "" if question.default is None else number_text(question.default)


def _hint(question: Question) -> str:
    """Say what can be typed."""
    low, high = question.minimum, question.maximum
    bounds = [
        "" if low is None else f"from {number_text(low)}",
        "" if high is None else f"to {number_text(high)}",
        f"in {plain(question.unit)}" if question.unit else "",
    ]
    said = " ".join(["a number", *filter(None, bounds)]) if question.kind == "number" else plain(question.placeholder)

    return f"{said}; Enter alone shows other ways" if said else "Enter alone shows other ways"
