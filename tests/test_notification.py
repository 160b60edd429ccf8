"""Somebody elsewhere is told that something waits."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest

from askwidgets.notification import notifier


def finish() -> None:
    """Wait until every notification has been told."""
    for thread in threading.enumerate():
        if thread.name == "askwidgets notification":
            thread.join(timeout=10)
            assert not thread.is_alive()


def test_nothing_set_tells_nobody() -> None:
    assert notifier("") is None


def test_a_callable_gets_the_question() -> None:
    told: list[str] = []
    notify = notifier(told.append)
    assert notify is not None
    notify("Which store?")
    finish()

    assert told == ["Which store?"]


def test_a_command_gets_the_question_as_one_argument_and_no_shell_reads_it(tmp_path: Path) -> None:
    program = tmp_path / "tell me"
    program.write_text('#!/bin/sh\nprintf %s "$2" > "$1"\n')
    program.chmod(0o700)
    notify = notifier(f"'{program}' {tmp_path}/told")
    assert notify is not None
    notify("Which $(touch pwned) store; `id`?")

    finish()

    assert (tmp_path / "told").read_text() == "Which $(touch pwned) store; `id`?"


def test_what_goes_wrong_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_text: str) -> None:
        raise LookupError("no bell")

    for target in (fail, "/nowhere/at/all", "'unclosed"):
        notify = notifier(target)
        assert notify is not None

        with caplog.at_level(logging.WARNING, "askwidgets"):
            notify("Which store?")
            finish()

    assert len(caplog.records) == 3


@pytest.mark.parametrize("text", ["--file=/etc/passwd", "-h", "@/etc/passwd", "/etc/passwd", "+x"])
def test_no_program_takes_a_question_for_an_option_or_a_file(text: str, tmp_path: Path) -> None:
    program = tmp_path / "tell"
    program.write_text('#!/bin/sh\nprintf %s "$2" > "$1"\n')
    program.chmod(0o700)
    notify = notifier(f"{program} {tmp_path}/told")
    assert notify is not None
    notify(text)
    finish()

    assert (tmp_path / "told").read_text() == f" {text}"
