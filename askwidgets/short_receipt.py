"""The machine-readable form of a question's receipt as a notebook saves it: in as few lines as can be.

Each line of JSON in a notebook costs its indentation, so version 2 differs from version 1, the full form, which
``askwidgets/receipt.py`` documents, in this::

    version     2
    by          left out where it is "person"
    questions   each with the fields of version 1, but: no "kind" where it is "choice"; each option is a text, the
                label in its first line and the description below; "sent" is what the tool got as the answer, and
                "answer" is left out where that is the one label that "sent" says
    sent        without "answers"
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["full_receipt", "short_receipt"]

_SHORT = 2
"""The version that tells it from the full form."""


def short_receipt(receipt: object) -> dict[str, object]:
    """Shorten the receipt of a question, where nothing of it gets lost; any other stays as it is."""
    full = _mapping(receipt)
    questions = full.get("questions")
    if full.get("version") != 1 or not isinstance(questions, list):
        return full

    others = _mapping(full.get("sent"))
    answers = _mapping(others.pop("answers", None))
    short = {**full, "version": _SHORT, "questions": [_short_question(question, answers) for question in questions]}
    if short.get("by") == "person":
        del short["by"]

    short.pop("sent", None)
    if others:
        short["sent"] = others

    return short if full_receipt(short) == full else full


def full_receipt(saved: Mapping[str, object]) -> dict[str, object]:
    """Give the full form of a receipt that was saved in either."""
    questions = saved.get("questions")
    if saved.get("version") != _SHORT or not isinstance(questions, list):
        return dict(saved)

    answers = {
        str(question["question"]): question["sent"]
        for question in questions
        if isinstance(question, Mapping) and {"question", "sent"} <= question.keys()
    }
    sent = ({"answers": answers} if answers else {}) | _mapping(saved.get("sent"))
    full = {"by": "person", **saved, "version": 1, "questions": [_full_question(question) for question in questions]}
    return full | ({"sent": sent} if sent else {})


def _short_question(question: object, answers: Mapping[str, object]) -> dict[str, object]:
    short = _mapping(question)
    options = short.get("options")
    if isinstance(options, list):
        short["options"] = [_lines(option) for option in options]

    if short.get("kind") == "choice":
        del short["kind"]

    text = str(short.get("question"))
    if text in answers:
        short["sent"] = answers[text]
        if short.get("answer") == {"labels": [answers[text]]}:
            del short["answer"]

    return short


def _full_question(question: object) -> dict[str, object]:
    full = {"kind": "choice", **_mapping(question)}
    options = full.get("options")
    if isinstance(options, list):
        full["options"] = [_option(option) if isinstance(option, str) else option for option in options]

    if "sent" in full:
        sent = full.pop("sent")
        full.setdefault("answer", {"labels": [sent]})

    return full


def _lines(option: Mapping[str, object]) -> str:
    """Put label and description into one text; a JSON object would lose the order of the options."""
    return "\n".join(str(option[name]) for name in ("label", "description") if name in option)


def _option(text: str) -> dict[str, object]:
    label, _, description = text.partition("\n")
    return {"label": label, "description": description} if description else {"label": label}


def _mapping(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {}
