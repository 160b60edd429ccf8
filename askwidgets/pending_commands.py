"""The words of ``%claude`` for what waits: finding it again, and answering it by keyboard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import yaml

from askwidgets.answers import Answers
from askwidgets.errors import OptionError
from askwidgets.form import QuestionForm
from askwidgets.hidden import plain
from askwidgets.line_form import prompted_decision, prompted_outcome
from askwidgets.notebook import Notebook
from askwidgets.permissions import Decision, PermissionRequest, denial
from askwidgets.questions import Outcome, QuestionRequest

__all__ = ["answer", "pending"]

_BY = "%claude answer"
_NOTHING = "Nothing waits for you."
_PLACE = re.compile(r"#(?P<place>\d+)(?:\s+|$)")
_YES = frozenset({"y", "yes", "allow", "approve"})
_NO = frozenset({"n", "no", "deny"})


def pending(notebook: Notebook, _rest: str) -> str:
    """List what waits for you in every session, and show its forms here."""
    waiting = notebook.waiting()

    for _, entry in waiting:
        entry.show(notebook.outputs())

    lines = [f"#{place} {name}: {plain(entry.form.summary)}" for place, (name, entry) in enumerate(waiting, start=1)]

    return "\n".join(lines) or _NOTHING


def answer(notebook: Notebook, rest: str) -> str:
    """Answer what waits: %claude answer [#N] [LABEL, or as in an answers file]; without one it asks here."""
    waiting = notebook.waiting()
    match = _PLACE.match(rest)
    place = int(match["place"]) if match else 1
    given = rest[match.end() :] if match else rest

    if not waiting:
        return _NOTHING

    if not 1 <= place <= len(waiting):
        raise OptionError("%claude answer", f"#{place}", f"one of the {len(waiting)} that `%claude pending` lists")

    entry = waiting[place - 1][1]
    form = entry.form

    if isinstance(form, QuestionForm):
        is_first = form.settle(_outcome(form.request, given))
    else:
        is_first = form.settle(_decision(form.request, given))

    return f"Answered: {plain(entry.form.summary)}" if is_first else "It was answered elsewhere; nothing was changed."


def _outcome(request: QuestionRequest, given: str) -> Outcome:
    """Read an answer as an entry of an answers file has it, for all questions of the request.

    Raises:
        AnswerError: it does not fit the question.
    """
    if not given:
        return replace(prompted_outcome(request), by=_BY)

    labels = {option.label for question in request.questions for option in question.options}
    value = given if given in labels else _parsed(given)
    texts = {question.text for question in request.questions}
    entries = value if isinstance(value, Mapping) and texts & value.keys() else {"*": value}

    return replace(Answers(entries, source=_BY).outcome(request), by=_BY)


def _parsed(given: str) -> object:
    """Read a list, a mapping or a quoted text; any other text stands for itself, with its ``#`` and ``&``."""
    try:
        value: object = yaml.load(given, Loader=yaml.BaseLoader)  # noqa: S506 - it makes text, lists and mappings only
    except yaml.YAMLError:
        return given

    return value if isinstance(value, list | Mapping) or given[0] in "'\"" else given


def _decision(request: PermissionRequest, given: str) -> Decision:
    if not given:
        return replace(prompted_decision(request), by=_BY)

    word, _, reason = given.partition(" ")

    if word.lower().rstrip(":,") in _YES:
        return Decision(allow=True, by=_BY)

    reason = reason if word.lower().rstrip(":,") in _NO else given

    return Decision(allow=False, message=denial(request, reason), reason=reason, by=_BY)
