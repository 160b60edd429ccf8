"""Answers given beforehand: a script that answers the agent's questions with nobody there.

It maps a question's text, or a pattern with ``*``, to an answer; the forms are the same in Python, YAML and JSON::

    "Which store*": SQLite                       # a label
    "Which columns?": [price, region]            # labels of a multi-select
    "Chart title?": {other: "Sales, 2026"}       # one's own words
    "How many bins?": 30
    "Which layout?": {answer: Grid, notes: "wide screens only"}
    "Which extras?": {skip: true}
    "Ship it?": {decline: "not decided yet"}     # or {response: words}, or {ask_more: remark}
    "*": first                                   # the first option

    allow: [Read, "Bash(git status*)"]           # permissions, see ``policy``
    deny: ["Read(.env)"]
    plan: approve                                # or {keep_planning: words}

``allow`` and ``deny`` with a list, and ``plan`` with ``approve`` or ``keep_planning``, are never the answer to a
question of that text; a pattern (``allow*``) is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import final

from askwidgets.answer_entry import AnswerEntry, example_line, parse_entry
from askwidgets.answers_file import read_answers_file
from askwidgets.errors import AnswerError, OptionError, UnansweredError
from askwidgets.pattern import pattern_matches
from askwidgets.permissions import Rule
from askwidgets.policy import Policy, parse_rule
from askwidgets.questions import Answer, Outcome, Question, QuestionRequest, outcome_problem

__all__ = ["Answers", "unanswered"]

_DENIED = ("declined", "timed_out")


@final
class Answers:
    """A script of answers, usable as ``ask=``.

    ::

        answers = Answers({"Which store*": "SQLite", "*": "first"})
        session = Session(ask=answers, permit=answers.permissions)

    The entries map a question's text, or a pattern with ``*``, to a label, a list of labels, a number, ``first``, or a
    mapping such as ``{"other": "my words", "notes": "a note"}``; ``%claude help answers`` shows every form.
    """

    def __init__(
        self,
        entries: Mapping[str, object],
        *,
        source: Path | str = "answers",
        lines: Mapping[str, int] | None = None,
        fallbacks: Sequence[Answers] = (),
    ) -> None:
        """Take the entries; ``source`` and ``lines`` say in errors where each stands.

        What they have no entry for is looked up in the ``fallbacks``, one after the other.

        Raises:
            AnswerError: they are no mapping, or an entry has no known form.
        """
        if not isinstance(entries, Mapping):
            raise AnswerError(f"{source}: wanted a mapping, not {entries!r}. Answers.from_file reads a file.")

        self.source: str = str(source)
        """The file or name that errors and warnings give."""
        self._lines = lines or {}
        reserved = {name: given for name, given in entries.items() if _is_reserved(name, given)}
        self.permissions: Policy = self._policy(reserved)
        self._entries = tuple(
            parse_entry(pattern, given, self._place(pattern))
            for pattern, given in entries.items()
            if pattern not in reserved
        )
        self._used: set[str] = set()
        self._fallbacks = tuple(fallbacks)
        # Rules add up, as the CLI's own do; of plans the nearest word counts.
        if fallbacks:
            self.permissions = _merged([self.permissions, *(answers.permissions for answers in fallbacks)])

    @classmethod
    def from_file(cls, path: Path | str) -> Answers:
        """Read a YAML or JSON file.

        Raises:
            AnswerError: it cannot be read or does not parse; names the file and the line.
        """
        file = Path(path)
        entries, lines = read_answers_file(file)
        return cls(entries, source=file, lines=lines)

    @property
    def unused(self) -> tuple[str, ...]:
        """The patterns that have matched no question so far."""
        return tuple(entry.pattern for entry in self._entries if entry.pattern not in self._used)

    @property
    def warnings(self) -> list[str]:
        """Say in words which patterns matched nothing; a bare ``*`` is there for what may not come."""
        places = [(self._place(pattern), pattern) for pattern in self.unused if pattern != "*"]
        return [f"{place}: no question matched {json.dumps(name, ensure_ascii=False)}." for place, name in places]

    def covers(self, request: QuestionRequest) -> bool:
        """Tell whether every question has an entry."""
        return self.uncovered(request) is None

    def uncovered(self, request: QuestionRequest) -> Question | None:
        """Give the first question that has no entry."""
        return next((question for question in request.questions if self.find(question.text) is None), None)

    async def __call__(self, request: QuestionRequest, /) -> Outcome:
        """Settle the request; what ``ask=`` calls."""
        return self.outcome(request)

    def outcome(self, request: QuestionRequest) -> Outcome:
        """Settle the request as the entries say; one that declines or replies does so for all its questions.

        Raises:
            UnansweredError: a question has no entry.
            AnswerError: an entry does not fit its question.
        """
        answers: dict[str, Answer] = {}
        settling: AnswerEntry | None = None
        entries = {question.text: self.find(question.text) for question in request.questions}
        for question in request.questions:
            entry = entries[question.text]
            if entry is None:
                raise unanswered(request, self)

            answers[question.text] = entry.answer(question)
            settling = settling or (entry if entry.kind != "answered" else None)
            self.use(entry)

        outcome = Outcome(
            kind=settling.kind if settling else "answered",
            answers=answers,
            words=settling.words if settling else "",
            by="script",
        )
        # What the tool would refuse fails here, where the file and the line can be named.
        problem = None if outcome.kind in _DENIED else outcome_problem(request, outcome)
        if problem:
            raise AnswerError(f"{self.source}: {problem}")

        return outcome

    def find(self, text: str) -> AnswerEntry | None:
        """Find the entry of a question, of these answers or else of a fallback."""
        found = (answers.find(text) for answers in self._fallbacks)
        return self._own_entry(text) or next((entry for entry in found if entry is not None), None)

    def use(self, entry: AnswerEntry) -> None:
        """Know that an entry, of these answers or of a fallback, has matched a question."""
        # By identity: a fallback may hold an equal entry, which has matched nothing.
        if any(entry is own for own in self._entries):
            self._used.add(entry.pattern)

        for answers in self._fallbacks:
            answers.use(entry)

    def _own_entry(self, text: str) -> AnswerEntry | None:
        """Find the entry of a question: its exact text, else the pattern with the most literal characters."""
        exact = next((entry for entry in self._entries if entry.pattern == text), None)
        if exact is not None:
            return exact

        matching = [entry for entry in self._entries if pattern_matches(entry.pattern, text)]
        return max(matching, key=lambda entry: len(entry.pattern.replace("*", "")), default=None)

    def _place(self, pattern: str) -> str:
        line = self._lines.get(pattern)
        return self.source if line is None else f"{self.source}, line {line}"

    def _policy(self, reserved: Mapping[str, object]) -> Policy:
        plan = reserved.get("plan")
        sent_back = plan.get("keep_planning") or "Keep planning." if isinstance(plan, Mapping) else ""
        return Policy(
            allow=self._rules("allow", reserved),
            deny=self._rules("deny", reserved),
            plan=plan if isinstance(plan, str) else None,
            keep_planning=str(sent_back),
        )

    def _rules(self, name: str, reserved: Mapping[str, object]) -> list[Rule]:
        given = reserved.get(name)
        try:
            return [parse_rule(str(rule)) for rule in given] if isinstance(given, list | tuple) else []
        except OptionError as error:
            raise AnswerError(f"{self._place(name)}: {error}") from None


def _merged(policies: Sequence[Policy]) -> Policy:
    about_plans = next((policy for policy in policies if policy.plan or policy.keep_planning), Policy())
    return Policy(
        allow=[rule for policy in policies for rule in policy.allow],
        deny=[rule for policy in policies for rule in policy.deny],
        plan=about_plans.plan,
        keep_planning=about_plans.keep_planning,
    )


def unanswered(request: QuestionRequest, answers: Answers | None = None) -> UnansweredError:
    """Say which question of a request has no entry, and which line would answer it."""
    question = (answers.uncovered(request) if answers else None) or request.questions[0]
    key = json.dumps(question.text, ensure_ascii=False)
    return UnansweredError(
        question.text, [option.label for option in question.options], f"{key}: {example_line(question)}"
    )


def _is_reserved(name: str, given: object) -> bool:
    if name in {"allow", "deny"}:
        return isinstance(given, list | tuple)

    return name == "plan" and (given == "approve" or (isinstance(given, Mapping) and "keep_planning" in given))
