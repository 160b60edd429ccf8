"""The form that asks a person: what its clicks and keystrokes mean, until it is settled.

What it shows is in ``askwidgets/sheet.py``; what becomes of it then, in ``askwidgets/live_form.py``.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import ipywidgets as widgets
from typing_extensions import override

from askwidgets.countdown import Countdown
from askwidgets.field import is_given, joined
from askwidgets.live_form import LiveForm, error_line
from askwidgets.questions import (
    Answer,
    Outcome,
    OutcomeKind,
    QuestionRequest,
    answer_text,
    outcome_problem,
    parse_question_request,
)
from askwidgets.receipt import Receipt, interrupted_receipt, question_receipt
from askwidgets.sheet import Sheet, bare
from askwidgets.widget_tree import tree_widgets

__all__ = ["QuestionForm"]

_logger = logging.getLogger("askwidgets")

GRACE = 0.25
"""Seconds that a click waits for the last keystrokes.

ipywidgets holds a widget's next state back until the kernel was idle after the one before, but no click; so of
what is typed or dragged the end may come after the click. A pick is one message, and comes before it.
"""
TYPED = (widgets.Text, widgets.Textarea, widgets.FloatSlider)
"""What sends its state many times in a row."""


class QuestionForm(LiveForm[Outcome]):
    """Asks a person in the notebook, and settles once to what became of it.

    ::

        form = QuestionForm({"questions": [{"question": "Which store?", "options": [{"label": "SQLite"}]}]})
        display(form)
        answers = await form.answers()

    ``timeout`` is in seconds and does not run while the person is at it; ``notice`` is a line of ours
    above the questions.
    """

    def __init__(
        self,
        request: QuestionRequest | Mapping[str, object],
        *,
        timeout: float | None = None,
        drafts: Mapping[str, Answer] | None = None,
        notice: str = "",
    ) -> None:
        super().__init__()
        self.request: QuestionRequest = (
            request if isinstance(request, QuestionRequest) else parse_question_request(request)
        )
        self._is_pressed = False
        self._is_replying = False
        self._typed_at: float | None = None
        self._sheet = self._made_sheet(notice)
        self._put_up(self._sheet.body, name="questions", rules=self._sheet.rules)
        self._countdown = (
            None
            if timeout is None or timeout == math.inf
            else Countdown(timeout, show=self._sheet.show_clock, ended=lambda: self._safely(self._time_out))
        )
        self._safely(self._fill, drafts or {})
        self._wire()
        self._safely(self._refresh)
        if _running_loop() is not None:
            self._start_countdown()

    @property
    def summary(self) -> str:
        """The questions, in one line of model text."""
        return " / ".join(" ".join(question.text.split()) for question in self.request.questions)

    async def outcome(self) -> Outcome:
        """Wait until it is settled and say how; cancelling the wait leaves the form as it is.

        Raises:
            asyncio.CancelledError: also when the form was interrupted or closed.
        """
        self._start_countdown()
        return await self._value()

    async def answers(self) -> dict[str, str]:
        """Wait, and give what would be sent by question text; empty if it was declined or replied to."""
        outcome = await self.outcome()
        if outcome.kind not in {"answered", "asked_more"}:
            return {}

        texts = {
            question.text: answer_text(question, outcome.answers.get(question.text, Answer()))
            for question in self.request.questions
        }
        return {question: text for question, text in texts.items() if text}

    def drafts(self) -> dict[str, Answer]:
        """Give what the person has put in so far, by question text."""
        drafts = {field.question.text: field.draft() for field in self._sheet.fields}
        return {question: draft for question, draft in drafts.items() if is_given(draft)}

    def receipt(self, outcome: Outcome | None) -> Receipt:
        """Make the receipt of an outcome; ``None`` is for an agent that stopped waiting."""
        if outcome is None:
            return interrupted_receipt(self.request, self.drafts())

        return question_receipt(self.request, outcome)

    @override
    def close(self) -> None:
        super().close()
        self._stop_countdown()

    @override
    def _freeze(self) -> None:
        self._stop_countdown()
        super()._freeze()

    @override
    def _frozen_html(self, value: Outcome | None) -> str:
        return self.receipt(value).html()

    @override
    def _plain_text(self) -> str:
        return self._sheet.plain_text()

    @override
    def _say(self, trouble: str) -> None:
        self._is_pressed = False
        self._sheet.show_trouble(trouble)
        self._disable_buttons(disabled=False)

    def _made_sheet(self, notice: str) -> Sheet:
        try:
            return Sheet(self.request, parts=self._parts, changed=self._change, notice=notice)
        except Exception as error:
            # A question that cannot be shown whole is still to be answered.
            _logger.debug("the form is shown without what embellishes it", exc_info=True)
            why = f"Shown without descriptions and previews, since one cannot be shown: {error_line(error)}"
            notice = " ".join(filter(None, [notice, why]))

            return Sheet(bare(self.request), parts=self._parts, changed=self._change, notice=notice)

    def _fill(self, drafts: Mapping[str, Answer]) -> None:
        for field in self._sheet.fields:
            if draft := drafts.get(field.question.text):
                field.fill(draft)

    def _wire(self) -> None:
        sheet = self._sheet
        for widget in tree_widgets(self.widget):
            if isinstance(widget, TYPED):
                widget.observe(lambda _: self._soon(self._type), "value")

        sheet.words.observe(lambda _: self._change(), "value")
        presses = (self._submit, self._reply, self._ask_more, self._discuss, self._back)
        for button, press in zip(sheet.buttons, presses, strict=True):
            button.on_click(lambda _, press=press: self._soon(self._press, press))

        # Each leads to the other, so that the keyboard gets there and back.
        for chip, field in zip(sheet.chips, sheet.fields, strict=True):
            chip.on_click(lambda _, there=field.place: self._soon(there.focus))
            field.place.on_click(lambda _, back=chip: self._soon(back.focus))

    def _start_countdown(self) -> None:
        if self._countdown is not None and not self._settled.done:
            self._countdown.start()

    def _stop_countdown(self) -> None:
        if self._countdown is not None:
            self._countdown.stop()

    def _change(self, react: Callable[[], object] = lambda: None, /) -> None:
        """Take a change from a widget, on whatever thread, to the form's loop."""
        self._soon(self._changed, react)

    def _type(self) -> None:
        """Know that more keystrokes may be on their way."""
        loop = _running_loop()
        self._typed_at = None if loop is None else loop.time()

    def _changed(self, react: Callable[[], object]) -> None:
        if self._settled.done:
            return

        if _running_loop() is not None and self._countdown is not None:
            self._countdown.pause()

        react()
        if not self._is_pressed:
            self._refresh()

    def _press(self, press: Callable[[], object]) -> None:
        """Do what a button is for, once the last keystrokes are in; a second press changes nothing."""
        if self._settled.done or self._is_pressed:
            return

        loop = _running_loop()
        # Nobody has typed lately, so nothing can be on its way any more.
        if loop is None or self._typed_at is None or loop.time() - self._typed_at > 1:
            self._act(press)
            return

        self._is_pressed = True
        self._disable_buttons(disabled=True)
        self._later.after(GRACE, self._safely, self._act, press)

    def _act(self, press: Callable[[], object]) -> None:
        self._is_pressed = False
        if not self._settled.done:
            self._refresh()
            press()

    def _refresh(self) -> None:
        """Bring the buttons, the chips and the hint up to date."""
        sheet = self._sheet
        missing = self._missing()
        self._disable_buttons(disabled=False)
        sheet.submit.disabled = bool(missing)
        sheet.reply.disabled = self._is_replying and not sheet.words.value.strip()
        sheet.show_hint(missing or self._going_along())
        sheet.show_answered()

    def _disable_buttons(self, *, disabled: bool) -> None:
        for button in self._sheet.buttons:
            button.disabled = disabled

    def _missing(self) -> str:
        """Say what the person has to do before the answers can be submitted."""
        fields = self._sheet.fields
        problems = [(field, field.problem()) for field in fields]
        empty = [field.name for field, problem in problems if problem == ""]
        said = [problem if len(fields) == 1 else f"{field.name}: {problem}" for field, problem in problems if problem]
        if empty:
            said.insert(0, f"Still to answer: {', '.join(empty)}." if len(fields) > 1 else fields[0].invitation)

        if not said and all(field.answer().skipped for field in fields):
            said.append("Answer at least one question, or choose Discuss instead.")

        if not said and len(fields) > 1 and self._sheet.words.value.strip():
            said.append("Your words below do not go with the answers: clear them, or use a button under them.")

        return " ".join(said)

    def _going_along(self) -> str:
        """Say which typed words are sent as a note."""
        if self._sheet.words.value.strip():
            return "Your words below go along as a note."

        named = [field.name for field in self._sheet.fields if field.has_stray_words()]
        return f"Your own words go along as a note: {', '.join(named)}." if named else ""

    def _submit(self) -> None:
        if self._missing():
            return

        answers = self._answers()
        words = self._sheet.words.value.strip()
        if words:
            # With several questions `_missing` does not let words below go along: whose note would they be?
            [(question, answer)] = answers.items()
            answers = {question: replace(answer, notes=joined(answer.notes, words))}

        self._send(Outcome(kind="answered", answers=answers))

    def _reply(self) -> None:
        # The first press opens the reply, and only the second sends it.
        if self._is_replying:
            self._send_words("replied")
            return

        self._show_reply(on=True)
        self._sheet.words.focus()

    def _back(self) -> None:
        self._show_reply(on=False)

    def _show_reply(self, *, on: bool) -> None:
        self._is_replying = on
        self._sheet.show_reply(on=on)
        self._refresh()

    def _ask_more(self) -> None:
        self._send_words("asked_more")

    def _discuss(self) -> None:
        self._send_words("declined")

    def _time_out(self) -> None:
        self._send_words("timed_out")

    def _send_words(self, kind: OutcomeKind) -> None:
        self._send(Outcome(kind=kind, answers=self._answers(), words=self._sheet.words.value.strip()))

    def _answers(self) -> dict[str, Answer]:
        answers = {field.question.text: field.answer() for field in self._sheet.fields}
        return {question: answer for question, answer in answers.items() if is_given(answer)}

    def _send(self, outcome: Outcome) -> None:
        """Settle it, unless the tool would refuse what the person gave: then say why."""
        # A denial is a message of ours, to which the tool's limits do not apply.
        is_denial = outcome.kind in {"declined", "timed_out"}
        problem = None if is_denial else outcome_problem(self.request, outcome)
        if problem:
            self._sheet.show_hint(problem)
        else:
            self.settle(outcome)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
