"""A CLI that dies or misbehaves: one clear message, and the next turn starts it again and says so.

The real CLI where it can be made to fail, otherwise ``faulty_cli`` in its place.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import psutil
import pytest

from askwidgets.errors import CliError, SessionError
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Outcome, QuestionRequest
from askwidgets.session import Session
from askwidgets.turn import Notice, Turn
from tests.agent import GREETS, QUESTION, RUNS, WRITES, cli_processes, scripted_model, scripted_session
from tests.full_disk import small_disk
from tests.scripted_kernel import faulty_cli

pytestmark = [pytest.mark.agent, pytest.mark.anyio, pytest.mark.ci]

SCRIPT = f"""
- when: "*ask*"
  steps:
    - ask: {QUESTION}
    - say: "{{last_result}}"
- when: "*rhyme*"
  steps:
    - pace: 0.05
    - say: "Once upon a time {"there was a word " * 20}"
{WRITES}{RUNS}{GREETS}"""
AGAIN = "it was started again, and the conversation goes on"
AFRESH = "it starts afresh"
DEADLINE = 20.0
"""Seconds that a wait may take before its test fails."""


class Seen:
    """The messages of a turn."""

    def __init__(self) -> None:
        self.messages: list[object] = []

    def __call__(self, message: object) -> None:
        """Take in a message."""
        self.messages.append(message)

    @property
    def notices(self) -> list[str]:
        """What the session itself had to say."""
        return [message.text for message in self.messages if isinstance(message, Notice)]


class Forever:
    """Asks somebody who never answers."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.cancelled = asyncio.Event()

    async def __call__(self, _request: QuestionRequest) -> Outcome:
        """Wait until this is cancelled."""
        self.asked.set()

        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()

        raise AssertionError


async def killed(_request: QuestionRequest) -> Outcome:
    """Kill the CLI while the question waits."""
    for process in cli_processes():
        process.kill()

    return await Forever()(_request)


async def allow(request: PermissionRequest) -> Decision:
    return Decision(allow=bool(request.tool_name))


async def until(condition: Callable[[], object]) -> None:
    """Wait until the condition holds."""
    with anyio.fail_after(DEADLINE):
        while not condition():  # noqa: ASYNC110 - neither a file nor a process tells of itself
            await asyncio.sleep(0.02)


async def greets_again(session: Session, words: str) -> None:
    """The next turn runs, and says what became of the conversation."""
    seen = Seen()
    assert (await session.prompt("Please greet me.", on_message=seen)).text == "Hello there."
    assert len(seen.notices) == 1
    assert words in seen.notices[0]
    assert len(cli_processes()) == 1

    seen = Seen()
    await session.prompt("Please greet me.", on_message=seen)
    assert seen.notices == []


@pytest.mark.parametrize("phase", ["streaming", "tool running"])
async def test_a_cli_that_is_killed_at_work_is_started_again(tmp_path: Path, phase: str) -> None:
    seen = Seen()

    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("Please greet me.")
            work = "Please write a tale." if phase == "streaming" else "Please run it."
            task = asyncio.create_task(session.prompt(work, permit=allow, on_message=seen))

            if phase == "streaming":
                await until(lambda: any("text_delta" in str(message) for message in seen.messages))
            else:
                await until((tmp_path / "began").exists)

            for process in cli_processes():
                process.kill()

            with pytest.raises(CliError, match="exit code -9") as raised:
                await task

            assert "Run the cell again to start it anew" in str(raised.value)
            await greets_again(session, AGAIN)


FAULTS = {
    "exit": ("exit code 1", "out of luck"),
    "bad-utf8": ("not UTF-8", ""),
    "bad-json": ("not JSON", ""),
    "half-line": ("it ended", ""),
    "too-large": ("too large", ""),
}


# The SDK leaves a pipe that it no longer reads to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_cli_that_talks_nonsense_is_ended_and_started_again(tmp_path: Path, fault: str) -> None:
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=faulty_cli(tmp_path, fault)) as session:
            with pytest.raises(CliError) as raised:
                await session.prompt("one")

            for words in FAULTS[fault]:
                assert words in str(raised.value)

            assert session.last is not None
            # What came in one read with bytes that are no text is lost with them.
            assert session.last.text in {"Half of the ans", "" if fault == "bad-utf8" else "Half of the ans"}
            await greets_again(session, AFRESH)


