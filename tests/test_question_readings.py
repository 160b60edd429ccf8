"""How AskUserQuestion reads what goes back: by its schema, by our transcription of it, and by the real CLI."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from askwidgets.errors import AnswerError, AskWidgetsError, QuestionError
from askwidgets.questions import (
    Answer,
    Ask,
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
from tests.question_inputs import (
    BINS,
    CHECKS,
    LAYOUT,
    STORE,
    TITLE,
    VALID_INPUTS,
    odd_inputs,
    only,
)


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


async def results_of(asked: Sequence[Sequence[Mapping[str, object]]], ask: Ask, home: Path) -> tuple[str, ...]:
    """Let the real CLI ask each of the lists in a turn of its own; gives what the model read."""
    script = json.dumps([[{"ask": {"questions": questions}}, {"say": "ok"}] for questions in asked])

    with scripted_model(script) as server:
        async with scripted_session(server, home) as session:
            for _ in asked:
                await session.prompt("go on", ask=ask)

        return server.tool_results()


@pytest.mark.agent
@pytest.mark.anyio
async def test_the_model_reads_what_each_way_of_answering_means(tmp_path: Path) -> None:
    """The sentences of the real CLI, and the transcription of how it reads."""
    waiting = iter(SENTENCES)
    readings: list[str] = []

    async def ask(request: QuestionRequest, /) -> Outcome:
        _, kind, answer, words, _ = next(waiting)
        outcome = Outcome(kind=kind, answers={only(request).text: answer}, words=words)
        built = updated_input(request, outcome)
        validate(built)
        readings.append(read_answers(built))
        return outcome

    results = await results_of([[question] for question, *_ in SENTENCES], ask, tmp_path)
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

    results = await results_of(questions, ask, tmp_path)
    assert [_reading(result) for result in results] == readings


def _reading(result: str) -> str:
    starts = {
        "Your questions have been answered: ": "answered",
        "The user answered: ": "said",
        "The user responded: ": "responded",
        "The user asked for more questions": "asked more",
    }
    return next((reading for start, reading in starts.items() if result.startswith(start)), result)
