"""What stays in the notebook of one decision: a receipt, for people and for programs.

A receipt is drawn from the values that were sent. It holds no time, no id and no cost, so that a
notebook that is run again in CI gives the same one.

The entry ``application/vnd.askwidgets.receipt+json`` of the output is an object. ``receipts`` gives it in full, as
follows, without what is empty; questions are saved shorter, see ``askwidgets/short_receipt.py``::

    version     1
    kind        "question", "permission" or "plan"
    status      the word that the receipt starts with: "Answered", "Declined", "Replied", "Timed out",
                "Interrupted", "Answered elsewhere"; "Allowed", "Denied"; "Approved", "Kept planning"
    by          "person", "script", or the command that settled it
    title       what stood above the questions
    questions   of a question, each: question, header, kind ("choice", "text", "number"), multi_select,
                options (each: label, description), answer (labels, other, number, notes, skipped);
                where the status is not "Answered", an answer is what had been picked by then
    response    the reply in the person's own words
    remark      what they said when they asked for more questions
    reason      why they declined
    sent        what the tool got: answers and annotations (each by question), response, followUp; or
                message, which a denial gives to the model

Permissions and plans have the fields that their modules document.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from askwidgets.direction import direction_attribute
from askwidgets.errors import OptionError
from askwidgets.hidden import plain
from askwidgets.markup import joined_html, text_html
from askwidgets.plain_json import number_text, plain as plain_json
from askwidgets.questions import (
    Answer,
    Outcome,
    OutcomeKind,
    Question,
    QuestionRequest,
    denial,
    outcome_problem,
    updated_input,
)
from askwidgets.receipt_row import ReceiptLine, ReceiptRow, marked_html, row_html, row_plain, typed_html, typed_plain
from askwidgets.short_receipt import full_receipt, short_receipt

__all__ = [
    "RECEIPT_TYPE",
    "Receipt",
    "ReceiptLine",
    "ReceiptRow",
    "interrupted_receipt",
    "question_receipt",
    "receipts",
]

RECEIPT_TYPE = "application/vnd.askwidgets.receipt+json"
"""The MIME type of a receipt's machine-readable form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One decision as it stays in the notebook.

    ::

        receipt = question_receipt(request, outcome)
        output.update(receipt.bundle())
    """

    status: str
    """The word that it starts with, such as ``Answered``."""
    by: str = "person"
    """Who settled it: ``person``, ``script``, or the command that did."""
    remark: str = ""
    """A few words of ours behind the status."""
    title: str = ""
    """What was decided, in one line of model text; may be empty."""
    words: str = ""
    """The reply or the reason in the person's own words."""
    rows: tuple[ReceiptRow, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)
    """What programs read; see the module."""

    def html(self) -> str:
        """Give what a frontend shows."""
        return joined_html("".join(_html(self)))

    def bundle(self) -> dict[str, object]:
        """Give the MIME types of the output that it becomes."""
        return {
            "text/html": self.html(),
            "text/plain": "\n".join(_plain_lines(self)),
            RECEIPT_TYPE: short_receipt(plain_json(self.data)),
        }

    @property
    def heading(self) -> str:
        """The status with who settled it, when that was not the person at the form."""
        by = "" if self.by == "person" else f" by {self.by}"
        return f"{self.status}{by}" + (f", {self.remark}" if self.remark else "")


def question_receipt(request: QuestionRequest, outcome: Outcome) -> Receipt:
    """Tell what became of a question request."""
    status, field_name = _STATUS[outcome.kind]
    if outcome.kind == "answered" and outcome.by not in {"person", "script"}:
        status = "Answered elsewhere"

    remark = "with more questions asked for" if outcome.kind == "asked_more" else ""
    receipt = _receipt(request, outcome.answers, status=status, by=outcome.by, remark=remark, words=outcome.words)
    extra = _filled({field_name: outcome.words, "sent": _sent(request, outcome)})
    return replace(receipt, data={**receipt.data, **extra})


def _sent(request: QuestionRequest, outcome: Outcome) -> dict[str, object]:
    """Give what the tool got beside its input, or the message of the denial."""
    if outcome.kind in {"declined", "timed_out"}:
        return {"message": denial(request, outcome)}

    # A form without an agent has no tool input, and nothing is sent.
    if not request.input or outcome_problem(request, outcome):
        return {}

    return {name: value for name, value in updated_input(request, outcome).items() if name in _SENT}


_SENT = ("answers", "annotations", "response", "followUp")


def interrupted_receipt(request: QuestionRequest, drafts: Mapping[str, Answer]) -> Receipt:
    """Tell that the agent stopped waiting, and keep what the person had filled in."""
    return _receipt(request, drafts, status="Interrupted", by="person", remark="", words="")


