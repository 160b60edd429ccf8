"""Answers for a turn, for a notebook and for where nobody is there, and which of them counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from askwidgets.answers import Answers
from askwidgets.errors import AnswerError, OptionError
from askwidgets.given_answers import GivenAnswers, TurnAnswers
from askwidgets.permissions import PermissionRequest
from askwidgets.questions import QuestionRequest, parse_question_request


def asked(*texts: str) -> QuestionRequest:
    return parse_question_request({"questions": [{"question": text, "options": ["A", "B", "C"]} for text in texts]})


def picked(given: TurnAnswers, text: str) -> str:
    assert given.answers is not None
    return given.answers.outcome(asked(text)).answers[text].labels[0]


def notebook(tmp_path: Path, namespace: Mapping[str, object]) -> GivenAnswers:
    (tmp_path / "ambient.yaml").write_text('"One?": C\n"Two?": C\n"Three?": C\n', encoding="utf-8")
    return GivenAnswers(namespace, file=str(tmp_path / "ambient.yaml"))


def test_the_turn_goes_before_the_notebook_and_that_before_the_environment(tmp_path: Path) -> None:
    given = notebook(tmp_path, {"own": {"One?": "A"}, "all": {"One?": "B", "Two?": "B"}})
    given.choose("all")
    turn = given.for_turn("own", is_attended=False)

    assert [picked(turn, text) for text in ("One?", "Two?", "Three?")] == ["A", "B", "C"]


def test_one_request_may_be_answered_from_several_places(tmp_path: Path) -> None:
    given = notebook(tmp_path, {"own": {"One?": "A"}})
    answers = given.for_turn("own", is_attended=False).answers
    assert answers is not None
    outcome = answers.outcome(asked("One?", "Two?"))

    assert [outcome.answers[text].labels for text in ("One?", "Two?")] == [("A",), ("C",)]


def test_with_a_person_there_the_environment_answers_nothing(tmp_path: Path) -> None:
    given = notebook(tmp_path, {"own": {"One?": "A"}})

    assert given.for_turn("", is_attended=True) == TurnAnswers()
    answers = given.for_turn("own", is_attended=True).answers
    assert answers is not None
    assert not answers.covers(asked("Two?"))


def test_what_matched_nothing_is_told_of_each_place(tmp_path: Path) -> None:
    given = notebook(tmp_path, {"own": {"One?": "A", "Fore*": "A", "*": "first"}, "all": {"Two?": "B", "Five?": "B"}})
    given.choose("all")
    turn = given.for_turn("own", is_attended=False)
    picked(turn, "One?")
    picked(given.for_turn("", is_attended=False), "Two?")

    assert turn.own is not None
    assert turn.own.warnings == ['own: no question matched "Fore*".']
    assert given.choose("own") == ['all: no question matched "Five?".']
    assert given.drop() == ['own: no question matched "One?".', 'own: no question matched "Fore*".']
    assert given.drop() == []


def test_an_object_of_answers_lasts_over_turns(tmp_path: Path) -> None:
    given = notebook(tmp_path, {"own": Answers({"One?": "A", "Two?": "B"})})

    assert given.for_turn("own", is_attended=True).own is None
    assert picked(given.for_turn("own", is_attended=True), "Two?") == "B"


def test_rules_of_all_places_hold_together() -> None:
    outer = Answers({"allow": ["Bash(ls)"], "plan": "approve"})
    policy = Answers({"deny": ["Bash(rm *)"]}, fallbacks=[outer]).permissions

    assert policy.covers(PermissionRequest(tool_name="Bash", input={"command": "ls"}))
    assert policy.covers(PermissionRequest(tool_name="Bash", input={"command": "rm x"}))
    assert policy.covers(PermissionRequest(tool_name="ExitPlanMode", input={"plan": "x"}))


def test_a_name_that_is_nothing_says_what_it_may_be(tmp_path: Path) -> None:
    given = GivenAnswers({"number": 3}, file=str(tmp_path / "gone.yaml"))
    for name in ("number", "nothing_there"):
        with pytest.raises(OptionError, match=r"mapping in the namespace, or a YAML or JSON file"):
            given.choose(name)

    with pytest.raises(AnswerError, match=r"gone\.yaml: no such file"):
        given.for_turn("", is_attended=False)