@pytest.mark.parametrize("oddity", ["noise", "unknown"])
async def test_what_is_odd_but_harmless_on_its_output_is_passed_over(tmp_path: Path, oddity: str) -> None:
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=faulty_cli(tmp_path, oddity)) as session:
            assert (await session.prompt("one")).text == "Half of the ans"


async def test_a_tool_result_of_16_mb_passes(tmp_path: Path) -> None:
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=faulty_cli(tmp_path, "large")) as session:
            turn = await session.prompt("one")

    assert len(str(turn.tool_uses[0].result)) == 16 * 1024 * 1024


async def test_a_cli_that_dies_while_a_question_waits_cancels_it(tmp_path: Path) -> None:
    forever = Forever()

    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=faulty_cli(tmp_path, "exit-asking")) as session:
            with pytest.raises(CliError, match="out of luck"):
                await session.prompt("one", ask=forever)

            with anyio.fail_after(DEADLINE):
                await forever.cancelled.wait()

            await greets_again(session, AFRESH)


async def test_a_cli_that_cannot_start_says_what_it_wrote_last(tmp_path: Path) -> None:
    """B70."""
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=faulty_cli(tmp_path, "refuse")) as session:
            with pytest.raises(CliError, match="no space left on device"):
                await session.prompt("one")

            assert (await session.prompt("Please greet me.")).text == "Hello there."


async def test_a_cli_that_never_gets_ready_says_what_to_check_and_is_ended(tmp_path: Path) -> None:
    """B70."""
    cli = faulty_cli(tmp_path, "stuck", "stuck")

    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=cli, connect_timeout=1.0) as session:
            for _ in range(2):
                with pytest.raises(CliError, match="did not get ready within 1 seconds") as raised:
                    await session.prompt("one")

                for words in ("It last wrote: MCP server 'wiki': connecting", "doctor", "MCP servers", "version"):
                    assert words in str(raised.value)

                assert [child for child in psutil.Process().children() if "faulty" in " ".join(child.cmdline())] == []

            session.options["connect_timeout"] = 60.0
            assert (await session.prompt("Please greet me.")).text == "Hello there."


async def test_a_config_directory_that_cannot_be_written_does_not_keep_the_agent_from_answering(tmp_path: Path) -> None:
    full = {"CLAUDE_CONFIG_DIR": "/dev/full/config"}

    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, env=full) as session:
            for _ in range(2):
                assert (await session.prompt("Please greet me.")).text == "Hello there."


async def test_a_full_disk_is_said_once_and_stops_nothing(tmp_path: Path) -> None:
    """A question that waits meanwhile is answered; a CLI that dies then is started again."""

    async def fill_and_answer(_request: QuestionRequest) -> Outcome:
        disk.fill()

        return Outcome(kind="replied", words="Redis.")

    with scripted_model(SCRIPT) as server, small_disk(tmp_path / "config") as disk:
        async with scripted_session(server, tmp_path) as session:
            told: list[list[str]] = []

            for prompt in ("Please greet me.", "Please ask me.", "Please greet me."):
                seen = Seen()
                turn = await session.prompt(prompt, ask=fill_and_answer, on_message=seen)
                assert turn.text == ("The user responded: Redis." if "ask" in prompt else "Hello there.")
                told.append([text.split(".")[0] for text in seen.notices])

            assert told == [[], [f"The disk that holds {disk.folder} is full"], []]

            with pytest.raises(CliError, match="exit code -9"):
                await session.prompt("Please ask me.", ask=killed)

            await greets_again(session, AGAIN)
            disk.make_room()
            await session.prompt("Please greet me.")
            disk.fill()
            seen = Seen()
            await session.prompt("Please greet me.", on_message=seen)
            assert ["is full" in text for text in seen.notices] == [True]