def receipts(notebook: str | Path | Mapping[str, object]) -> list[dict[str, object]]:
    """Read the decisions out of a notebook, in its order.

    ::

        for receipt in askwidgets.receipts("analysis.ipynb"):
            print(receipt["kind"], receipt["status"], receipt.get("questions"), receipt.get("tool_name"))

    Each has ``kind`` (question, permission or plan), ``status`` (such as Answered or Denied) and ``by`` (person or
    script); a question's has ``questions``, each with ``question``, ``options`` and ``answer``, of which ``labels``,
    ``other``, ``number`` and ``notes`` stand where they are not empty; a permission's has ``tool_name`` and ``input``.

    Args:
        notebook: the path of an ``.ipynb`` file, or what nbformat or json read from it.

    Raises:
        OptionError: the file holds no notebook.
        OSError: the file cannot be read.
    """
    content = notebook if isinstance(notebook, Mapping) else _parsed(Path(notebook))
    cells = content.get("cells") if isinstance(content, Mapping) else None
    if not isinstance(cells, list):
        raise OptionError("notebook", str(notebook)[:200], "the path or the content of an .ipynb file of format 4")

    return list(_found(cells))


def _parsed(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None


def _found(cells: list[object]) -> Iterator[dict[str, object]]:
    for cell in cells:
        outputs = cell.get("outputs") if isinstance(cell, Mapping) else None
        for output in outputs if isinstance(outputs, list) else ():
            data = output.get("data") if isinstance(output, Mapping) else None
            receipt = data.get(RECEIPT_TYPE) if isinstance(data, Mapping) else None
            if isinstance(receipt, Mapping):
                yield full_receipt(receipt)


_STATUS: Mapping[OutcomeKind, tuple[str, str]] = {
    "answered": ("Answered", "remark"),
    "replied": ("Replied", "response"),
    "asked_more": ("Replied", "remark"),
    "declined": ("Declined", "reason"),
    "timed_out": ("Timed out", "reason"),
}
"""The first word of the receipt, and the field that holds the person's words."""


def _receipt(
    request: QuestionRequest, answers: Mapping[str, Answer], *, status: str, by: str, remark: str, words: str
) -> Receipt:
    given = [(question, answers.get(question.text, Answer())) for question in request.questions]
    asked = [
        _filled(_question_data(question) | {"answer": _answer_data(question, answer)}) for question, answer in given
    ]
    data = {
        "version": 1,
        "kind": "question",
        "status": status,
        "by": by,
        "title": request.title,
        "questions": asked,
    }
    return Receipt(
        status=status,
        by=by,
        remark=remark,
        title=request.title,
        words=words,
        rows=tuple(_row(question, answer) for question, answer in given),
        data=_filled(data),
    )


def _filled(data: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in data.items() if value not in ("", [], {}, None, False)}


def _question_data(question: Question) -> dict[str, object]:
    options = [_filled({"label": option.label, "description": option.description}) for option in question.options]
    return {
        "question": question.text,
        "header": question.header,
        "kind": question.kind,
        "multi_select": question.multi_select,
        "options": options,
    }


def _answer_data(question: Question, answer: Answer) -> dict[str, object]:
    filled = _filled(
        {
            "labels": list(_in_order(question, answer)),
            "other": answer.other,
            "notes": answer.notes,
            "skipped": answer.skipped,
        }
    )
    return filled if answer.number is None else {**filled, "number": _whole(answer.number)}


def _in_order(question: Question, answer: Answer) -> tuple[str, ...]:
    """Give the picked labels in the order of the options, as they are sent."""
    order = {option.label: place for place, option in enumerate(question.options)}
    return tuple(sorted(answer.labels, key=lambda label: order.get(label, len(order))))


def _preview(question: Question, answer: Answer) -> str:
    previews = [option.preview for option in question.options if option.label in answer.labels and option.preview]
    return "\n\n".join(previews)


def _whole(number: float) -> float:
    return int(number) if isinstance(number, int) or number.is_integer() else number


def _row(question: Question, answer: Answer) -> ReceiptRow:
    lines = [ReceiptLine(text=label) for label in _in_order(question, answer)]
    if answer.number is not None:
        lines.append(ReceiptLine(text=f"{number_text(answer.number)} {question.unit}".rstrip()))

    if answer.other:
        lines.append(ReceiptLine(text=answer.other, typed=True))

    return ReceiptRow(
        label=question.header,
        question=question.text,
        lines=tuple(lines),
        skipped=answer.skipped,
        notes=answer.notes,
        preview=_preview(question, answer),
    )


_BOX = "border-left:3px solid #1976d2;padding-left:12px"
"""A receipt brings its few looks itself: Markdown viewers show a style sheet as text."""


def _html(receipt: Receipt) -> Iterator[str]:
    settled = receipt.heading.removeprefix(receipt.status).strip(" ,")
    aside = f" <small>{text_html(settled)}</small>" if settled else ""
    yield f'<div class="ask-receipt" style="{_BOX}">'
    yield f"<p><strong>{text_html(receipt.status)}</strong>{aside}</p>\n"
    if receipt.title:
        yield f"<p{direction_attribute(receipt.title)}>{marked_html(receipt.title)}</p>\n"

    if receipt.words:
        yield f"<p{direction_attribute(receipt.words)}>{typed_html(receipt.words)}</p>\n"

    yield from map(row_html, receipt.rows)
    yield "</div>"


def _plain_lines(receipt: Receipt) -> Iterator[str]:
    yield plain(receipt.heading)
    if receipt.title:
        yield plain(receipt.title)

    if receipt.words:
        yield typed_plain(receipt.words)

    for row in receipt.rows:
        yield ""
        yield row_plain(row)
