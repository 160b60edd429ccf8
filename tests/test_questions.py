"""Each row of what is known of AskUserQuestion, in both directions."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from askwidgets.errors import AnswerError, AskWidgetsError, QuestionError
from askwidgets.questions import (
    ANSWER_LIMIT,
    NOTES_LIMIT,
    PREVIEW_LIMIT,
    TYPED_LIMIT,
    Answer,
    Outcome,
    OutcomeKind,
    Question,
    QuestionRequest,
    outcome_problem,
    parse_question_request,
    updated_input,
)
from tests.agent import scripted_model, scripted_session
from tests.ask_user_question_schema import read_answers, validate
from tests.question_inputs import BINS, CHECKS, LAYOUT, STORE, TITLE, VALID_INPUTS, odd_inputs


def requested(*questions: Mapping[str, object], **more: object) -> QuestionRequest:
    return parse_question_request({"questions": list(questions), **more})


def answered(request: QuestionRequest, *answers: Answer) -> dict[str, object]:
    texts = [question.text for question in request.questions]
    return updated_input(request, Outcome(kind="answered", answers=dict(zip(texts, answers, strict=True))))


def only(request: QuestionRequest) -> Question:
    (question,) = request.questions
    return question


@pytest.mark.parametrize(
    "text",
    [
        "Which store should hold sessions?",
        "Trailing space? ",
        "  Two\nlines, with \"quotes\" and a 'tick'?",
        "Use **WAL** mode for `cache.db`?",
        "日本語でいいですか 🎉",
    ],
)
def test_the_answer_is_keyed_by_the_untouched_question(text: str) -> None:
    """B01, B56."""
    request = requested({**STORE, "question": text})

    assert answered(request, Answer(labels=("Redis",)))["answers"] == {text: "Redis"}


def test_the_input_comes_back_whole_with_the_answers_and_is_not_changed() -> None:
    """B02."""
    given_input = {"questions": [STORE, LAYOUT], "title": "Before I start", "metadata": {"source": "remember"}}
    before = copy.deepcopy(given_input)
    request = parse_question_request(given_input)
    built = answered(request, Answer(labels=("Redis",)), Answer(labels=("List",)))

    assert built == {**before, "answers": {STORE["question"]: "Redis", LAYOUT["question"]: "List"}}
    assert given_input == before
    assert built["questions"] is not given_input["questions"]


def test_what_is_built_can_be_changed_without_reaching_the_input() -> None:
    request = requested(STORE, metadata={"source": "remember"})
    built = answered(request, Answer(labels=("Redis",)))
    metadata = built["metadata"]
    assert isinstance(metadata, dict)
    metadata["source"] = "changed"

    assert request.input["metadata"] == {"source": "remember"}


@pytest.mark.parametrize("answer", [Answer(), Answer(other=" \n"), Answer(skipped=True)])
def test_an_allow_that_says_nothing_is_refused(answer: Answer) -> None:
    """B03, B50."""
    with pytest.raises(AnswerError, match="No question has an answer"):
        answered(requested(STORE), answer)


def test_questions_of_the_same_text_are_refused() -> None:
    """B05."""
    with pytest.raises(QuestionError, match=r"questions is holding 'Keep it\?' twice") as error:
        requested({**STORE, "question": "Keep it?", "header": "Cache"}, {**STORE, "question": "Keep it?"})

    assert error.value.field == "questions"


def test_labels_that_are_alike_are_refused() -> None:
    """B05."""
    with pytest.raises(QuestionError, match=r"questions\[0\]\.options is holding 'Yes' twice"):
        requested({**STORE, "options": ["Yes", "Yes"]})


def test_typed_words_join_the_ticked_options() -> None:
    """B06."""
    answer = Answer(labels=("lint",), other="also rotate the keys")

    assert answered(requested(CHECKS), answer)["answers"] == {CHECKS["question"]: "lint, also rotate the keys"}


def test_every_question_keeps_its_own_words() -> None:
    """B08."""
    built = answered(requested(STORE, LAYOUT), Answer(other="alpha"), Answer(other="beta"))

    assert built["answers"] == {STORE["question"]: "alpha", LAYOUT["question"]: "beta"}


def test_a_note_goes_into_the_annotations() -> None:
    """B10."""
    built = answered(requested(STORE), Answer(labels=("SQLite",), notes="but keep the old name"))

    assert built["answers"] == {STORE["question"]: "SQLite"}
    assert built["annotations"] == {STORE["question"]: {"notes": "but keep the old name"}}


def test_empty_notes_leave_no_annotation() -> None:
    """B10."""
    built = answered(requested(STORE, CHECKS), Answer(labels=("SQLite",), notes=" \n"), Answer(labels=("lint",)))

    assert "annotations" not in built


def test_a_note_alone_is_an_answer() -> None:
    built = answered(requested(STORE), Answer(notes="neither"))

    assert built["annotations"] == {STORE["question"]: {"notes": "neither"}}
    assert "answers" not in built


@pytest.mark.parametrize("header", ["Deployment target (prod)", "", "🎉" * 12])
def test_any_header_is_kept(header: str) -> None:
    """B11."""
    request = requested({**STORE, "header": header})

    assert only(request).header == header
    assert answered(request, Answer(labels=("Redis",)))["questions"] == [{**STORE, "header": header}]


def test_a_missing_header_is_mended_for_the_schema() -> None:
    """B11."""
    request = requested({name: held for name, held in STORE.items() if name != "header"})
    built = answered(request, Answer(labels=("Redis",)))

    assert only(request).header == ""
    assert built["questions"] == [{**STORE, "header": ""}]
    validate(built)


def test_questions_that_came_as_a_json_string_are_read() -> None:
    """B13."""
    request = parse_question_request({"questions": '[{"question":"Go?","options":[{"label":"Y"}]}]'})
    built = answered(request, Answer(labels=("Y",)))

    assert built["answers"] == {"Go?": "Y"}
    assert built["questions"] == [{"question": "Go?", "header": "", "options": [{"label": "Y"}]}]


def test_bare_strings_are_options() -> None:
    """B13."""
    request = requested({**STORE, "options": ["plain", "strings"]})
    built = answered(request, Answer(labels=("strings",)))

    assert [option.label for option in only(request).options] == ["plain", "strings"]
    assert built["answers"] == {STORE["question"]: "strings"}
    validate(built, extended=False)


@pytest.mark.parametrize(("flag", "expected"), [("true", True), ("True", True), ("false", False), (None, False)])
def test_multi_select_may_be_a_word(flag: object, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    """B13."""
    request = requested({**STORE, "multiSelect": flag})

    assert only(request).multi_select is expected
    validate(answered(request, Answer(labels=("Redis",))), extended=False)


@pytest.mark.parametrize("options", [[], None, "[]", [{"label": "Other", "description": ""}]])
def test_a_question_without_options_takes_text(options: object) -> None:
    """B13."""
    request = requested({**STORE, "options": options})
    built = answered(request, Answer(other="Postgres"))

    assert only(request).kind == "text"
    assert built["answers"] == {STORE["question"]: "Postgres"}
    validate(built)


def test_a_single_question_needs_no_list() -> None:
    """B13."""
    built = answered(parse_question_request({"questions": STORE}), Answer(labels=("Redis",)))

    validate(built, extended=False)


@pytest.mark.parametrize("label", ["Other", "other", "Other...", "Other (please specify)", "Other: specify"])
def test_an_option_labelled_other_gives_no_second_row(label: str) -> None:
    options = [{"label": "Redis", "description": "r"}, {"label": label, "description": "o"}]
    request = requested({**STORE, "options": options})

    assert [option.label for option in only(request).options] == ["Redis"]
    assert request.input["questions"] == [{**STORE, "options": options}]
    assert answered(request, Answer(other="Postgres"))["questions"] == [{**STORE, "options": options}]


@pytest.mark.parametrize("label", ["Others", "Another", "Other people", "Some other way"])
def test_a_label_that_only_holds_the_word_other_is_an_option(label: str) -> None:
    request = requested({**STORE, "options": ["Redis", label]})

    assert only(request).options[1].label == label


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("Go?", "questions[0]"),
        ({"options": ["Y"]}, "questions[0].question"),
        ({"question": " ", "options": ["Y"]}, "questions[0].question"),
        ({"question": 5, "options": ["Y"]}, "questions[0].question"),
        ({**STORE, "options": "Redis or SQLite"}, "questions[0].options"),
        ({**STORE, "options": [{"description": "no label"}, "B"]}, "questions[0].options[0].label"),
        ({**STORE, "options": ["A", " "]}, "questions[0].options[1].label"),
        ({**STORE, "multiSelect": "maybe"}, "questions[0].multiSelect"),
        ({**STORE, "multiSelect": [True]}, "questions[0].multiSelect"),
        ({**STORE, "kind": "slider"}, "questions[0].kind"),
        ({**STORE, "kind": ["choice"]}, "questions[0].kind"),
        ({**STORE, "kind": "text"}, "questions[0].options"),
        ({**BINS, "min": "few"}, "questions[0].min"),
        ({**BINS, "max": True}, "questions[0].max"),
        ({**BINS, "min": 10, "max": 1}, "questions[0].min"),
        ({**BINS, "step": 0}, "questions[0].step"),
        ({**BINS, "defaultValue": 101}, "questions[0].defaultValue"),
    ],
)
def test_an_uncertain_question_is_refused_by_the_name_of_its_field(question: object, field: str) -> None:
    """B13."""
    with pytest.raises(QuestionError) as error:
        parse_question_request({"questions": [question]})

    assert error.value.field == field
    assert str(error.value).startswith(f"AskUserQuestion: {field} is ")


@pytest.mark.parametrize("questions", [[], "", "Go?", None, 5, "[", "[[[" * 2000, {}])
def test_an_input_without_questions_is_refused(questions: object) -> None:
    """B13."""
    with pytest.raises(QuestionError) as error:
        parse_question_request({"questions": questions})

    assert error.value.field.startswith("questions")


def test_an_input_nested_beyond_all_reason_is_refused() -> None:
    deep: object = []
    for _ in range(5000):
        deep = [deep]

    with pytest.raises(QuestionError, match="nested more than"):
        requested(STORE, metadata=deep)


def test_answers_are_sent_in_the_order_of_the_options() -> None:
    """B51."""
    built = answered(requested(CHECKS), Answer(labels=("unit", "lint")))

    assert built["answers"] == {CHECKS["question"]: "lint, unit"}
    assert read_answers(built) == "answered"


def test_answers_in_the_input_are_never_the_persons() -> None:
    """B54."""
    request = requested(
        STORE,
        CHECKS,
        answers={STORE["question"]: "Redis", CHECKS["question"]: "unit"},
        annotations={STORE["question"]: {"notes": "diff here"}},
        response="pre-filled",
        followUp=True,
        afkTimeoutMs=5,
    )
    built = answered(request, Answer(labels=("SQLite",)), Answer(skipped=True))

    assert built["answers"] == {STORE["question"]: "SQLite"}
    assert built["annotations"] == {CHECKS["question"]: {"unanswered": "skipped"}}
    assert not {"response", "followUp", "afkTimeoutMs"} & built.keys()


def test_the_picked_preview_comes_back_unchanged() -> None:
    """B09."""
    built = answered(requested(LAYOUT), Answer(labels=("Grid",), notes="wide screens only"))

    assert built["annotations"] == {LAYOUT["question"]: {"preview": "+--+--+\n|a |b |", "notes": "wide screens only"}}


@pytest.mark.parametrize("answer", [Answer(labels=("List",)), Answer(other="Table")])
def test_no_preview_comes_back_for_what_has_none(answer: Answer) -> None:
    """B09."""
    assert "annotations" not in answered(requested(LAYOUT), answer)


def test_a_multi_select_echoes_no_preview() -> None:
    built = answered(requested({**LAYOUT, "multiSelect": True}), Answer(labels=("Grid",)))

    assert "annotations" not in built


@pytest.mark.parametrize(
    ("preview", "is_echoed"),
    [("x" * PREVIEW_LIMIT, True), ("x" * (PREVIEW_LIMIT + 1), False), ("é" * (PREVIEW_LIMIT // 2 + 1), False)],
)
def test_a_preview_over_the_limit_is_left_out_and_the_answer_goes(
    preview: str,
    is_echoed: bool,  # noqa: FBT001 - a column of the table
) -> None:
    request = requested({**LAYOUT, "options": [{"label": "Grid", "description": "", "preview": preview}, "List"]})
    built = answered(request, Answer(labels=("Grid",)))

    assert built["answers"] == {LAYOUT["question"]: "Grid"}
    assert ("annotations" in built) is is_echoed


def test_long_previews_do_not_push_other_answers_out_of_sight() -> None:
    options = [{"label": "Grid", "description": "", "preview": "x" * 30_000}, {"label": "List", "description": ""}]
    other = [{"label": "Grid", "description": "", "preview": "y" * 25_000}, {"label": "List", "description": ""}]
    request = requested({**LAYOUT, "options": options}, {**LAYOUT, "question": "And below?", "options": other})
    built = answered(request, Answer(labels=("Grid",), notes="n"), Answer(labels=("Grid",)))

    assert built["annotations"] == {LAYOUT["question"]: {"notes": "n"}, "And below?": {"preview": "y" * 25_000}}


@pytest.mark.parametrize(
    ("number", "sent"),
    [(30, "30"), (30.0, "30"), (0.5, "0.5"), (-0.0, "0"), (1e-7, "0.0000001"), (1e2, "100")],
)
def test_a_number_is_sent_in_digits_alone(number: float, sent: str) -> None:
    built = answered(requested({**BINS, "unit": "bins", "step": 0.5}), Answer(number=number))

    assert built["answers"] == {BINS["question"]: sent}
    assert read_answers(built) == "answered"


def test_the_extended_fields_are_read() -> None:
    request = requested(
        {**BINS, "description": "of the histogram", "step": 5, "defaultValue": 30, "unit": "bins"},
        {**TITLE, "placeholder": "Sales"},
        title="The plot",
    )
    bins, title = request.questions

    assert request.title == "The plot"
    assert (bins.minimum, bins.maximum, bins.step, bins.default, bins.unit) == (0, 100, 5, 30, "bins")
    assert (bins.kind, bins.description) == ("number", "of the histogram")
    assert (title.kind, title.placeholder, title.default) == ("text", "Sales", None)


def test_numbers_may_be_strings() -> None:
    request = requested({**BINS, "min": "1", "max": "2.5", "defaultValue": " 2 "})
    built = answered(request, Answer(number=2))

    assert (only(request).minimum, only(request).maximum, only(request).default) == (1, 2.5, 2)
    validate(built)


def test_a_skipped_question_is_told_beside_an_answer() -> None:
    built = answered(requested(STORE, CHECKS), Answer(skipped=True), Answer(labels=("types",)))

    assert built["answers"] == {CHECKS["question"]: "types"}
    assert built["annotations"] == {STORE["question"]: {"unanswered": "skipped"}}
    assert read_answers(built) == "answered"


def test_a_reply_stands_alone_and_quotes_what_was_picked() -> None:
    request = requested(STORE, CHECKS)
    answers = {"Which store should hold sessions?": Answer(labels=("Redis",), notes="maybe")}
    built = updated_input(request, Outcome(kind="replied", words="Why any?", answers=answers))

    assert not {"answers", "annotations"} & built.keys()
    assert built["response"] == (
        'Why any?\n\nPicked before replying: "Which store should hold sessions?"="Redis" notes: maybe'
    )
    assert read_answers(built) == "responded"


def test_a_reply_without_picks_is_sent_as_it_was_typed() -> None:
    built = updated_input(requested(STORE), Outcome(kind="replied", words=" Why any?\n"))

    assert built["response"] == " Why any?\n"


def test_an_empty_reply_is_refused() -> None:
    with pytest.raises(AnswerError, match="reply says nothing"):
        updated_input(requested(STORE), Outcome(kind="replied", words=" "))


def test_asking_for_more_sends_the_answers_so_far_and_the_remark() -> None:
    answers = {"Which store should hold sessions?": Answer(labels=("Redis",))}
    outcome = Outcome(kind="asked_more", words="and backups?", answers=answers)
    built = updated_input(requested(STORE, CHECKS), outcome)

    assert built["followUp"] is True
    assert built["answers"] == {STORE["question"]: "Redis"}
    assert built["response"] == "and backups?"


def test_asking_for_more_needs_nothing_else() -> None:
    built = updated_input(requested(STORE), Outcome(kind="asked_more"))

    assert built == {"questions": [STORE], "followUp": True}


@pytest.mark.parametrize("kind", ["declined", "timed_out"])
def test_what_was_denied_is_not_built(kind: str) -> None:
    outcome = Outcome(kind="declined" if kind == "declined" else "timed_out")

    assert outcome_problem(requested(STORE), outcome)
    with pytest.raises(AnswerError, match="is denied, not answered"):
        updated_input(requested(STORE), outcome)


def test_an_answer_to_what_was_not_asked_is_refused() -> None:
    with pytest.raises(AnswerError, match="'Which host' was not asked"):
        updated_input(requested(STORE), Outcome(kind="answered", answers={"Which host": Answer(labels=("Redis",))}))


@pytest.mark.parametrize(
    ("answers", "words", "limit"),
    [
        ([Answer(other="x" * (ANSWER_LIMIT + 1)), Answer()], "", "The answer is longer than 32,768"),
        ([Answer(notes="x" * (NOTES_LIMIT + 1)), Answer()], "", "The notes are longer than 8,192"),
        ([Answer(), Answer()], "x" * (ANSWER_LIMIT + 1), "The reply is longer than 32,768"),
        ([Answer(other="x" * (TYPED_LIMIT - 4)), Answer(labels=("types",))], "", "together are longer than 32,768"),
        ([Answer(other="🎉" * (ANSWER_LIMIT // 2 + 1)), Answer()], "", "The answer is longer than 32,768"),
    ],
)
def test_a_text_over_its_limit_is_refused_by_name(answers: list[Answer], words: str, limit: str) -> None:
    request = requested(STORE, CHECKS)
    texts = [question.text for question in request.questions]
    outcome = Outcome(
        kind="replied" if words else "answered", words=words, answers=dict(zip(texts, answers, strict=True))
    )

    assert limit in (outcome_problem(request, outcome) or "")
    with pytest.raises(AnswerError, match=limit):
        updated_input(request, outcome)


def test_texts_at_their_limits_are_sent() -> None:
    answer = Answer(other="x" * (TYPED_LIMIT - NOTES_LIMIT), notes="n" * NOTES_LIMIT)

    assert answered(requested(TITLE), answer)["answers"] == {TITLE["question"]: answer.other}


def test_a_request_made_by_hand_needs_no_input() -> None:
    request = QuestionRequest(questions=requested(STORE).questions, input={})

    assert answered(request, Answer(labels=("Redis",)))["answers"] == {STORE["question"]: "Redis"}


def test_lone_surrogates_leave_everything_encodable_and_answered() -> None:
    request = requested({**STORE, "question": "Which \ud800?", "options": ["a\udfff", "b"]})
    label = only(request).options[0].label
    built = answered(request, Answer(labels=(label,), notes="n\ud83d", other=""))

    json.dumps(built, ensure_ascii=False).encode()
    assert built["answers"] == {only(request).text: label}
    validate(built)
    assert read_answers(built) == "said"


def test_null_fields_are_left_out_for_the_schema() -> None:
    request = requested({**STORE, "description": None, "kind": None}, title=None, metadata=None)
    built = answered(request, Answer(labels=("Redis",)))

    assert built == {"questions": [STORE], "answers": {STORE["question"]: "Redis"}}


def some_answer(question: Question, draw: random.Random, words: str) -> Answer:
    labels = [option.label for option in question.options]
    count = draw.randint(0, len(labels)) if question.multi_select else min(len(labels), draw.randint(0, 1))
    number = None
    if question.kind == "number" and draw.random() < 0.7:
        number = draw.randint(int(question.minimum or 0), int(question.maximum or 9))

    return Answer(
        labels=tuple(draw.sample(labels, count)),
        other=words if draw.random() < 0.3 else "",
        number=number,
        notes=words if draw.random() < 0.2 else "",
        skipped=draw.random() < 0.1,
    )


@given(VALID_INPUTS, st.randoms(use_true_random=False), st.text(max_size=30))
def test_whatever_a_person_gives_passes_the_schema(
    tool_input: dict[str, object], draw: random.Random, words: str
) -> None:
    before = copy.deepcopy(tool_input)
    request = parse_question_request(tool_input)
    answers = {question.text: some_answer(question, draw, words) for question in request.questions}
    kind = draw.choice(["answered", "replied", "asked_more"])
    outcome = Outcome(
        kind="answered" if kind == "answered" else "replied" if kind == "replied" else "asked_more",
        answers=answers,
        words=words,
    )
    if outcome_problem(request, outcome):
        with pytest.raises(AnswerError):
            updated_input(request, outcome)

        return

    built = updated_input(request, outcome)
    expected = {"answered": {"answered", "said"}, "replied": {"responded"}, "asked_more": {"asked more"}}
    validate(built)
    assert read_answers(built) in expected[kind]
    assert {name: held for name, held in built.items() if name in before} == before
    assert tool_input == before


@given(VALID_INPUTS, st.randoms(use_true_random=False))
def test_options_alone_are_always_read_as_options(tool_input: dict[str, object], draw: random.Random) -> None:
    request = parse_question_request(tool_input)
    choices = [question for question in request.questions if question.kind == "choice"]
    answers = {question.text: some_answer(question, draw, "") for question in choices}
    reserved = any("(notes only)" in answer.labels for answer in answers.values())
    outcome = Outcome(kind="answered", answers=answers)
    if outcome_problem(request, outcome) is None and not reserved:
        assert read_answers(updated_input(request, outcome)) == "answered"


@given(odd_inputs(), st.randoms(use_true_random=False), st.text(alphabet=st.characters(), max_size=10))
def test_no_input_raises_anything_but_our_own_errors(
    tool_input: dict[str, object], draw: random.Random, words: str
) -> None:
    """B13."""
    try:
        request = parse_question_request(tool_input)
    except QuestionError as error:
        str(error).encode()
        return

    answers = {question.text: some_answer(question, draw, words) for question in request.questions}
    for kind in ("answered", "asked_more"):
        outcome = Outcome(kind="answered" if kind == "answered" else "asked_more", answers=answers, words=words)
        try:
            built = updated_input(request, outcome)
        except AskWidgetsError as error:
            str(error).encode()
        else:
            json.dumps(built, ensure_ascii=False, allow_nan=False).encode()


QUOTED: dict[str, object] = {
    "question": "Which steps?",
    "header": "Steps",
    "multiSelect": True,
    "options": [{"label": 'Auth, "SSO"', "description": "a"}, {"label": "Logs", "description": "l"}],
}
RESERVED: dict[str, object] = {
    **STORE,
    "options": [{"label": "(notes only)", "description": "n"}, {"label": "B", "description": "b"}],
}
CHECKS_DESCRIBED: dict[str, object] = {
    **CHECKS,
    "options": [{"label": label, "description": ""} for label in ("lint", "types", "unit")],
}

SENTENCES: list[tuple[Mapping[str, object], OutcomeKind, Answer, str, str]] = [
    (STORE, "answered", Answer(labels=("SQLite",)), "", 'Your questions have been answered: "{q}"="SQLite".'),
    (STORE, "answered", Answer(other="Postgres"), "", 'The user answered: "{q}"="Postgres".'),
    (STORE, "answered", Answer(labels=("SQLite",), notes="soon"), "", 'The user answered: "{q}"="SQLite" notes: soon.'),
    (STORE, "answered", Answer(notes="soon"), "", 'The user answered: "{q}"=(no option selected) notes: soon.'),
    (STORE, "answered", Answer(other="(notes only)"), "", 'The user answered: "{q}"=""(notes only)"".'),
    (LAYOUT, "answered", Answer(labels=("Grid",)), "", 'answered: "{q}"="Grid" selected preview:\n+--+--+\n|a |b |.'),
    (
        QUOTED,
        "answered",
        Answer(labels=("Logs", 'Auth, "SSO"')),
        "",
        'Your questions have been answered: "{q}"=""Auth, \\"SSO\\"", Logs".',
    ),
    (QUOTED, "answered", Answer(labels=("Logs",), other="a, b"), "", 'The user answered: "{q}"="Logs, "a, b"".'),
    (BINS, "answered", Answer(number=30.0), "", 'Your questions have been answered: "{q}"="30".'),
    (TITLE, "answered", Answer(other="Sales, 2026"), "", 'The user answered: "{q}"="Sales, 2026".'),
    (STORE, "replied", Answer(), "Why any?", "The user responded: Why any?"),
    (
        STORE,
        "replied",
        Answer(labels=("Redis",)),
        "Why any?",
        'The user responded: Why any?\n\nPicked before replying: "{q}"="Redis"',
    ),
    (
        STORE,
        "asked_more",
        Answer(labels=("Redis",)),
        "and backups?",
        'before you proceed. So far they answered: "{q}"="Redis". They also wrote: "and backups?".',
    ),
    (STORE, "asked_more", Answer(), "", "The user asked for more questions before answering."),
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.agent
@pytest.mark.anyio
async def test_the_model_reads_what_each_way_of_answering_means(tmp_path: Path) -> None:
    """The sentences of the real CLI, and the transcription of how it reads."""
    script = json.dumps([[{"ask": {"questions": [question]}}, {"say": "ok"}] for question, *_ in SENTENCES])
    waiting = iter(SENTENCES)
    readings: list[str] = []

    async def ask(request: QuestionRequest, /) -> Outcome:
        _, kind, answer, words, _ = next(waiting)
        outcome = Outcome(kind=kind, answers={only(request).text: answer}, words=words)
        built = updated_input(request, outcome)
        validate(built)
        readings.append(read_answers(built))
        return outcome

    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            for _ in SENTENCES:
                await session.prompt("go on", ask=ask)

        results = server.tool_results()

    assert len(results) == len(SENTENCES)
    for (question, *_, sentence), reading, result in zip(SENTENCES, readings, results, strict=True):
        assert sentence.format(q=question["question"]) in result
        assert reading == _reading(result)


@pytest.mark.agent
@pytest.mark.anyio
async def test_the_cli_takes_what_random_people_answer(tmp_path: Path) -> None:
    """A sample of what the schema test builds, through the real CLI."""
    chance = random.Random(20)  # noqa: S311 - a sample, no secret
    questions = [
        [STORE, CHECKS_DESCRIBED],
        [LAYOUT, BINS, TITLE],
        [QUOTED, RESERVED],
        [{**QUOTED, "question": 'Odd \\ " question,\nof "lines"? '}],
    ] * 3
    script = json.dumps([[{"ask": {"questions": asked}}, {"say": "ok"}] for asked in questions])
    readings: list[str] = []

    async def ask(request: QuestionRequest, /) -> Outcome:
        while True:
            answers = {
                question.text: some_answer(question, chance, 'a "word", or two') for question in request.questions
            }
            outcome = Outcome(kind="answered", answers=answers)
            if outcome_problem(request, outcome) is None:
                readings.append(read_answers(updated_input(request, outcome)))
                return outcome

    with scripted_model(script) as server:
        async with scripted_session(server, tmp_path) as session:
            for _ in questions:
                await session.prompt("go on", ask=ask)

        results = server.tool_results()

    assert [_reading(result) for result in results] == readings


def _reading(result: str) -> str:
    starts = {
        "Your questions have been answered: ": "answered",
        "The user answered: ": "said",
        "The user responded: ": "responded",
        "The user asked for more questions": "asked more",
    }
    return next((reading for start, reading in starts.items() if result.startswith(start)), result)
