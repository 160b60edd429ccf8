"""Finished turns as notebooks hold them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings, strategies as st

from askwidgets.display import METADATA
from askwidgets.hidden import plain
from askwidgets.questions import Answer, Outcome, parse_question_request
from askwidgets.receipt import RECEIPT_TYPE, question_receipt
from askwidgets.saved_html import saved_html
from askwidgets.saved_turn import prompt_digest, saved_turns
from askwidgets.transcript import Transcript
from tests.payloads import untrusted_text
from tests.recorded_outputs import RecordedOutputs
from tests.test_injection import harmful

STORE, BINS, WHY = "Which store?", "How many bins?", "Why?"
ASKED = {
    "questions": [
        {
            "question": STORE,
            "header": "Store",
            "options": [{"label": "Redis"}, {"label": "SQLite"}],
            "multiSelect": True,
        },
        {"question": BINS, "kind": "number"},
        {"question": WHY, "kind": "text"},
    ]
}
ANSWERED = Outcome(
    kind="answered",
    answers={
        STORE: Answer(labels=("Redis", "SQLite"), notes="both"),
        BINS: Answer(number=30),
        WHY: Answer(other="They said so"),
    },
)
FOOTER = {"askwidgets": {"session_id": "5e55", "message": "u1", "prompt": prompt_digest("Plan it.\n")}}


def output(data: Mapping[str, object], **more: object) -> dict[str, object]:
    return {"output_type": "display_data", "data": data, "metadata": {}, **more}


def cell(*outputs: Mapping[str, object], **more: object) -> dict[str, object]:
    return {"cell_type": "code", "id": "one", "source": [], "outputs": list(outputs), **more}


ENDED = output({"text/plain": "model"}, metadata=FOOTER)


@pytest.mark.parametrize(
    "outcome",
    [
        ANSWERED,
        Outcome(kind="replied", words="Neither."),
        Outcome(kind="asked_more", words="Ask about cost."),
        Outcome(kind="declined", words="Not now."),
        Outcome(kind="timed_out"),
    ],
)
def test_a_turn_is_read_back_with_its_words_and_questions(outcome: Outcome) -> None:
    request = parse_question_request(ASKED)
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    transcript.finish()
    said = [
        output({"text/html": f'<div class="ask-text"><p>{text}</p></div>', "text/plain": [f"{text}\n"]})
        for text in "AB"
    ]
    receipt = output(question_receipt(request, outcome).bundle())
    style = [output(bundle) for bundle in outputs.bundles]
    [saved] = saved_turns([cell(), cell(*style, said[0], receipt, said[1], ENDED)])
    turn = saved.turn("Plan it.")

    assert (saved.digest, saved.cell_id, saved.message_uuid) == (prompt_digest("Plan it."), "one", "u1")
    assert (turn.prompt, turn.text, turn.session_id) == ("Plan it.", "A\n\nB", "5e55")
    assert [asked.outcome for asked in turn.questions] == [outcome]
    assert [question.text for question in turn.questions[0].request.questions] == [STORE, BINS, WHY]
    assert len(saved.bundles) == 4
    assert saved.bundles[-1][METADATA] == FOOTER


def test_a_turn_that_failed_was_interrupted_or_still_asked_is_none() -> None:
    failed: Mapping[str, object] = {"output_type": "error", "ename": "TurnError", "evalue": "", "traceback": []}
    interrupted = output({"text/plain": "Interrupted"}, metadata={"askwidgets": {"session_id": "5e55"}})
    odd: list[Mapping[str, object]] = [cell(outputs=None), cell(outputs=["x"]), {"outputs": {}}]

    assert list(saved_turns([cell(ENDED, failed), cell(interrupted), cell(), *odd])) == []


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ("<p onclick='x()'>Hi<script>x()</script><style>p{}</style></p>", "<p>Hi</p>"),
        ('<img src=x onerror="x()"><iframe src="//x"></iframe>', ""),
        ('<a href="javascript:x()">a</a>', '<a rel="noopener noreferrer">a</a>'),
        (
            '<div class="jp-Dialog ask-text" style="position:fixed;margin:4px 0">a</div>',
            '<div class="ask-text" style="margin:4px 0">a</div>',
        ),
        ('<p style="margin:url(//x)">a</p>', "<p>a</p>"),
        (
            '<a href="/hub/logout">a</a><a href="//x">b</a>',
            '<a rel="noopener noreferrer">a</a><a rel="noopener noreferrer">b</a>',
        ),
    ],
)
def test_html_from_a_file_is_cleaned(html: str, kept: str) -> None:
    assert saved_html(html) == kept


def test_what_receipts_consist_of_stays() -> None:
    html = str(question_receipt(parse_question_request(ASKED), ANSWERED).bundle()["text/html"])
    cleaned = saved_html(html)

    assert cleaned.count("<li") == html.count("<li") == 5
    assert 'class="ask-receipt"' in cleaned


KINDS = st.sampled_from(["text/plain", "text/html", "image/png", "text/markdown", "application/javascript"])
FIELDS = "version kind status by title questions question header options label multi_select answer labels other number"
KEYS = st.sampled_from([*FIELDS.split(), "notes", "skipped", "preview", "min", "max", "unit", "response", "remark"])
WORDS = st.sampled_from(["question", "Answered", "Replied", "text", "number"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | untrusted_text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(KEYS | st.text(max_size=3), values, max_size=4),
    max_leaves=12,
)
RECEIPTS = st.fixed_dictionaries(
    {
        "version": st.just(1),
        "kind": st.just("question"),
        "status": st.sampled_from(["Answered", "Replied", "Declined"]),
        "questions": st.lists(st.dictionaries(KEYS, JSON, min_size=3), max_size=3),
    }
)


@settings(max_examples=settings().max_examples // 5)
@given(st.dictionaries(KINDS, JSON, max_size=4), JSON | RECEIPTS)
def test_whatever_a_notebook_holds_is_shown_or_left_out(data: dict[str, object], receipt: object) -> None:
    """B48."""
    stream = {"output_type": "stream", "text": data.get("text/plain")}
    own = {"prompt": "d", "session_id": receipt, "message": data}
    cells: list[Mapping[str, object]] = [
        cell(output({**data, RECEIPT_TYPE: receipt}), stream, output(data, metadata={"askwidgets": own}))
    ]

    for saved in saved_turns(cells):
        turn = saved.turn("Plan it.")
        assert isinstance(turn._repr_mimebundle_(), dict)
        assert all(asked._repr_mimebundle_() for asked in turn.questions)

        for bundle in saved.bundles:
            html, text = str(bundle.get("text/html", "")), bundle["text/plain"]
            assert harmful(html) == []
            assert isinstance(text, str)
            assert plain(text) == text
            f"{html}{text}".encode()
