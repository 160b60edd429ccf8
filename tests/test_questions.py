"""What is known of the input of AskUserQuestion: read where its meaning is certain, and refused by name elsewhere."""

from __future__ import annotations

import json

import pytest

from askwidgets.errors import QuestionError
from askwidgets.questions import (
    Answer,
    QuestionRequest,
    parse_question_request,
)
from tests.ask_user_question_schema import read_answers, validate
from tests.question_inputs import (
    BINS,
    CHECKS,
    STORE,
    TITLE,
    answered,
    only,
    requested,
)


def test_questions_of_the_same_text_are_refused() -> None:
    """B05."""
    with pytest.raises(QuestionError, match=r"questions is holding 'Keep it\?' twice") as error:
        requested({**STORE, "question": "Keep it?", "header": "Cache"}, {**STORE, "question": "Keep it?"})

    assert error.value.field == "questions"


def test_labels_that_are_alike_are_refused() -> None:
    """B05."""
    with pytest.raises(QuestionError, match=r"questions\[0\]\.options is holding 'Yes' twice"):
        requested({**STORE, "options": ["Yes", "Yes"]})


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
