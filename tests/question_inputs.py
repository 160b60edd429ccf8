"""What AskUserQuestion may be called with: questions of each kind, valid ones of all sorts, and odd ones."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from hypothesis import strategies as st

from askwidgets.questions import Answer, Outcome, Question, QuestionRequest, parse_question_request, updated_input

__all__ = [
    "BINS",
    "CHECKS",
    "LAYOUT",
    "STORE",
    "TITLE",
    "VALID_INPUTS",
    "answered",
    "odd_inputs",
    "only",
    "requested",
    "valid_questions",
]

STORE: dict[str, object] = {
    "question": "Which store should hold sessions?",
    "header": "Store",
    "multiSelect": False,
    "options": [{"label": "Redis", "description": "in memory"}, {"label": "SQLite", "description": "one file"}],
}
CHECKS: dict[str, object] = {
    "question": "Which checks run in CI?",
    "header": "CI",
    "multiSelect": True,
    "options": [{"label": "lint"}, {"label": "types"}, {"label": "unit"}],
}
LAYOUT: dict[str, object] = {
    "question": "Which layout?",
    "header": "Layout",
    "multiSelect": False,
    "options": [
        {"label": "Grid", "description": "", "preview": "+--+--+\n|a |b |"},
        {"label": "List", "description": ""},
    ],
}
BINS: dict[str, object] = {"question": "How many bins?", "header": "Bins", "kind": "number", "min": 0, "max": 100}
TITLE: dict[str, object] = {"question": "Chart title?", "header": "Title", "kind": "text"}

# Labels and texts that have been trouble: separators, quotes, escapes, other alphabets, the reserved word.
TEXTS = st.one_of(
    st.sampled_from(["A, B", 'say "hi"', "\\", '"', ", ", "(notes only)", 'a\\"b, c', "\u2028", "Other", "\x00"]),
    st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=12),
).filter(lambda text: text.strip())


@st.composite
def valid_questions(draw: st.DrawFn) -> dict[str, object]:
    question: dict[str, object] = {"question": draw(TEXTS), "header": draw(st.text(max_size=12))}
    kind = draw(st.sampled_from(["choice", "choice", "text", "number"]))
    if kind == "number":
        low, width = draw(st.integers(-1000, 1000)), draw(st.integers(1, 1000))
        return {**question, "kind": kind, "min": low, "max": low + width}

    if kind == "text":
        return {**question, "kind": kind}

    labels = draw(st.lists(TEXTS, min_size=2, max_size=4, unique=True))
    previews = st.one_of(st.none(), st.text(max_size=20))
    options = [
        {"label": label, "description": "d"} | ({} if (preview := draw(previews)) is None else {"preview": preview})
        for label in labels
    ]
    return {**question, "options": options, "multiSelect": draw(st.booleans())}


VALID_INPUTS = st.fixed_dictionaries(
    {"questions": st.lists(valid_questions(), min_size=1, max_size=4, unique_by=lambda question: question["question"])},
    optional={"title": st.text(max_size=20), "metadata": st.just({"source": "s"})},
)


LEAVES = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        1.5,
        math.inf,
        math.nan,
        10**400,
        "",
        " ",
        "true",
        "[]",
        "{}",
        "\ud800",
        "A",
        "text",
        "number",
    ]
)
ANYTHING = st.one_of(
    LEAVES,
    st.lists(LEAVES, max_size=3),
    st.dictionaries(st.sampled_from(["question", "label", "options", "kind", "preview", "\udfff"]), LEAVES, max_size=3),
)
OPTIONS = st.lists(st.one_of(ANYTHING, st.sampled_from(["A", "B, c", "Other"])), max_size=4)
FIELDS = st.sampled_from(["question", "header", "multiSelect", "kind", "min", "max", "step", "defaultValue", "unit"])


@st.composite
def odd_inputs(draw: st.DrawFn) -> dict[str, object]:
    """Questions in which some fields, or all, became anything."""
    whole = st.sampled_from([STORE, CHECKS, LAYOUT, BINS, TITLE])
    entries: list[object] = []
    for _ in range(draw(st.integers(1, 3))):
        entry: dict[str, object] = {**draw(whole), **draw(st.dictionaries(FIELDS, ANYTHING, max_size=2))}
        entries.append({**entry, "options": draw(OPTIONS)} if draw(st.booleans()) else entry)

    questions = draw(st.one_of(st.just(entries), st.just(entries), ANYTHING))
    return {"questions": json.dumps(questions) if draw(st.booleans()) else questions, "metadata": draw(LEAVES)}


def requested(*questions: Mapping[str, object], **more: object) -> QuestionRequest:
    return parse_question_request({"questions": list(questions), **more})


def answered(request: QuestionRequest, *answers: Answer) -> dict[str, object]:
    texts = [question.text for question in request.questions]
    return updated_input(request, Outcome(kind="answered", answers=dict(zip(texts, answers, strict=True))))


def only(request: QuestionRequest) -> Question:
    (question,) = request.questions
    return question