async def test_a_full_disk_for_temporary_files_fails_one_turn_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_model(SCRIPT) as server, small_disk(tmp_path / "full") as disk:
        monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
        disk.fill()

        async with scripted_session(server, tmp_path) as session:
            with pytest.raises(CliError, match="No space left on device"):
                await session.prompt("Please greet me.")

            disk.make_room()
            assert (await session.prompt("Please greet me.")).text == "Hello there."


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stopping a process is Unix's")
async def test_characters_that_arrive_in_two_pieces_are_whole(tmp_path: Path) -> None:
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=faulty_cli(tmp_path, "split")) as session:
            turn = await session.prompt("Please greet me.")

    assert turn.text.endswith("Größe")


async def test_a_cli_that_reads_no_more_fails_the_next_turn_in_words_and_is_started_again(tmp_path: Path) -> None:
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=faulty_cli(tmp_path, "closed-stdin")) as session:
            await session.prompt("Please greet me.")

            with pytest.raises(CliError):
                await asyncio.wait_for(session.prompt("Please greet me."), DEADLINE)

            assert (await session.prompt("Please greet me.")).text == "Hello there."


async def writing(session: Session, seen: Seen, prompt: str = "Please write a tale.") -> asyncio.Task[Turn]:
    """Start a turn, a long one by default, and wait until its text arrives."""
    task = asyncio.create_task(session.prompt(prompt, on_message=seen))
    await until(lambda: any("text_delta" in str(message) for message in seen.messages))

    return task


async def test_a_cli_that_stood_still_for_a_while_ends_its_turn_whole(tmp_path: Path) -> None:
    seen = Seen()

    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path) as session:
            task = await writing(session, seen, "Please write a rhyme.")
            (cli,) = cli_processes()
            cli.suspend()
            await until(lambda: cli.status() == psutil.STATUS_STOPPED)
            arrived = len(seen.messages)
            assert not task.done()

            cli.resume()
            turn = await task

    assert len(seen.messages) > arrived
    assert turn.text.rstrip() == f"Once upon a time {'there was a word ' * 20}".rstrip()


async def test_a_cli_that_is_stopped_is_interrupted_in_time_and_killed(tmp_path: Path) -> None:
    seen = Seen()

    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path) as session:
            task = await writing(session, seen)
            [process] = cli_processes()
            os.kill(process.pid, signal.SIGSTOP)
            began = time.monotonic()
            task.cancel()

            with pytest.raises(asyncio.CancelledError):
                await task

            assert time.monotonic() - began < 1
            assert session.last is not None
            assert session.last.text == ""
            await greets_again(session, "ended")
            assert not process.is_running()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stopping a process is Unix's")
async def test_closing_ends_a_cli_that_is_stopped(tmp_path: Path) -> None:
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("Please greet me.")
            [process] = cli_processes()
            os.kill(process.pid, signal.SIGSTOP)

        # What was left open would be told here.
        gc.collect()
        assert not process.is_running()


@pytest.mark.parametrize("delay", [0.0, 0.005, 0.01, 0.02, 0.03, 0.05])
async def test_a_turn_cancelled_at_any_moment_leaves_the_session_usable(tmp_path: Path, delay: float) -> None:
    """B41."""
    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path) as session:
            await session.prompt("Please greet me.")
            processes = cli_processes()
            task = asyncio.create_task(session.prompt("Please write a tale."))
            await asyncio.wait([task], timeout=delay)
            began = time.monotonic()
            task.cancel()

            with pytest.raises(asyncio.CancelledError):
                await task

            assert time.monotonic() - began < 1
            assert (await session.prompt("Please greet me.")).text == "Hello there."
            assert cli_processes() == processes


async def test_a_session_that_is_closed_while_a_turn_runs_says_so(tmp_path: Path) -> None:
    forever = Forever()

    with scripted_model(SCRIPT) as server:
        async with scripted_session(server, tmp_path, cli_path=faulty_cli(tmp_path, "stuck")) as session:
            task = asyncio.create_task(session.prompt("one", ask=forever))
            await until((tmp_path / "starts").exists)
            await session.close()

            with pytest.raises(SessionError, match="closed"):
                await task
