"""A finished turn as the notebook's file holds it: found by its prompt, and read back as far as it was saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from askwidgets.display import METADATA, Bundle
from askwidgets.errors import QuestionError
from askwidgets.hidden import plain
from askwidgets.markdown_text import MarkdownText
from askwidgets.notebook_file import cell_outputs, own_metadata
from askwidgets.questions import Answer, Outcome, OutcomeKind, parse_question_request
from askwidgets.receipt import RECEIPT_TYPE, receipts
from askwidgets.saved_html import saved_html
from askwidgets.turn import AskedQuestion, Turn

__all__ = ["SavedTurn", "prompt_digest", "saved_turns"]

_IMAGES = ("image/png", "image/jpeg")
_TEXT = '<div class="ask-text">'
"""How the HTML of what the agent said begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedTurn:
    """What stands in the cell of a turn that had ended as usual."""

    digest: str
    """Of its prompt."""
    cell_id: str = ""
    """Of its cell, as the file has it; empty in files older than nbformat 4.5."""
    session_id: str = ""
    """Of its conversation."""
    message_uuid: str = ""
    """Of the entry of the conversation that it ended with."""
    bundles: tuple[Bundle, ...] = ()
    """What it shows, cleaned, in order."""
    receipts: tuple[Mapping[str, object], ...] = field(default=())

    def turn(self, prompt: str) -> Turn:
        """Give the turn, without what was not saved: tool uses, costs, the reply as data."""
        said = [str(bundle["text/plain"]).strip() for bundle in self.bundles if _is_text(bundle)]

        return Turn(
            prompt=prompt,
            text=MarkdownText("\n\n".join(said)),
            questions=tuple(_asked_questions(self.receipts)),
            session_id=self.session_id,
        )


def prompt_digest(prompt: str) -> str:
    """Reduce a prompt to what tells it from others."""
    return sha256(prompt.strip().encode(errors="surrogatepass")).hexdigest()[:16]


def saved_turns(cells: list[Mapping[str, object]]) -> Iterator[SavedTurn]:
    """Read the finished turns of a notebook, in its order; a cell that failed or still asked holds none."""
    for cell in cells:
        outputs = cell_outputs(cell)
        kept = [own_metadata(output) for output in outputs]
        digest = next((str(own["prompt"]) for own in kept if "prompt" in own), "")
        has_failed = any(output.get("output_type") == "error" for output in outputs)

        if digest and not has_failed:
            yield SavedTurn(
                digest=digest,
                cell_id=str(cell.get("id") or ""),
                session_id=_last(kept, "session_id"),
                message_uuid=_last(kept, "message"),
                bundles=tuple(bundle for output in outputs if (bundle := _bundle(output))),
                receipts=tuple(receipts({"cells": [cell]})),
            )


def _last(kept: list[Mapping[str, object]], name: str) -> str:
    return next((str(own[name]) for own in reversed(kept) if name in own), "")


def _bundle(output: Mapping[str, object]) -> Bundle:
    """Give an output to show again; empty for one that shows nothing, as style sheets."""
    if output.get("output_type") == "stream":
        return {"text/plain": plain(_joined(output.get("text")))}

    data = output.get("data")
    data = data if isinstance(data, Mapping) else {}
    text = plain(_joined(data.get("text/plain")))

    if not text:
        return {}

    bundle: dict[str, object] = {kind: _joined(data[kind]) for kind in _IMAGES if kind in data}
    bundle["text/plain"] = text

    if isinstance(data.get(RECEIPT_TYPE), Mapping):
        bundle[RECEIPT_TYPE] = data[RECEIPT_TYPE]

    if "text/html" in data:
        bundle["text/html"] = saved_html(_joined(data["text/html"]))

    own = own_metadata(output)

    return {**bundle, METADATA: {"askwidgets": own}} if own else bundle


def _joined(data: object) -> str:
    """Join text, which nbformat keeps as a list of lines; what is no text gives none."""
    if isinstance(data, list):
        return "".join(map(str, data))

    return data if isinstance(data, str) else ""


def _is_text(bundle: Bundle) -> bool:
    return str(bundle.get("text/html", "")).startswith(_TEXT)


_KINDS: Mapping[str, OutcomeKind] = {
    "Answered": "answered",
    "Answered elsewhere": "answered",
    "Replied": "replied",
    "Declined": "declined",
    "Timed out": "timed_out",
}


def _asked_questions(saved: tuple[Mapping[str, object], ...]) -> Iterator[AskedQuestion]:
    for receipt in saved:
        kind = _KINDS.get(str(receipt.get("status")))
        questions = receipt.get("questions")

        if receipt.get("kind") != "question" or kind is None or not isinstance(questions, list):
            continue

        asked = [entry for entry in questions if isinstance(entry, Mapping)]
        fields = [{**entry, "multiSelect": entry.get("multi_select", False)} for entry in asked]
        words = receipt.get("response") or receipt.get("remark") or receipt.get("reason") or ""

        try:
            request = parse_question_request({"title": receipt.get("title", ""), "questions": fields})
        except QuestionError:
            continue

        answers = {str(entry.get("question")): _answer(entry.get("answer")) for entry in asked if "answer" in entry}
        kind = "asked_more" if "remark" in receipt and kind == "replied" else kind
        outcome = Outcome(kind=kind, answers=answers, words=str(words), by=str(receipt.get("by", "person")))

        yield AskedQuestion(request=request, outcome=outcome)


def _answer(saved: object) -> Answer:
    given = saved if isinstance(saved, Mapping) else {}
    labels, number = given.get("labels"), given.get("number")

    return Answer(
        labels=tuple(map(str, labels)) if isinstance(labels, list) else (),
        other=str(given.get("other", "")),
        number=number if isinstance(number, (int, float)) else None,
        notes=str(given.get("notes", "")),
        skipped=given.get("skipped") is True,
    )
