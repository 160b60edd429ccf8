"""Tests for askwidgets.short_receipt: what a notebook saves of a decision."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, strategies as st

from askwidgets.short_receipt import full_receipt, short_receipt

ASKED: Mapping[str, object] = {
    "question": "Which store?",
    "header": "Store",
    "kind": "choice",
    "options": [{"label": "SQLite", "description": "one file"}, {"label": "None"}],
    "answer": {"labels": ["SQLite"]},
}
ANSWERED: Mapping[str, object] = {
    "version": 1,
    "kind": "question",
    "status": "Answered",
    "by": "person",
    "questions": [ASKED],
    "sent": {"answers": {"Which store?": "SQLite"}},
}


def test_each_thing_is_saved_once() -> None:
    asked = {
        "question": "Which store?",
        "header": "Store",
        "options": ["SQLite\none file", "None"],
        "sent": "SQLite",
    }
    assert short_receipt(ANSWERED) == {"version": 2, "kind": "question", "status": "Answered", "questions": [asked]}


TEXTS = st.sampled_from(["Which store?", "SQLite", "a\nb", ""])
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "by": st.sampled_from(["script", "%claude answer"]),
        "questions": st.lists(
            st.fixed_dictionaries(
                {"question": TEXTS},
                optional={
                    "kind": st.sampled_from(["choice", "text"]),
                    "multi_select": st.just(True),  # noqa: FBT003 - a value
                    "options": st.lists(st.fixed_dictionaries({"label": TEXTS}, optional={"description": TEXTS})),
                    "answer": st.fixed_dictionaries({}, optional={"labels": st.lists(TEXTS), "notes": TEXTS}),
                },
            ),
            max_size=3,
        ),
        "sent": st.fixed_dictionaries(
            {}, optional={"answers": st.dictionaries(TEXTS, TEXTS), "message": TEXTS, "annotations": st.just({})}
        ),
    },
)


@given(CHANGES)
def test_nothing_gets_lost(changes: Mapping[str, object]) -> None:
    """Labels may be the same, and answers may be to other questions; nbformat sorts what is in an object."""
    receipt = {**ANSWERED, **changes}

    saved = json.loads(json.dumps(short_receipt(receipt), sort_keys=True))
    assert full_receipt(saved) == receipt


@pytest.mark.parametrize("kind", ["permission", "plan"])
def test_other_receipts_and_those_of_earlier_versions_stay_as_they_are(kind: str) -> None:
    assert short_receipt({"version": 1, "kind": kind}) == {"version": 1, "kind": kind}
    assert full_receipt(ANSWERED) == ANSWERED


@pytest.mark.parametrize("questions", [None, "x", [3], [{}], [{"sent": []}], [{"options": [3]}]])
def test_what_others_wrote_is_read_as_it_is(questions: object) -> None:
    assert full_receipt({"version": 2, "questions": questions})["questions"] is not None or questions is None
