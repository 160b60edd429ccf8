"""Tests for askwidgets.receipt: what stays in the notebook of a decision."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from askwidgets.errors import OptionError
from askwidgets.hidden import reveal
from askwidgets.questions import Answer, Option, Outcome, Question, QuestionRequest, parse_question_request
from askwidgets.receipt import (
    Receipt,
    ReceiptLine,
    ReceiptRow,
    interrupted_receipt,
    question_receipt,
    receipts,
)
from tests.payloads import PAYLOADS, active_parts, shown_text, untrusted_text

STORE = "Use **WAL** mode for `cache.db`?"
PORT = "Which port?"
COLUMNS = "Which columns?"
BINS = "How many bins?"
REQUEST = parse_question_request(
    {
        "title": "Storage",
        "questions": [
            {
                "question": STORE,
                "header": "Store",
                "options": [
                    {"label": "SQLite (Recommended)", "description": "one file", "preview": "+--+\n|db|\n+--+"},
                    {"label": "`rm -rf build/`", "description": "start anew"},
                ],
            },
            {"question": PORT, "header": "Port", "options": [{"label": "8080"}, {"label": "80"}]},
            {
                "question": COLUMNS,
                "multiSelect": True,
                "options": [{"label": "price"}, {"label": "region, all"}, {"label": "date"}],
            },
            {"question": BINS, "kind": "number", "unit": "bins"},
        ],
    },
    tool_use_id="toolu_1",
)
ANSWERED = Outcome(
    kind="answered",
    answers={
        STORE: Answer(labels=("SQLite (Recommended)",), notes="keep a copy\nfor a week"),
        PORT: Answer(other="use port 8443"),
        COLUMNS: Answer(labels=("date", "region, all"), other="and tax"),
        BINS: Answer(number=30.0),
    },
)


def html_of(receipt: Receipt) -> str:
    return str(receipt.bundle()["text/html"])


def plain_of(receipt: Receipt) -> str:
    return str(receipt.bundle()["text/plain"])


def data_of(receipt: Receipt) -> Mapping[str, object]:
    [data] = receipts(notebook_of(receipt.bundle()))
    return data


def test_a_number_stands_there_as_it_was_sent() -> None:
    receipt = question_receipt(REQUEST, Outcome(kind="answered", answers={BINS: Answer(number=1e-7)}))
    assert "0.0000001 bins" in plain_of(receipt)


def test_the_text_lists_each_question_with_its_answer() -> None:
    """B55."""
    assert plain_of(question_receipt(REQUEST, ANSWERED)) == (
        "Answered\n"
        "Storage\n"
        "\n"
        "Store: Use **WAL** mode for `cache.db`?\n"
        "  SQLite (Recommended)\n"
        "  Notes: keep a copy\n"
        "  for a week\n"
        "  Preview:\n"
        "  +--+\n"
        "  |db|\n"
        "  +--+\n"
        "\n"
        "Port: Which port?\n"
        "  \u201cuse port 8443\u201d (typed)\n"
        "\n"
        "Which columns?\n"
        "  region, all\n"
        "  date\n"
        "  \u201cand tax\u201d (typed)\n"
        "\n"
        "How many bins?\n"
        "  30 bins"
    )


def test_the_html_marks_typed_words_and_folds_the_preview() -> None:
    """B55, B56."""
    html = html_of(question_receipt(REQUEST, ANSWERED))

    assert active_parts(html) == []
    assert shown_text(html.partition("</p>")[0]) == "Answered"
    assert '<span title="Use **WAL** mode for `cache.db`?">Use <strong>WAL</strong> mode for <code>cache.db' in html
    assert "\u201cuse port 8443\u201d <small>typed</small></li>" in html
    assert "<li><small>Notes:</small> keep a copy<br>\nfor a week</li>" in html
    assert "<details><summary>Preview</summary><pre" in html
    assert html.index("region, all") < html.index(">date<")


def test_only_what_is_read_from_right_to_left_says_in_which_direction() -> None:
    options = [{"label": "\N{HEBREW LETTER ALEF} one", "description": "d"}, {"label": "two", "description": "d"}]
    asked = {"question": "q \N{HEBREW LETTER ALEF}", "header": "h", "options": options}
    request = parse_question_request({"questions": [asked]})
    answers = {"q \N{HEBREW LETTER ALEF}": Answer(labels=("\N{HEBREW LETTER ALEF} one", "two"))}
    html = html_of(question_receipt(request, Outcome(kind="answered", answers=answers)))
    assert html.count(" dir=") == 1
    assert '<li dir="rtl">\N{HEBREW LETTER ALEF} one</li>' in html


def test_programs_read_what_was_asked_and_what_was_sent() -> None:
    data = data_of(question_receipt(REQUEST, ANSWERED))

    assert (data["version"], data["kind"], data["status"], data["by"]) == (1, "question", "Answered", "person")
    assert data["questions"] == [
        {
            "question": STORE,
            "header": "Store",
            "kind": "choice",
            "options": [
                {"label": "SQLite (Recommended)", "description": "one file"},
                {"label": "`rm -rf build/`", "description": "start anew"},
            ],
            "answer": {"labels": ["SQLite (Recommended)"], "notes": "keep a copy\nfor a week"},
        },
        {
            "question": PORT,
            "header": "Port",
            "kind": "choice",
            "options": [{"label": "8080"}, {"label": "80"}],
            "answer": {"other": "use port 8443"},
        },
        {
            "question": COLUMNS,
            "kind": "choice",
            "multi_select": True,
            "options": [{"label": "price"}, {"label": "region, all"}, {"label": "date"}],
            "answer": {"labels": ["region, all", "date"], "other": "and tax"},
        },
        {"question": BINS, "kind": "number", "answer": {"number": 30}},
    ]
    assert data["sent"] == {
        "answers": {
            STORE: "SQLite (Recommended)",
            PORT: "use port 8443",
            COLUMNS: '"region, all", date, and tax',
            BINS: "30",
        },
        "annotations": {STORE: {"preview": "+--+\n|db|\n+--+", "notes": "keep a copy\nfor a week"}},
    }


def test_no_id_is_in_a_receipt_so_that_each_run_leaves_the_same() -> None:
    """B46."""
    other = replace(REQUEST, tool_use_id="toolu_2")
    assert question_receipt(REQUEST, ANSWERED).bundle() == question_receipt(other, ANSWERED).bundle()


@pytest.mark.parametrize(
    ("outcome", "first_line", "field", "sent"),
    [
        (Outcome(kind="answered", answers={PORT: Answer(labels=("80",))}), "Answered", None, "answers"),
        (
            Outcome(kind="answered", answers={PORT: Answer(labels=("80",))}, by="script"),
            "Answered by script",
            None,
            "answers",
        ),
        (
            Outcome(kind="answered", answers={PORT: Answer(labels=("80",))}, by="%claude answer"),
            "Answered elsewhere by %claude answer",
            None,
            "answers",
        ),
        (Outcome(kind="replied", words="Let us talk."), "Replied", "response", "response"),
        (
            Outcome(kind="asked_more", words="And the host?", answers={PORT: Answer(labels=("80",))}),
            "Replied, with more questions asked for",
            "remark",
            "followUp",
        ),
        (Outcome(kind="declined", words="Not yet."), "Declined", "reason", "message"),
        (Outcome(kind="timed_out"), "Timed out", None, "message"),
    ],
)
def test_a_receipt_starts_with_what_became_of_the_question(
    outcome: Outcome, first_line: str, field: str | None, sent: str
) -> None:
    receipt = question_receipt(REQUEST, outcome)
    data = data_of(receipt)

    assert plain_of(receipt).split("\n")[0] == first_line
    assert shown_text(html_of(receipt).partition("</p>")[0]).replace(" with", ", with") == first_line
    assert [name for name in ("response", "remark", "reason") if name in data] == ([field] if field else [])
    assert sent in dict(data["sent"])  # type: ignore[call-overload]
    if outcome.words:
        assert f"\u201c{outcome.words}\u201d (typed)" in plain_of(receipt)


def test_an_interrupt_keeps_what_had_been_filled_in() -> None:
    receipt = interrupted_receipt(REQUEST, {PORT: Answer(other="half a thou")})

    assert plain_of(receipt).startswith("Interrupted\n")
    assert "half a thou" in html_of(receipt)
    assert "sent" not in data_of(receipt)


def test_a_skipped_question_says_so() -> None:
    outcome = Outcome(kind="answered", answers={STORE: Answer(skipped=True), PORT: Answer(labels=("80",))})
    receipt = question_receipt(REQUEST, outcome)

    assert "cache.db`?\n  skipped\n" in plain_of(receipt)
    assert "<small>skipped</small>" in html_of(receipt)


def test_a_form_without_an_agent_has_a_receipt_too() -> None:
    request = QuestionRequest(questions=(Question(text="Why?", kind="text"),), input={})
    receipt = question_receipt(request, Outcome(kind="answered", answers={"Why?": Answer(other="because")}))

    assert "because" in html_of(receipt)
    assert "sent" not in data_of(receipt)


def test_a_row_may_have_a_label_alone_and_name_what_it_folds() -> None:
    receipt = Receipt(
        status="Approved", rows=(ReceiptRow(label="Plan", preview="# Steps\n\n1. one", preview_label="Plan"),)
    )

    assert plain_of(receipt) == "Approved\n\nPlan\n  Plan:\n  # Steps\n\n  1. one"
    assert "<summary>Plan</summary>" in html_of(receipt)
    assert "<h1>Steps</h1>" in html_of(receipt)


def _request_of(text: str) -> tuple[QuestionRequest, Outcome]:
    question = Question(
        text=text, header=text, options=(Option(label=text, description=text, preview=text),), unit=text
    )
    answer = Answer(labels=(text,), other=text, number=1.5, notes=text)
    outcome = Outcome(kind="declined", answers={text: answer}, words=text, by=text)
    return QuestionRequest(questions=(question,), input={}, title=text), outcome


@pytest.mark.parametrize("kind", PAYLOADS)
def test_no_payload_in_any_field_becomes_an_active_part(kind: str) -> None:
    """B48."""
    found: dict[str, list[str]] = {}
    for payload in PAYLOADS[kind]:
        bundle = question_receipt(*_request_of(payload)).bundle()
        json.dumps(bundle, ensure_ascii=False).encode()
        if parts := active_parts(str(bundle["text/html"])):
            found[payload] = parts

    assert found == {}


@given(untrusted_text(), untrusted_text())
def test_any_text_makes_a_receipt_that_a_notebook_can_hold(text: str, words: str) -> None:
    request, outcome = _request_of(text)
    rows = (ReceiptRow(label=words, question=text, lines=(ReceiptLine(text=words, typed=True),), preview=words),)
    for receipt in (
        question_receipt(request, outcome),
        Receipt(status="Allowed", remark=words, title=text, words=words, rows=rows, data={text: [words]}),
    ):
        bundle = receipt.bundle()
        json.dumps(bundle, ensure_ascii=False).encode()

        assert active_parts(str(bundle["text/html"])) == []


@given(st.text(alphabet="ab \n\u202e\x1b[1m<>&$*`", max_size=40))
def test_typed_words_show_as_they_were_typed(words: str) -> None:
    receipt = question_receipt(REQUEST, Outcome(kind="answered", answers={PORT: Answer(other=words)}))

    assert not words or f"\u201c{reveal(words)[0]}\u201d" in shown_text(html_of(receipt))


def test_an_empty_line_between_paragraphs_stays() -> None:
    receipt = question_receipt(REQUEST, Outcome(kind="replied", words="one\n\ntwo"))

    assert "one<br>\n<br>\ntwo" in html_of(receipt)


def notebook_of(*bundles: Mapping[str, object]) -> dict[str, object]:
    outputs = [{"output_type": "display_data", "metadata": {}, "data": bundle} for bundle in bundles]
    code = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "%%claude\nhi", "outputs": outputs}
    prose = {"cell_type": "markdown", "metadata": {}, "source": "# Title"}
    return {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [prose, code]}


def test_decisions_are_read_out_of_a_notebook(tmp_path: Path) -> None:
    first, second = question_receipt(REQUEST, ANSWERED), interrupted_receipt(REQUEST, {})
    notebook = notebook_of(first.bundle(), {"text/plain": "no receipt"}, second.bundle())
    path = tmp_path / "decisions.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")

    expected = [data_of(first), data_of(second)]
    assert receipts(notebook) == expected
    assert receipts(path) == expected
    assert receipts(str(path)) == expected


@pytest.mark.parametrize("content", ["no JSON", "[]", "{}", '{"cells": 3}'])
def test_what_is_no_notebook_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.ipynb"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(OptionError, match=r"notebook is .*notes\.ipynb.*; wanted the path or the content"):
        receipts(path)


@pytest.mark.parametrize("cell", [None, {}, {"outputs": None}, {"outputs": [None, {"data": None}, {"data": {}}]}])
def test_odd_cells_hold_no_receipt(cell: object) -> None:
    assert receipts({"cells": [cell]}) == []
