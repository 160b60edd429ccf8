"""A script of answers: everything that a person can send, and words for what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
import yaml

from askwidgets.answers import Answers, unanswered
from askwidgets.errors import AnswerError, UnansweredError
from askwidgets.permissions import PermissionRequest
from askwidgets.questions import (
    Answer,
    Outcome,
    OutcomeKind,
    QuestionRequest,
    denial,
    parse_question_request,
    updated_input,
)

pytestmark = pytest.mark.anyio

STORE: dict[str, object] = {"question": "Which store should hold sessions?", "options": ["Redis", "SQLite"]}
COLUMNS: dict[str, object] = {"question": "Which columns?", "options": ["price", "region", "a, b"], "multiSelect": True}
TITLE: dict[str, object] = {"question": "Chart title?", "kind": "text"}
BINS: dict[str, object] = {"question": "How many bins?", "kind": "number", "min": 1, "max": 100, "defaultValue": 20}


def requested(*questions: Mapping[str, object]) -> QuestionRequest:
    return parse_question_request({"questions": list(questions)})


async def answered(entries: Mapping[str, object], question: Mapping[str, object]) -> Answer:
    outcome = await Answers(entries)(requested(question))
    assert (outcome.kind, outcome.by) == ("answered", "script")
    return outcome.answers[str(question["question"])]


@pytest.mark.parametrize(
    ("question", "entry", "answer"),
    [
        (STORE, "SQLite", Answer(labels=("SQLite",))),
        (STORE, ["SQLite"], Answer(labels=("SQLite",))),
        (STORE, "first", Answer(labels=("Redis",))),
        (STORE, {"first": True}, Answer(labels=("Redis",))),
        (STORE, {"other": "Postgres, 17"}, Answer(other="Postgres, 17")),
        (STORE, {"answer": "Redis", "notes": "for now"}, Answer(labels=("Redis",), notes="for now")),
        (STORE, {"notes": "neither"}, Answer(notes="neither")),
        (COLUMNS, ["region", "price"], Answer(labels=("region", "price"))),
        (COLUMNS, "a, b", Answer(labels=("a, b",))),
        (COLUMNS, {"answer": ["price"], "other": "year"}, Answer(labels=("price",), other="year")),
        (COLUMNS, "first", Answer(labels=("price",))),
        (TITLE, "Sales", Answer(other="Sales")),
        (TITLE, {"other": "first"}, Answer(other="first")),
        (TITLE, 2026, Answer(other="2026")),
        (BINS, 30, Answer(number=30)),
        (BINS, "30", Answer(number=30)),
        (BINS, {"answer": 2.5, "notes": "n"}, Answer(number=2.5, notes="n")),
        (BINS, "first", Answer(number=20)),
        (BINS, {"other": "as many as fit"}, Answer(other="as many as fit")),
    ],
)
async def test_every_form_of_an_entry_answers(question: dict[str, object], entry: object, answer: Answer) -> None:
    assert await answered({"*": entry}, question) == answer


@pytest.mark.parametrize(
    ("options", "entry", "label"),
    [
        (["Yes", "No"], True, "Yes"),
        (["Yes", "No"], False, "No"),
        (["3.5", "4"], 3.5, "3.5"),
        (["a", "first"], "first", "first"),
    ],
)
async def test_a_label_may_look_like_something_else(options: list[str], entry: object, label: str) -> None:
    assert await answered({"*": entry}, {"question": "Q?", "options": options}) == Answer(labels=(label,))


@pytest.mark.parametrize(
    ("entry", "kind", "words"),
    [
        ({"decline": "not decided yet"}, "declined", "not decided yet"),
        ({"decline": True}, "declined", ""),
        ({"response": "Why any?"}, "replied", "Why any?"),
        ({"ask_more": "and backups?"}, "asked_more", "and backups?"),
        ({"ask_more": None}, "asked_more", ""),
    ],
)
async def test_an_entry_can_settle_the_whole_request(entry: object, kind: OutcomeKind, words: str) -> None:
    request = requested(STORE, COLUMNS)
    outcome = await Answers({"Which store*": "Redis", "*": entry})(request)

    assert outcome.kind == kind
    assert outcome.words == words
    assert outcome.answers["Which store should hold sessions?"] == Answer(labels=("Redis",))
    assert denial(request, outcome) if kind == "declined" else updated_input(request, outcome)


async def test_a_question_can_be_skipped_beside_an_answer() -> None:
    request = requested(STORE, COLUMNS)
    outcome = await Answers({"Which columns?": {"skip": True}, "*": "Redis"})(request)

    assert updated_input(request, outcome)["annotations"] == {"Which columns?": {"unanswered": "skipped"}}


async def test_skipping_all_that_is_asked_is_refused() -> None:
    with pytest.raises(AnswerError, match="No question has an answer"):
        await Answers({"*": {"skip": True}})(requested(STORE))


@pytest.mark.parametrize(
    ("entries", "label"),
    [
        ({"*": "Redis", "Which store should hold sessions?": "SQLite"}, "SQLite"),
        ({"*": "Redis", "Which*": "SQLite"}, "SQLite"),
        ({"Which*": "Redis", "Which store*": "SQLite"}, "SQLite"),
        ({"Which *": "Redis", "*hold ses*": "SQLite"}, "SQLite"),
        ({"Which*": "Redis", "*sions": "SQLite"}, "Redis"),
        ({"*Which": "SQLite", "*": "Redis"}, "Redis"),
        ({"Which*": "Redis", "*sions?": "SQLite"}, "SQLite"),
        ({"Whic*": "Redis", "*ons?": "SQLite"}, "Redis"),
        ({"Which store should hold sessions.": "SQLite", "[W]hich*": "SQLite", "*": "Redis"}, "Redis"),
    ],
)
async def test_exact_text_wins_then_the_most_specific_pattern_then_the_first(
    entries: dict[str, object], label: str
) -> None:
    assert await answered(entries, STORE) == Answer(labels=(label,))


async def test_a_question_that_holds_stars_is_found_by_its_exact_text() -> None:
    entries = {"Use *": "no", "Use **WAL** mode\nfor `cache.db`?": "yes"}
    question = {"question": "Use **WAL** mode\nfor `cache.db`?", "options": ["yes", "no"]}

    assert await answered(entries, question) == Answer(labels=("yes",))


async def test_patterns_that_never_matched_are_told() -> None:
    answers = Answers({"Which store*": "Redis", "Which host*": "here", "*": "first", "allow": ["Read"]})
    assert list(answers.unused) == ["Which store*", "Which host*", "*"]
    await answers(requested(STORE))

    assert list(answers.unused) == ["Which host*", "*"]


async def test_a_label_that_is_not_offered_is_told_with_the_options_and_the_line(tmp_path: Path) -> None:
    file = tmp_path / "tour.answers.yaml"
    file.write_text('# tour\n"Which store*": Mongo\n')

    with pytest.raises(AnswerError) as error:
        await Answers.from_file(file)(requested(STORE))

    first, second = str(error.value).splitlines()
    assert first.startswith(f"{file}, line 2: ")
    assert "'Mongo' is not among the options (Redis, SQLite)." in first
    assert '"Which store*": "Redis"' in second
    assert "{other: ...}" in second


@pytest.mark.parametrize(
    ("question", "entry", "problem"),
    [
        (STORE, ["Redis", "SQLite"], "Only one option"),
        (STORE, True, "'True' is not among the options"),
        (STORE, 3, "'3' is not among the options"),
        (COLUMNS, ["price", "year"], "'year' is not among the options"),
        (BINS, 0, "under 1"),
        (BINS, "many", "'many' is not a number"),
        (BINS, True, "'True' is not a number"),
        (BINS, "nan", "That is not a number"),
        (BINS, [1, 2], "takes one number"),
        (TITLE, ["a", "b"], "takes one text"),
        (TITLE, "first", "takes one text"),
        (STORE, {"first": False}, "Pick an option"),
        (TITLE, {"notes": "x" * 9000}, "The notes are longer"),
    ],
)
async def test_an_entry_that_does_not_fit_is_told(question: dict[str, object], entry: object, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem) as error:
        await Answers({"*": entry})(requested(question))

    assert "Change the line, for example: " in str(error.value)


@pytest.mark.parametrize(
    "entry",
    [
        None,
        "",
        [],
        [None],
        {},
        {"anwser": "Redis"},
        {"decline": "a", "response": "b"},
        {"response": ""},
        {"answer": {}},
    ],
)
def test_an_entry_of_no_known_form_is_refused_when_it_is_read(entry: object) -> None:
    with pytest.raises(AnswerError, match=r"answers: the entry 'Q\?'"):
        Answers({"Q?": entry})


def test_what_is_no_mapping_is_refused_with_the_way_to_read_a_file() -> None:
    with pytest.raises(AnswerError, match=r"wanted a mapping, not 'a.yaml'\. Answers.from_file"):
        Answers(cast("dict[str, object]", "a.yaml"))


@pytest.mark.parametrize("question", [STORE, COLUMNS, TITLE, BINS])
async def test_the_line_that_is_missing_is_one_that_works(question: dict[str, object]) -> None:
    request = requested(question)
    answers = Answers({"Something else": "Redis"})
    assert not answers.covers(request)

    with pytest.raises(UnansweredError) as error:
        await answers(request)

    line = str(error.value).rsplit("for example: ", 1)[1]
    outcome = await Answers(yaml.safe_load(line))(request)
    assert updated_input(request, outcome)["answers"]


async def test_the_question_without_an_entry_is_the_one_that_is_named() -> None:
    request = requested(STORE, COLUMNS)
    answers = Answers({"Which store*": "Redis"})

    assert unanswered(request).question == STORE["question"]
    assert unanswered(request, answers).question == "Which columns?"
    with pytest.raises(UnansweredError, match=r"'Which columns\?' \(options: price, region, a, b\)"):
        await answers(request)


async def test_permissions_and_plans_are_given_beside_answers() -> None:
    policy = Answers({"allow": ["Read", "Bash(git status*)"], "deny": ["Read(.env)"], "plan": "approve"}).permissions
    uses = [
        ("Bash", {"command": "git status -s"}, True),
        ("Bash", {"command": "git push"}, False),
        ("Read", {"file_path": "a.py"}, True),
        ("Read", {"file_path": ".env"}, False),
        ("ExitPlanMode", {"plan": "1. Do"}, True),
    ]
    for tool_name, tool_input, is_allowed in uses:
        request = PermissionRequest(tool_name=tool_name, input=tool_input, cwd="/work")
        assert (await policy(request)).allow is is_allowed


async def test_a_plan_can_be_sent_back() -> None:
    policy = Answers({"plan": {"keep_planning": "split step 2"}}).permissions

    assert (await policy(PermissionRequest(tool_name="ExitPlanMode", input={}))).message == "split step 2"


async def test_a_plan_can_be_sent_back_without_words() -> None:
    policy = Answers({"plan": {"keep_planning": None}}).permissions
    decision = await policy(PermissionRequest(tool_name="ExitPlanMode", input={"plan": "1. Do"}))

    assert (decision.allow, decision.message) == (False, "Keep planning.")


async def test_a_question_may_be_called_as_a_reserved_key() -> None:
    entries = {"allow": "Redis", "deny*": ["Redis"], "plan": "SQLite"}
    answers = Answers(entries)

    for text, label in {"allow": "Redis", "deny": "Redis", "plan": "SQLite"}.items():
        outcome: Outcome = await answers(requested({**STORE, "question": text}))
        assert outcome.answers[text] == Answer(labels=(label,))

    assert not answers.permissions.covers(PermissionRequest(tool_name="Read", input={}))


def test_a_rule_that_does_not_parse_is_told_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text('allow: ["Bash(git"]\n')

    with pytest.raises(AnswerError, match=r"a\.yaml, line 1: rule is 'Bash\(git'"):
        Answers.from_file(file)
