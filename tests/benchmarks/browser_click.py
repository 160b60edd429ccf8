"""What a click in Chromium costs until the model server has the answer."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Event

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    PermissionResult,
    PermissionResultAllow,
    ToolPermissionContext,
)
from playwright.sync_api import expect

from askwidgets.conversation import Conversation
from askwidgets.loop_thread import LoopThread
from askwidgets.model_server import ModelServer
from askwidgets.questions import Answer, Outcome, parse_question_request, updated_input
from askwidgets.reply import Reply, Text, ToolUse
from tests.benchmarks.asking import question_input
from tests.benchmarks.figure import Figure, Pair, Size
from tests.benchmarks.stage import PATIENCE, interpreter, model_variables
from tests.browser import Lab, Notebook, chromium

__all__ = ["measure"]

ASKED = parse_question_request(question_input(1, previews=False))
READ = "Your questions have been answered"
BARE = """
import ipywidgets

button = ipywidgets.Button(description="Bare")
button.on_click(lambda _: button.set_trait("description", button.description + "."))
button
"""
CELLS = (
    "%load_ext askwidgets\n%config ClaudeMagics.setting_sources = []",
    BARE,
    "%%claude\nPlease ask me.",
)
ROUND_TRIP = """element => new Promise(done => {
    const begin = performance.now();
    new MutationObserver((_, observer) => { observer.disconnect(); done(performance.now() - begin); })
        .observe(element, {childList: true, characterData: true, subtree: true});
    element.click();
})"""
"""Clicks a button and gives the milliseconds until its text is another one."""
CLICK = "element => { const begin = performance.timeOrigin + performance.now(); element.click(); return begin; }"
"""Clicks a button and gives the time of that, in milliseconds since the epoch."""


class _Asking:
    """A model that asks once for each prompt, and notes when, and when it reads the answer."""

    mismatches = ()

    def __init__(self) -> None:
        self.asked = 0.0
        """When it asked last, in seconds since the epoch."""
        self.read = 0.0
        """When it did last, in seconds since the epoch."""
        self.has_read = Event()

    def respond(self, conversation: Conversation, /) -> Reply:
        """Ask, or take note of the answer."""
        if any(READ in result.text for result in conversation.tool_results):
            self.read = time.time()
            self.has_read.set()
            return Reply(blocks=(Text(text="Thank you."),))

        self.asked = time.time()
        return Reply(blocks=(ToolUse(tool="AskUserQuestion", input=question_input(1, previews=False)),))


def measure(size: Size) -> Sequence[Figure]:
    """Click in one page, in turns: a bare button, and the one that submits an answer."""
    model = _Asking()
    with ExitStack() as stack:
        folder, home = (Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(2))
        server = stack.enter_context(ModelServer(model))
        variables = model_variables(server, str(home))
        lab = stack.enter_context(Lab.started(folder, kernel=interpreter(), environment=variables))
        lab.write("clicks.ipynb", CELLS)
        notebook = stack.enter_context(lab.opened(stack.enter_context(chromium()), "clicks.ipynb"))
        notebook.run_all()
        _answer(notebook, model)
        thread = LoopThread("bare client")
        pairs = [_pair(notebook, model, thread, variables) for _ in range(size.runs)]
        thread.stop()

    name, against = (
        "a click in Chromium to the answer at the model",
        "a bare button's round trip and the CLI's own time",
    )
    return [Figure(name=name, against=against, unit="s", limit=1.3, pairs=pairs)]


def _pair(notebook: Notebook, model: _Asking, thread: LoopThread, variables: Mapping[str, str]) -> Pair:
    bare = notebook.page.get_by_role("button", name="Bare").evaluate(ROUND_TRIP) / 1000
    notebook.cell(2).locator(".jp-InputArea-editor").click()
    notebook.choose("Run", "Run Selected Cell and Do not Advance")
    ours, waited = _answer(notebook, model)
    return Pair(ours=ours, theirs=bare + thread.start(_cli_seconds(model, variables, waited)).result())


def _answer(notebook: Notebook, model: _Asking) -> tuple[float, float]:
    """Answer the question; give the seconds from the click until the model has read it, and those before the click."""
    page = notebook.page
    page.get_by_role("radio", name="Option A").check()
    submit = page.get_by_role("button", name="Submit answers")
    expect(submit).to_be_enabled()
    model.has_read.clear()
    clicked = float(submit.evaluate(CLICK)) / 1000
    # The model is a thread of this process: whatever this one does meanwhile would delay it.
    assert model.has_read.wait(PATIENCE)
    expect(submit).to_have_count(0)
    notebook.wait_for_end(2)
    return model.read - clicked, clicked - model.asked


async def _cli_seconds(model: _Asking, variables: Mapping[str, str], waited: float) -> float:
    """Answer by a bare client whose CLI is warm, and give the seconds until the model has read that.

    It waits as long for the answer as the other did: after a second of rest a CLI takes three times as long.
    """
    answered = 0.0
    picked = {question.text: Answer(labels=(question.options[0].label,)) for question in ASKED.questions}
    sent = updated_input(ASKED, Outcome(kind="answered", answers=picked))

    async def answer(_name: str, _input: dict[str, object], _: ToolPermissionContext) -> PermissionResult:
        nonlocal answered
        await asyncio.sleep(waited)
        answered = time.time()
        return PermissionResultAllow(updated_input=sent)

    options = ClaudeAgentOptions(env=dict(variables), can_use_tool=answer, setting_sources=[])
    async with ClaudeSDKClient(options) as client:
        for _ in range(2):
            await client.query("Please ask me.")
            async for _message in client.receive_response():
                pass

    return model.read - answered
