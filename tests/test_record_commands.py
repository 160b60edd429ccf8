"""Notebooks without a person: answers, recordings made before a stand-in for the service, and their replay."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.errors import AskWidgetsError, OptionError, RecordingError, UnansweredError
from askwidgets.model_server import ModelServer
from askwidgets.script import parse_script
from tests.agent import QUESTION
from tests.full_disk import small_disk
from tests.notebook_shell import assert_refused, run_cell

SCRIPT = parse_script(f"""
- when: "*store*"
  steps:
  - ask: {QUESTION}
  - say: "So: {{last_result}}"
- when: "*where*"
  steps:
  - use: {{tool: Bash, input: {{command: "pwd; echo $PLANTED_TOKEN"}}}}
  - say: "Here: {{last_result}}"
- when: "hello*"
  steps: [{{say: Hello.}}]
""")
PLANTED = "planted-8d1f2c-secret"
ANSWERS = '"Which store*": SQLite\nallow: [Bash]\n'


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    """Give a shell that a stand-in for the service answers, with planted secrets in its environment."""
    for name in ("ASKWIDGETS_ANSWERS", "ASKWIDGETS_REPLAY", "ASKWIDGETS_UNATTENDED"):
        monkeypatch.delenv(name, raising=False)

    (tmp_path / "given.yaml").write_text(ANSWERS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with ModelServer(SCRIPT) as service:
        for name, value in service.env(tmp_path / "config").items():
            monkeypatch.setenv(name, value)

        monkeypatch.setenv("PLANTED_TOKEN", PLANTED)
        monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"x-account: {PLANTED}")
        shell = InteractiveShell()
        shell.user_ns["service"] = service
        run_cell(shell, "%load_ext askwidgets")
        yield shell
        run_cell(shell, "%unload_ext askwidgets")
        shell.reset()


def succeed(shell: InteractiveShell, *cells: str) -> str:
    """Run cells that must not fail; gives what the last one printed."""
    printed = ""
    for cell in cells:
        result, printed = run_cell(shell, cell)
        assert result.success, printed

    return printed


@pytest.mark.agent
def test_what_was_recorded_replays_without_the_service_and_holds_no_secret(
    shell: InteractiveShell, tmp_path: Path
) -> None:
    service = shell.user_ns["service"]
    printed = succeed(shell, "%claude answers given.yaml", "%claude record made.recording.yaml")
    assert printed == "Recording to made.recording.yaml, in conversations that start afresh.\n"
    succeed(shell, "%%claude --into one\nwhich store?", "%%claude --into two\nwhere are we?")
    assert "is recorded to" in succeed(shell, "%claude status")
    succeed(shell, "%claude record off", "%%claude\nhello")
    recorded = (tmp_path / "made.recording.yaml").read_text(encoding="utf-8")
    asked = len(service.requests)
    succeed(shell, "%claude replay made.recording.yaml", "%%claude --into again\nwhich store?")

    assert shell.user_ns["again"].text == shell.user_ns["one"].text
    assert '"Which store should hold sessions?"="SQLite"' in shell.user_ns["one"].text
    assert str(tmp_path) in shell.user_ns["two"].text
    assert [secret for secret in (PLANTED, service.key, str(tmp_path)) if secret in recorded] == []
    assert ("<secret>" in recorded, "hello" in recorded) == (True, False)
    assert len(service.requests) == asked


@pytest.mark.agent
def test_a_replay_that_does_not_fit_fails_the_cell_with_what_came_and_what_to_do(shell: InteractiveShell) -> None:
    succeed(
        shell, "%claude record made.yaml", "%%claude --answers given.yaml\nwhich store?", "%claude replay made.yaml"
    )
    result, printed = run_cell(shell, "%%claude\nhello there")

    assert isinstance(result.error_in_exec, RecordingError)
    assert "Expected the prompt 'which store?'; what came was 'hello there'." in printed
    assert "Record again with `%claude record made.yaml`" in printed
    assert "Traceback" not in printed

    shell.user_ns["other"] = {"*": "Redis"}
    result, printed = run_cell(shell, "%%claude --new --answers other\nwhich store?")

    assert isinstance(result.error_in_exec, RecordingError)
    assert '="SQLite"' in printed.split("what came was")[0]
    assert '="Redis"' in printed.split("what came was")[1]


@pytest.mark.agent
def test_missing_records_only_what_is_new(shell: InteractiveShell, tmp_path: Path) -> None:
    service = shell.user_ns["service"]
    succeed(shell, "%claude record made.yaml", "%%claude\nhello", "%claude record made.yaml --missing")
    asked = len(service.requests)
    succeed(shell, "%%claude\nhello")
    assert len(service.requests) == asked

    succeed(shell, "%%claude --answers given.yaml\nwhere is it?")
    recorded = (tmp_path / "made.yaml").read_text(encoding="utf-8")
    assert len(service.requests) == asked + 2
    assert recorded.count("prompt: hello") == 1
    assert recorded.count("prompt: where is it?") == 2


@pytest.mark.agent
def test_the_environment_can_ask_for_a_replay_and_then_nothing_is_recorded(
    shell: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    succeed(shell, "%claude record made.yaml", "%%claude\nhello", "%unload_ext askwidgets")
    recorded = (tmp_path / "made.yaml").read_bytes()
    monkeypatch.setenv("ASKWIDGETS_REPLAY", "made.yaml")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    succeed(shell, "%load_ext askwidgets", "%%claude --into turn\nhello")
    assert shell.user_ns["turn"].text == "Hello."

    printed = succeed(shell, "%claude record made.yaml")
    assert printed == "Replaying made.yaml, since ASKWIDGETS_REPLAY says so; nothing is recorded.\n"
    succeed(shell, "%%claude --into turn\nhello", "%claude record off", "%%claude\nhello")
    assert (tmp_path / "made.yaml").read_bytes() == recorded


@pytest.mark.agent
def test_answers_for_all_turns_are_shown_and_dropped(shell: InteractiveShell) -> None:
    shell.user_ns["mine"] = {"Which store*": "SQLite", "Which index*": "none"}
    assert succeed(shell, "%claude answers") == "No answers are set: you are asked.\n"
    succeed(shell, "%claude answers mine", "%%claude --into turn\nwhich store?")
    assert shell.user_ns["turn"].answers == {"Which store should hold sessions?": "SQLite"}
    assert "no question matched 'Which index*' so far" in succeed(shell, "%claude answers")
    assert 'mine: no question matched "Which index*".' in succeed(shell, "%claude answers off")

    result, _ = run_cell(shell, "%%claude\nwhich store?")
    assert isinstance(result.error_in_exec, UnansweredError)


@pytest.mark.agent
def test_a_pattern_of_the_turn_that_matched_nothing_is_told_in_its_cell(shell: InteractiveShell) -> None:
    shell.user_ns["mine"] = {"Which store*": "SQLite", "Which index*": "none", "*": "first"}
    printed = succeed(shell, "%%claude --answers mine\nwhich store?")

    assert 'mine: no question matched "Which index*".' in printed
    assert '"*"' not in printed


@pytest.mark.agent
def test_where_nobody_is_there_a_question_can_decline_instead_of_failing(shell: InteractiveShell) -> None:
    printed = succeed(shell, "%config ClaudeMagics.unattended = 'decline'", "%%claude --into turn\nwhich store?")

    assert "Declined by script" in printed
    assert "Nobody is here to answer" in shell.user_ns["turn"].text


@pytest.mark.agent
def test_a_full_disk_loses_nothing_of_the_turn_and_nothing_that_was_recorded(
    shell: InteractiveShell, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        path = disk.folder / "made.yaml"
        succeed(shell, f"%claude record {path}", "%%claude\nhello")
        disk.fill()
        printed = succeed(shell, "%%claude --answers given.yaml --into turn\nwhich store?")

        assert '="SQLite"' in shell.user_ns["turn"].text
        assert printed.count("cannot be written (No space left on device)") == 1
        assert "which store?" not in path.read_text(encoding="utf-8")

        for _ in range(2):
            result, printed = run_cell(shell, "%claude record off")
            assert isinstance(result.error_in_exec, RecordingError)
            assert "the next turn or `%claude record off` writes it" in printed

        disk.make_room()
        assert succeed(shell, "%claude record off") == "Recording has ended.\n"
        recorded = path.read_text(encoding="utf-8")
        assert ("prompt: hello" in recorded, "prompt: which store?" in recorded) == (True, True)


@pytest.mark.parametrize(
    ("cell", "kind", "words"),
    [
        ("%claude replay gone.yaml", RecordingError, "gone.yaml: cannot be read"),
        ("%claude replay given.yaml", RecordingError, "is no recording of version 1; record again"),
        ("%claude record given.yaml --missing", RecordingError, "is no recording of version 1; record again"),
        ("%claude record gone/new.yaml", RecordingError, "or in one that does not exist"),
        ("%claude record .", RecordingError, "is a directory"),
        ("%claude export 'unclosed.md", OptionError, "ends in .md or .ipynb"),
        (
            "%claude answers nothing_there",
            OptionError,
            "the name of a mapping in the namespace, or a YAML or JSON file",
        ),
    ],
)
def test_what_cannot_be_used_is_said_in_words(
    shell: InteractiveShell, cell: str, kind: type[AskWidgetsError], words: str
) -> None:
    assert_refused(shell, cell, kind, words)


def test_only_the_messages_api_can_be_recorded(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_USE_BEDROCK", "1")
    _, printed = run_cell(shell, "%claude record made.yaml")

    assert "CLAUDE_CODE_USE_BEDROCK is set, and only the Messages API itself can be recorded." in printed


@pytest.mark.parametrize("cell", ["%claude record", "%claude record a b", "%claude replay", '%claude replay "a'])
def test_a_bad_line_is_ipythons_own_usage_error(shell: InteractiveShell, cell: str) -> None:
    _, printed = run_cell(shell, cell)

    assert printed.startswith("UsageError: %claude re")


@pytest.mark.parametrize("word", ["demo", "record new.yaml"])
def test_what_stands_for_the_model_is_gone_with_the_extension(shell: InteractiveShell, word: str) -> None:
    run_cell(shell, f"%claude {word}")
    source = shell.magics_manager.registry["ClaudeMagics"].notebook.source
    address = urlsplit(source.env()["ANTHROPIC_BASE_URL"])
    place = (str(address.hostname), int(address.port or 0))
    socket.create_connection(place, timeout=5).close()
    run_cell(shell, "%unload_ext askwidgets")

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(place, timeout=5)
