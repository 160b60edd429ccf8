"""All that a question form shows: its widgets, and what they say at each moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import ipywidgets as widgets

from askwidgets.field import Field, question_names
from askwidgets.handover import Changed
from askwidgets.hidden import plain
from askwidgets.live_form import WAITING
from askwidgets.markup import inline_markdown_html, text_html
from askwidgets.option_rows import row_rules
from askwidgets.parts import Parts
from askwidgets.questions import QuestionRequest

__all__ = ["Sheet", "bare"]

REPLYING = "Only your reply is sent. What you have picked is quoted in it; going back keeps everything."


class Sheet:
    """The widgets of one form; it decides nothing."""

    def __init__(
        self,
        request: QuestionRequest,
        *,
        parts: Parts,
        changed: Changed,
        notice: str = "",
    ) -> None:
        self._request = request
        questions = request.questions
        names = question_names(questions)
        self.fields: list[Field] = [
            Field(question, name=name, place=(place, len(questions)), parts=parts, changed=changed)
            for place, (question, name) in enumerate(zip(questions, names, strict=True), 1)
        ]
        self.chips: list[widgets.Button] = [
            parts.button(field.name, "goto", tooltip=field.question.text) for field in self.fields
        ]
        self.submit: widgets.Button = parts.button("Submit answers", "primary")
        self.reply: widgets.Button = parts.button("Reply in my own words", "quiet")
        self.ask_more: widgets.Button = parts.button(
            "Ask me more", "quiet", tooltip="Let it ask more questions before it goes on"
        )
        self.discuss: widgets.Button = parts.button(
            "Discuss instead", "quiet", tooltip="Decline, so that it asks in another way"
        )
        self.back: widgets.Button = parts.button("Back to the questions", "quiet", "back")
        self.words: widgets.Textarea = parts.textarea(
            "", "words", label="Reply, remark or reason", placeholder="Reply, remark or reason (optional)"
        )
        self._clock = parts.html("", "clock")
        self._hint = parts.html("", "hint")
        self.body: widgets.Box = self._make_body(parts, notice)
        self.rules: str = row_rules(1 + max(len(question.options) for question in questions))
        """The CSS that the number of options calls for."""

    @property
    def buttons(self) -> Sequence[widgets.Button]:
        """The buttons that settle the form or lead there."""
        return (self.submit, self.reply, self.ask_more, self.discuss, self.back)

    def show_clock(self, text: str) -> None:
        """Say how much time is left."""
        self._clock.value = f"<span>{text_html(text)}</span>" if text else ""

    def show_hint(self, text: str) -> None:
        """Say what is missing, or what will happen to typed words."""
        self._hint.value = f'<span dir="auto">{text_html(text)}</span>' if text else ""

    def show_trouble(self, text: str) -> None:
        """Say what went wrong in the form itself, in the place of the hint."""
        self._hint.value = f'<span role="alert" dir="auto">{text_html(text)}</span>'

    def show_answered(self) -> None:
        """Mark the chips of the questions that need nothing more."""
        for chip, field in zip(self.chips, self.fields, strict=True):
            _mark(chip, "ask-done", on=field.problem() is None)

    def show_reply(self, *, on: bool) -> None:
        """Show the reply alone, or the questions again."""
        _mark(self.body, "ask-replying", on=on)
        self.reply.description = "Send reply" if on else "Reply in my own words"
        self.words.rows = 4 if on else 1

    def plain_text(self) -> str:
        """Say in plain text what is asked, for a frontend without widgets."""
        lines = []
        for question in self._request.questions:
            lines.append(plain(question.text))
            lines += [plain(f"  - {option.label}") for option in question.options]

        return "\n".join(lines)

    def _make_body(self, parts: Parts, notice: str) -> widgets.Box:
        status = parts.html(f'<span role="status">{WAITING}</span>', "status")
        intro = _intro_html(self._request, notice)
        top = [parts.box([status, self._clock], "top")]
        top += [parts.html(intro, "intro")] if intro else []
        top += [parts.box(self.chips, "chips")] if len(self.chips) > 1 else []
        explained = parts.html(text_html(REPLYING), "explained")
        ways_out = parts.box([self.reply, self.ask_more, self.discuss, self.back], "ways-out")
        fields = parts.box([field.widget for field in self.fields], "fields")
        send = parts.box([self.submit, self._hint], "send")
        away = parts.box([explained, self.words, ways_out], "away")
        return parts.box([*top, fields, send, away], "body")


def bare(request: QuestionRequest) -> QuestionRequest:
    """Leave out what only embellishes the questions."""
    questions = tuple(
        replace(
            question,
            description="",
            options=tuple(replace(option, description="", preview=None) for option in question.options),
        )
        for question in request.questions
    )

    return replace(request, title="", questions=questions)


def _intro_html(request: QuestionRequest, notice: str) -> str:
    agent = "" if request.agent_id is None else f"Asked by a subagent ({request.agent_id})"
    lines = [f'<div class="ask-notice" dir="auto">{text_html(line)}</div>' for line in (notice, agent) if line]
    if request.title.strip():
        title = inline_markdown_html(request.title)
        lines.append(f'<div class="ask-title" role="heading" aria-level="3" dir="auto">{title}</div>')

    return "".join(lines)


def _mark(widget: widgets.DOMWidget, name: str, *, on: bool) -> None:
    if on:
        widget.add_class(name)
    else:
        widget.remove_class(name)
