"""What goes back to AskUserQuestion for whatever a person gave."""

from __future__ import annotations

import copy

import pytest

from askwidgets.errors import AnswerError
from askwidgets.questions import (
    ANSWER_LIMIT,
    NOTES_LIMIT,
    PREVIEW_LIMIT,
    TYPED_LIMIT,
    Answer,
    Outcome,
    outcome_problem,
    parse_question_request,
    updated_input,
)
from tests.ask_user_question_schema import read_answers
from tests.question_inputs import (
    BINS,
    CHECKS,
    LAYOUT,
    STORE,
    TITLE,
    answered,
    requested,
)


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


def test_answers_are_sent_in_the_order_of_the_options() -> None:
    """B51."""
    built = answered(requested(CHECKS), Answer(labels=("unit", "lint")))

    assert built["answers"] == {CHECKS["question"]: "lint, unit"}
    assert read_answers(built) == "answered"


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
