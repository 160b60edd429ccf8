"""Questions of the past in a notebook: asked again on a branch, or at last when the tool answered itself."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from askwidgets.errors import OptionError
from askwidgets.notebook import Notebook
from askwidgets.past_question import PastQuestion, past_questions
from askwidgets.session import Session
from askwidgets.session_options import SessionOptions

__all__ = ["reopen"]

_REWIND = "--rewind"
"""Put files back as well."""


def reopen(notebook: Notebook, rest: str) -> str:
    """Ask a question again, and branch there: %claude reopen [N] [SESSION] [--rewind]; 1 is the latest question."""
    words = rest.split()
    rewinds = _REWIND in words
    rest = " ".join(word for word in words if word != _REWIND)
    place, _, name = rest.partition(" ") if rest[:1].isdecimal() else ("1", "", rest)
    session = notebook.session(name.strip() or "main")
    past = past_questions(session.turns)

    if not past:
        raise OptionError("the session of %claude reopen", session.name, "one that has asked something")

    if not place.isdecimal() or not 1 <= int(place) <= len(past):
        raise OptionError(
            "%claude reopen", place, f"one of the {len(past)} questions that session {session.name} asked"
        )

    question = replace(past[int(place) - 1], rewinds=rewinds)

    if rewinds and not question.prompt_uuid:
        wanted = "a question of a turn that kept copies of files: set ClaudeMagics.file_checkpoints = True before it"
        raise OptionError(_REWIND, place, wanted)

    branch = _branch(notebook, session, question)
    notebook.follow_up(question, branch, notebook.outputs(), is_branch=True)

    return f"Your answer goes to the branch {branch.name}; %%claude -s {branch.name} goes on in it."


def _branch(notebook: Notebook, session: Session, question: PastQuestion) -> Session:
    root = session.name.partition("~")[0]
    name = next(name for number in count(2) if (name := f"{root}~{number}") not in notebook.sessions)
    options: SessionOptions = {**session.options, "resume": question.session_id, "fork": False}
    branch = notebook.sessions[name] = Session(name=name, **options)

    return branch
