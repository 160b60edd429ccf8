"""What a recording does not hold."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from askwidgets.redaction import Redaction


def test_directories_get_names_and_their_places_back() -> None:
    redaction = Redaction(directory="/work/a")
    text = f"cat /work/a/x.py /work/ab /work/a; ls {Path.home()}/y"

    applied = redaction.applied(text)

    assert applied == "cat <cwd>/x.py /work/ab <cwd>; ls <home>/y"
    assert redaction.undone(applied) == text
    assert Redaction(directory="/elsewhere").undone("<cwd>/x.py") == "/elsewhere/x.py"


def test_the_root_of_all_files_is_no_directory_to_name() -> None:
    assert Redaction(directory="/").applied("a/b") == "a/b"
    assert Redaction().undone("<cwd>") == "<cwd>"


def test_secrets_go_wherever_they_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_TOKEN", "from-the-environment")
    monkeypatch.setenv("SHORT_KEY", "a")
    redaction = Redaction(secrets=["given-one", "given-one-and-more", ""])

    text = f"from-the-environment given-one given-one-and-more sk-ant-{'x' * 20} ghp_{'y' * 36} a"

    assert redaction.applied(text) == "<secret> <secret> <secret> <secret> <secret> a"


def test_inputs_are_searched_through_and_left_as_they_were() -> None:
    given = {"a": ["/work/a", {"b/work/a": 1}], "n": None}
    redaction = Redaction(directory="/work/a")

    applied = redaction.applied_to_input(given)

    assert applied == {"a": ["<cwd>", {"b<cwd>": 1}], "n": None}
    assert redaction.undone_in_input(applied) == given == {"a": ["/work/a", {"b/work/a": 1}], "n": None}


def test_what_changes_from_run_to_run_is_steadied() -> None:
    text = "at 2026-01-31T12:00:01.5Z, 0x7f3a11b0, toolu_0123456789, 3b241101-e2bb-4255-8caf-4136c566a962"

    assert Redaction().steadied(text) == "at <time>, <address>, <id>, <uuid>"


def test_what_the_cli_tells_of_its_own_work_is_steadied() -> None:
    text = "agentId: a8897e8dd1736b2f6\nsubagent_tokens: 12\ntool_uses: 1\nduration_ms: 1659\n"
    text += "in /tmp/c/-x/tasks/a8897e8dd1736b2f6.output"

    assert Redaction().steadied(text) == (
        "agentId: <id>\nsubagent_tokens: <count>\ntool_uses: 1\nduration_ms: <count>\nin <file>"
    )


@pytest.mark.parametrize("hostile", ["/", "/:", "eyJ-", "eyJaaaaaaaaaa.", "sk-", "duration_ms: ", "a/"])
def test_hostile_repetition_takes_no_long_time(hostile: str) -> None:
    text = hostile * (60_000 // len(hostile))
    started = time.process_time()
    Redaction().steadied(text)

    assert time.process_time() - started < 3
