"""What the cell does with its forms once they are settled, or nobody waits for them any more."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import cast

import pytest

from askwidgets.allowances import SessionAllowances
from askwidgets.answers import Answers
from askwidgets.cell_host import CellHost
from askwidgets.form import QuestionForm
from askwidgets.permissions import PermissionRequest
from askwidgets.questions import Answer, Outcome, parse_question_request
from askwidgets.transcript import Transcript
from askwidgets.widget_tree import tree_widgets
from tests.person import STORE, asked, handled
from tests.recorded_outputs import RecordedOutputs
from tests.skipping_loop import run

QUESTION = parse_question_request(asked(STORE), tool_use_id="toolu_1")
PERMISSION = PermissionRequest(tool_name="Bash", input={"command": "ls"}, tool_use_id="toolu_1")


@pytest.mark.parametrize("waits", [lambda host: host.ask(QUESTION), lambda host: host.permit(PERMISSION)])
def test_an_interrupted_form_freezes_also_in_a_page_that_was_reloaded(
    waits: Callable[[CellHost], Awaitable[object]],
) -> None:
    """B27, B71: no update of an output reaches that page, so the form itself has to say it."""

    async def interrupt() -> None:
        outputs = RecordedOutputs()
        host = CellHost(
            outputs=outputs, transcript=Transcript(outputs), allowances=SessionAllowances(), frontend="before"
        )
        waiting = asyncio.ensure_future(waits(host))
        await handled()
        form = host.pending["toolu_1"].form
        form.delivery.frontend = "reloaded"
        waiting.cancel()
        await handled()

        assert waiting.cancelled()
        assert host.frozen == [form]
        shown = " ".join(str(getattr(widget, "value", "")) for widget in tree_widgets(form.widget))
        assert "<strong>Interrupted</strong>" in shown
        assert "<strong>Interrupted</strong>" in outputs.html
        form.close()

    run(interrupt())


@pytest.mark.parametrize("answers", [None, Answers({"*": "first"})])
def test_an_answer_is_given_also_where_its_receipt_cannot_be_drawn(
    answers: Answers | None, caplog: pytest.LogCaptureFixture
) -> None:
    broken = replace(QUESTION, title=cast("str", 7))
    outputs = RecordedOutputs()
    picked = Outcome(kind="answered", answers={STORE: Answer(labels=("Redis",))})

    async def ask() -> Outcome:
        host = CellHost(
            outputs=outputs, transcript=Transcript(outputs), allowances=SessionAllowances(), answers=answers
        )
        asking = asyncio.create_task(host.ask(broken))
        await handled()

        if answers is None:
            form = host.pending["toolu_1"].form
            assert isinstance(form, QuestionForm)
            form.settle(picked)

        outcome = await asking
        host.clear()

        return outcome

    with caplog.at_level(logging.WARNING, "askwidgets"):
        outcome = run(ask())

    assert outcome.answers == picked.answers
    assert "the receipt cannot be drawn (TypeError: " in outputs.plain
    assert "A receipt cannot be drawn (TypeError)" in caplog.text
