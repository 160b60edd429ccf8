"""What the Claude Code CLI takes as the input of AskUserQuestion, and how it reads the answers in it.

Rewritten from the behavior of CLI 2.1.332; ``test_question_readings`` holds both to the real CLI.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

__all__ = ["read_answers", "validate"]

Reading = Literal["answered", "said", "responded", "asked more", "nothing"]
"""What the model is told; ``said`` asks it to read the answers carefully."""

_NOTES_ONLY = "(notes only)"


class _Object(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class _Option(_Object):
    label: str
    description: str
    preview: str = ""


class _ExtendedOption(_Option):
    description: str = ""


class _Question(_Object):
    question: str
    header: str
    options: Annotated[list[_Option], Field(min_length=2, max_length=4)]
    multiSelect: bool = False  # noqa: N815 - the wire's name


class _ExtendedQuestion(_Object):
    question: str
    header: str
    kind: Literal["choice", "text", "number"] = "choice"
    description: str = ""
    options: Annotated[list[_ExtendedOption], Field(max_length=4)] = []
    multiSelect: bool = False  # noqa: N815 - the wire's name
    placeholder: str = ""
    min: float = 0
    max: float = 0
    step: Annotated[float, Field(gt=0)] = 1
    defaultValue: float = 0  # noqa: N815 - the wire's name
    unit: str = ""

    @model_validator(mode="after")
    def _fields_belong_to_the_kind(self) -> _ExtendedQuestion:
        given = self.model_fields_set
        of_number = {"min", "max", "step", "defaultValue", "unit"} & given
        assert self.kind == "number" or not of_number, f"{of_number} without a number"
        assert self.kind == "text" or "placeholder" not in given, "placeholder without a text"
        if self.kind == "choice":
            assert len(self.options) >= 2, "a choice with fewer than 2 options"
        else:
            assert not self.options, "options without a choice"
            assert not self.multiSelect, "multiSelect without a choice"

        if self.kind == "number":
            assert {"min", "max"} <= given, "a number without min and max"
            assert self.min < self.max, "min is not under max"
            assert "defaultValue" not in given or self.min <= self.defaultValue <= self.max, "default out of range"

        return self


class _Annotation(_Object):
    preview: str = ""
    notes: Annotated[str, Field(min_length=1)] = "-"
    unanswered: Literal["skipped", "replied_in_chat", "dismissed"] = "skipped"


class _Metadata(_Object):
    source: str = ""


class _Output(_Object):
    answers: dict[str, str] = {}
    annotations: dict[str, _Annotation] = {}
    metadata: _Metadata = _Metadata()
    response: str = ""
    followUp: bool = False  # noqa: N815 - the wire's name


class _Input(_Output):
    questions: Annotated[list[_Question], Field(min_length=1, max_length=4)]


class _ExtendedInput(_Output):
    title: str = ""
    questions: Annotated[list[_ExtendedQuestion], Field(min_length=1, max_length=4)]


def validate(tool_input: Mapping[str, object], *, extended: bool = True) -> None:
    """Raise pydantic's ``ValidationError`` or an ``AssertionError`` for what the CLI refuses."""
    as_sent = json.loads(json.dumps(tool_input, allow_nan=False).encode())
    model = _ExtendedInput if extended else _Input
    parsed = TypeAdapter[_ExtendedInput | _Input](model).validate_python(as_sent)
    texts = [question.question for question in parsed.questions]
    assert len(texts) == len(set(texts)), "question texts that are alike"
    for question in parsed.questions:
        labels = [option.label for option in question.options]
        assert len(labels) == len(set(labels)), "labels that are alike"

    assert "afkTimeoutMs" not in as_sent, "a field of the CLI's own"


def read_answers(tool_input: Mapping[str, object]) -> Reading:
    """Tell how the CLI puts the answers to the model."""
    parsed = _ExtendedInput.model_validate(tool_input)
    answers = {text: answer for text, answer in parsed.answers.items() if answer not in {"", _NOTES_ONLY}}
    noted = {text for text, annotation in parsed.annotations.items() if "notes" in annotation.model_fields_set}
    asked = {question.question: question for question in parsed.questions}
    if parsed.followUp:
        return "asked more"

    if parsed.response.strip():
        return "responded"

    if not asked.keys() & (answers.keys() | noted):
        return "nothing"

    plain = not noted and all(_is_picked(asked[text], answer) for text, answer in answers.items() if text in asked)
    return "answered" if plain else "said"


def _is_picked(question: _ExtendedQuestion, answer: str) -> bool:
    if question.kind == "text":
        return False

    if question.kind == "number":
        is_number = re.fullmatch(r"-?\d+(\.\d+)?", answer.strip()) is not None
        return is_number and question.min <= float(answer) <= question.max

    labels = {option.label for option in question.options}
    if answer in labels or not question.multiSelect:
        return answer in labels

    items = _items(answer)
    rejoined = ", ".join(json.dumps(item, ensure_ascii=False) if re.search(', |"', item) else item for item in items)
    return bool(items) and rejoined == answer and labels.issuperset(items)


def _items(answer: str) -> list[str]:
    items: list[str] = []
    rest = answer
    while rest:
        quoted = re.match(r'"(?:\\.|[^"\\])*"', rest, re.DOTALL)
        item = quoted[0] if quoted else rest.split(", ", 1)[0]
        try:
            items.append(json.loads(item) if quoted else item)
        except ValueError:
            return []

        rest = rest[len(item) :]
        if rest and (not rest.startswith(", ") or rest == ", "):
            return []

        rest = rest[2:]

    return items
