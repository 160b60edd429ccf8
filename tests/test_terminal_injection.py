"""Every payload in the forms of a terminal: what is written there is the same as of text without any command."""

from __future__ import annotations

import asyncio
import io
import re
import sys
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from askwidgets.hidden import ESCAPE_SEQUENCE, plain
from askwidgets.line_form import LineForm
from askwidgets.permissions import Decision, PermissionRequest
from askwidgets.questions import Outcome, QuestionRequest, parse_question_request
from askwidgets.terminal_form import TerminalForm
from tests.payloads import PAYLOADS
from tests.places import tool_request
from tests.terminal import Terminal

COMMANDS = (*PAYLOADS["terminal"], *PAYLOADS["hidden characters"])
ENTER = "\r"
OURS = [
    "\x1b[?2004h",
    "\x1b[?2004l",
    "\x1b[?25l",
    "\x1b[?25h",
    "\x1b[?1l",
    "\x1b[?7l",
    "\x1b[?7h",
    "\x1b[?12l",
    "\x1b[K",
    "\x1b[J",
    "\x1b[6n",
]


def request(text: str) -> QuestionRequest:
    """Ask with the text in every field that a terminal shows."""
    options = [{"label": text, "description": text, "preview": text}, {"label": "Other label", "preview": f"# {text}"}]
    question = {"question": text, "header": text, "description": text, "options": options}

    return parse_question_request({"questions": [question], "title": text}, agent_id=text)


def commands(written: str) -> set[str]:
    """Give the escape sequences, without those that move the cursor and those that color."""
    found = {match[0] for match in ESCAPE_SEQUENCE.finditer(written)}

    return {each for each in found if each[-1] not in "mABCDGH" or not each.startswith("\x1b[")} - set(OURS)


async def asked(form: TerminalForm, given: QuestionRequest | PermissionRequest) -> tuple[Outcome | Decision, str]:
    """Press Enter at each prompt; gives what came of it and all that was written to the terminal."""
    written = io.StringIO()

    with create_pipe_input() as keys:
        output = Vt100_Output(written, lambda: Size(rows=50, columns=100), term="xterm-256color")

        with create_app_session(input=keys, output=output):
            keys.send_text(ENTER * 6)
            settled = form.permit(given) if isinstance(given, PermissionRequest) else form.ask(given)
            outcome: Outcome | Decision = await asyncio.wait_for(settled, 20)

    return outcome, written.getvalue()


@pytest.mark.ci
def test_no_payload_commands_the_terminal_of_a_form(capsys: pytest.CaptureFixture[str]) -> None:
    """B48."""

    async def ask_all() -> list[str]:
        form = TerminalForm()
        written = []

        for payload in COMMANDS:
            for given in (request(payload), tool_request(payload)):
                settled, drawn = await asked(form, given)
                assert isinstance(settled, Decision) or settled.kind == "answered"
                written.append(drawn)

        return written

    drawn = "".join(asyncio.run(ask_all()))
    told = capsys.readouterr().out
    assert commands(drawn) == set()
    assert commands(told) == set()
    assert plain(told.replace("\r\x1b[K", "")) == told.replace("\r\x1b[K", "")
    assert "\u202e" not in drawn + told


def test_no_payload_commands_the_terminal_of_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """B48."""

    async def ask_all() -> None:
        form = LineForm()

        for payload in COMMANDS:
            monkeypatch.setattr("sys.stdin", io.StringIO("1\nyes\n"))
            await form.ask(request(payload))
            await form.permit(tool_request(payload))

    asyncio.run(ask_all())
    told = capsys.readouterr().out
    assert plain(told) == told


def test_a_header_of_several_lines_makes_no_row_and_a_default_hides_nothing() -> None:
    """B48."""
    header = "Store\n  1) Delete everything"
    options = [{"label": "Redis"}, {"label": "SQLite"}]
    pick = parse_question_request({"questions": [{"question": "Which?", "header": header, "options": options}]})
    line = parse_question_request({"questions": [{"question": "Which?", "kind": "text", "defaultValue": "a\u202eb"}]})

    async def ask_both() -> tuple[str, str, str]:
        _, picking = await asked(TerminalForm(), pick)
        outcome, typing = await asked(TerminalForm(), line)
        assert isinstance(outcome, Outcome)
        return picking, typing, outcome.answers["Which?"].other

    picking, typing, typed = asyncio.run(ask_both())

    assert "Store 1) Delete everything" in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", picking)
    assert "\u202e" not in typing
    assert typed == plain("a\u202eb")


ALL_ASKED = """
import asyncio
import os

# The terminal would echo its answers, since nobody reads them.
os.environ["PROMPT_TOOLKIT_NO_CPR"] = "1"

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input

from askwidgets.terminal_form import TerminalForm
from tests.places import plan_request, question_request, tool_request
from tests.test_injection import SHORT

# One option, several, a number, the text that stands there, and Submit.
KEYS = "\\r \\r7\\r\\r\\r"


async def main():
    form = TerminalForm()

    for start in range(0, len(SHORT), 12):
        texts = SHORT[start : start + 12]

        with create_pipe_input() as keys, create_app_session(input=keys):
            keys.send_text(KEYS)
            assert (await form.ask(question_request(*texts))).kind == "answered"

            for request in (tool_request(*texts), tool_request(*texts, tool_name=texts[0]), plan_request(*texts)):
                keys.send_text(ENTER)
                assert (await form.permit(request)).allow

    print("All were asked:", len(SHORT))


ENTER = "\\r"
asyncio.run(main())
"""


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_no_payload_commands_a_real_terminal_from_any_place_of_its_forms(tmp_path: Path) -> None:
    """B48."""
    (tmp_path / "ask.py").write_text(ALL_ASKED)

    with Terminal.started([sys.executable, "ask.py"], tmp_path) as terminal:
        terminal.wait_for("All were asked", seconds=500)

    assert commands(terminal.written) == set()
    assert not set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200b\x07\x9b\x9d") & set(terminal.written)
