"""One question of a form: its text, what takes the answer, a note, and a way to skip it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ipywidgets import Box, Button

from askwidgets.control import make_control
from askwidgets.direction import is_right_to_left
from askwidgets.handover import Changed
from askwidgets.markup import attribute_html, inline_markdown_html, markdown_html, text_html
from askwidgets.option_previews import previews_html
from askwidgets.parts import Parts
from askwidgets.questions import Answer, Question, answer_problem

__all__ = ["Field", "is_given", "joined", "question_names"]


class Field:
    """Asks one question; made and read on the form's loop."""

    def __init__(
        self,
        question: Question,
        *,
        name: str,
        place: tuple[int, int],
        parts: Parts,
        changed: Changed,
    ) -> None:
        self.question = question
        self.name = name
        self._control = make_control(question, name=name, parts=parts, changed=changed)
        many = place[1] > 1
        # A question that stands alone needs no name but its own header.
        head = parts.html(_head_html(question, name if many else question.header.strip()), "head")

        # A button, since a frontend cannot focus HTML: where the overview leads to, and the way back.
        self.place: Button = parts.button("{} of {}".format(*place), "place", tooltip=question.text, tabbable=False)
        self._notes = parts.textarea("", "notes", label=f"Notes: {name}", placeholder="Notes")
        self._skip = parts.toggle("Skip", "skip", tooltip=f"Leave this question unanswered on purpose: {name}")
        previews = previews_html(question)
        beside = [parts.html(previews, "previews")] if previews else []
        tail = [self._notes, self._skip] if many else [self._notes]
        names = ["field", "many" if question.multi_select else "one"]
        names += ["field-previews"] if previews else []
        names += ["rtl"] if is_right_to_left(question.text) else []
        top = [head, self.place] if many else [head]
        self.widget: Box = parts.box([*top, *self._control.widgets, *beside, *tail], *names)
        for widget in tail:
            widget.observe(lambda _: changed(self._show_skipped), "value")

    @property
    def invitation(self) -> str:
        """What to do where nothing was given yet."""
        return answer_problem(self.question, Answer()) or ""

    def answer(self) -> Answer:
        """Give what would be sent: words that cannot be the answer become the note."""
        draft = self.draft()
        if draft.skipped:
            return Answer(skipped=True, notes=joined(draft.other, draft.notes))

        stray = self._control.stray_words()
        return replace(draft, other="", notes=joined(stray, draft.notes)) if stray and draft.other else draft

    def draft(self) -> Answer:
        """Give all that the person put in, so that ``fill`` can put it back."""
        given = self._control.read()
        # Words that are part of the answer come back with it, all others as a note.
        unread = "" if given.other.strip() else self._control.stray_words()
        return replace(given, notes=joined(unread, self._notes.value), skipped=self._skip.value)

    def fill(self, draft: Answer) -> None:
        """Put back what ``draft`` gave."""
        self._control.fill(draft)
        self._notes.value = draft.notes
        self._skip.value = draft.skipped
        self._show_skipped()

    def problem(self) -> str | None:
        """Say what is still to be done here; empty where nothing was given yet."""
        answer = self.answer()
        if not answer.skipped and (problem := self._control.problem()):
            return problem

        return answer_problem(self.question, answer) if is_given(answer) else ""

    def has_stray_words(self) -> bool:
        """Whether words were typed that are no part of the answer."""
        return bool(self._control.stray_words())

    def _show_skipped(self) -> None:
        if self._skip.value:
            self.widget.add_class("ask-skipped")
            self._skip.description = "Skipped"
        else:
            self.widget.remove_class("ask-skipped")
            self._skip.description = "Skip"


def question_names(questions: Sequence[Question]) -> list[str]:
    """Name each question by its header, told apart by its place where it has none or shares it."""
    headers = [question.header.strip() for question in questions]
    return [
        f"{header or 'Question'} {place}" if not header or headers.count(header) > 1 else header
        for place, header in enumerate(headers, 1)
    ]


def is_given(answer: Answer) -> bool:
    """Whether the person gave anything; blank text is nothing."""
    words = answer.other.strip() or answer.notes.strip()
    return bool(answer.labels or words or answer.skipped or answer.number is not None)


def joined(*texts: str) -> str:
    """Put texts under each other, without the blank ones."""
    return "\n".join(text.strip() for text in texts if text.strip())


def _head_html(question: Question, chip: str) -> str:
    text = inline_markdown_html(question.text)
    html = f'<div class="ask-question" role="heading" aria-level="4" dir="auto">{text}</div>'
    if chip:
        html = f'<span class="ask-chip" dir="auto" title="{attribute_html(chip)}">{text_html(chip)}</span>{html}'

    if question.description.strip():
        html += f'<div class="ask-description" dir="auto">{markdown_html(question.description)}</div>'

    return html
