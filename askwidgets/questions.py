"""AskUserQuestion in both directions: its input parsed to values, what a person gave built to its output.

The only module that knows the JSON of the tool. It uses neither widgets nor the SDK.
Specification: the tool's own description and schema, as the Claude Code CLI sends them to the model
(https://docs.claude.com/en/api/agent-sdk/user-input).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from askwidgets.answer_text import (
    ANSWER_LIMIT,
    NOTES_LIMIT,
    answer_notes,
    answer_problem,
    answer_text,
    is_empty,
)
from askwidgets.denial import denial, picked_lines
from askwidgets.errors import AnswerError, QuestionError
from askwidgets.plain_json import (
    Plain,
    decoded,
    encodable,
    is_blank,
    is_finite,
    plain,
    shown,
    text_or_empty,
    utf16_length,
)
from askwidgets.question_values import (
    Answer,
    Ask,
    Kind,
    Option,
    Outcome,
    OutcomeKind,
    Question,
    QuestionRequest,
)

__all__ = [
    "ANSWER_LIMIT",
    "NOTES_LIMIT",
    "PREVIEW_LIMIT",
    "TYPED_LIMIT",
    "Answer",
    "Ask",
    "Kind",
    "Option",
    "Outcome",
    "OutcomeKind",
    "Question",
    "QuestionRequest",
    "answer_problem",
    "answer_text",
    "denial",
    "outcome_problem",
    "parse_question_request",
    "updated_input",
]

TYPED_LIMIT = 32_768
"""Characters of all answers, notes and words of one request together."""

PREVIEW_LIMIT = 65_536
"""UTF-8 bytes of a preview; a longer one is not echoed."""


def parse_question_request(
    tool_input: Mapping[str, object], /, *, tool_use_id: str = "", agent_id: str | None = None
) -> QuestionRequest:
    """Parse the tool's input, leniently where its meaning is certain.

    Answers that came with the input are the sender's, never the person's: they are not parsed.

    Raises:
        QuestionError: the meaning is not certain; names the field.
    """
    fields = _plain_fields(tool_input)
    entries = _entries(fields)
    if not entries:
        raise QuestionError("questions", shown(fields.get("questions")), "a list of 1 to 4 questions")

    questions = tuple(_parse_question(entry, f"questions[{index}]") for index, entry in enumerate(entries))
    _require_distinct([question.text for question in questions], "questions", "question texts that differ")
    return QuestionRequest(
        questions=questions,
        input=tool_input,
        title=text_or_empty(fields.get("title")),
        tool_use_id=tool_use_id,
        agent_id=agent_id,
    )


def outcome_problem(request: QuestionRequest, outcome: Outcome) -> str | None:
    """Say why the outcome as a whole cannot be sent as an answer; ``None`` when it can."""
    if outcome.kind in {"declined", "timed_out"}:
        return f"A question that was {outcome.kind.replace('_', ' ')} is denied, not answered."

    return _answers_problem(request, outcome) or _output_problem(request, outcome)


def updated_input(request: QuestionRequest, outcome: Outcome) -> dict[str, object]:
    """Build what the tool gets when the person answered, replied or asked for more.

    The questions go back as they came, mended only where the tool's schema would refuse them.

    Raises:
        AnswerError: the outcome says nothing, does not fit the questions, or is too long.
    """
    problem = outcome_problem(request, outcome)
    if problem:
        raise AnswerError(problem)

    answers, annotations, words = _output(request, outcome)
    built = _mended(request)
    built |= {"answers": answers} if answers else {}
    built |= {"annotations": annotations} if annotations else {}
    built |= {"response": words} if words else {}
    if outcome.kind == "asked_more":
        built["followUp"] = True

    return built


_OTHER_LABEL = re.compile(r"\W*other\W*(?:(?:please )?specify\W*)?", re.IGNORECASE)
_PREVIEWS_LIMIT = 40_000
_OUTPUT_FIELDS = ("answers", "annotations", "response", "followUp", "afkTimeoutMs")


def _parse_question(entry: Plain, place: str) -> Question:
    if not isinstance(entry, dict):
        raise QuestionError(place, shown(entry), "an object with question and options")

    text = entry.get("question")
    if not isinstance(text, str) or is_blank(text):
        raise QuestionError(f"{place}.question", shown(text), "the text of the question")

    options = _parse_options(entry.get("options"), f"{place}.options")
    kind = _parse_kind(entry, options, place)
    minimum, maximum, step, default = _parse_scale(entry, place) if kind == "number" else (None,) * 4
    return Question(
        text=text,
        header=text_or_empty(entry.get("header")),
        kind=kind,
        options=options,
        multi_select=_parse_flag(entry.get("multiSelect"), f"{place}.multiSelect") and kind == "choice",
        description=text_or_empty(entry.get("description")),
        placeholder=text_or_empty(entry.get("placeholder")),
        minimum=minimum,
        maximum=maximum,
        step=step,
        default=text_or_empty(entry.get("defaultValue")) or None if kind == "text" else default,
        unit=text_or_empty(entry.get("unit")),
    )


def _parse_kind(entry: Mapping[str, Plain], options: Sequence[Option], place: str) -> Kind:
    kind = entry.get("kind")
    if kind is None or kind == "choice":
        return "choice" if options else "text"

    if not isinstance(kind, str) or kind not in {"text", "number"}:
        raise QuestionError(f"{place}.kind", shown(kind), "choice, text or number")

    if options:
        raise QuestionError(f"{place}.options", f"given with kind {kind}", "no options, or no kind")

    return "number" if kind == "number" else "text"


def _parse_options(found: Plain, place: str) -> tuple[Option, ...]:
    entries = [] if found is None else decoded(found)
    if not isinstance(entries, list):
        raise QuestionError(place, shown(found), "a list of options")

    options = [_parse_option(entry, f"{place}[{index}]") for index, entry in enumerate(entries)]
    _require_distinct([option.label for option in options], place, "labels that differ")

    # Every choice offers a row for one's own words; the model's would be a second one.
    return tuple(option for option in options if not _OTHER_LABEL.fullmatch(option.label))


def _parse_option(entry: Plain, place: str) -> Option:
    fields = entry if isinstance(entry, dict) else {"label": entry}
    label = text_or_empty(fields.get("label"))
    if is_blank(label):
        raise QuestionError(f"{place}.label", shown(fields.get("label")), "the label of the option")

    preview = fields.get("preview")
    return Option(
        label=label,
        description=text_or_empty(fields.get("description")),
        preview=preview if isinstance(preview, str) and preview else None,
    )


def _parse_flag(found: Plain, place: str) -> bool:
    flag = found.strip().lower() if isinstance(found, str) else found
    if flag is None or flag in ("false", ""):
        return False

    if flag == "true":
        return True

    if not isinstance(flag, bool):
        raise QuestionError(place, shown(found), "true or false")

    return flag


def _parse_number(found: Plain, place: str) -> float | None:
    number = decoded(found)
    if found is None:
        return None

    if isinstance(number, bool) or not isinstance(number, int | float) or not is_finite(number):
        raise QuestionError(place, shown(found), "a number")

    return number


def _parse_scale(entry: Mapping[str, Plain], place: str) -> tuple[float | None, ...]:
    minimum, maximum, step, default = (
        _parse_number(entry.get(name), f"{place}.{name}") for name in ("min", "max", "step", "defaultValue")
    )
    low = -math.inf if minimum is None else minimum
    high = math.inf if maximum is None else maximum
    if low >= high:
        raise QuestionError(f"{place}.min", f"{low}, not under max {high}", "min < max")

    if step is not None and step <= 0:
        raise QuestionError(f"{place}.step", str(step), "a number over 0")

    if default is not None and not low <= default <= high:
        raise QuestionError(
            f"{place}.defaultValue", f"{default}, not in {low} to {high}", "a number within min and max"
        )

    return minimum, maximum, step, default


def _plain_fields(tool_input: Mapping[str, object]) -> dict[str, Plain]:
    try:
        fields = plain(tool_input)
    except ValueError as error:
        raise QuestionError("input", str(error), "an object with questions") from None

    if not isinstance(fields, dict):
        raise QuestionError("input", shown(fields), "an object with questions")

    return fields


def _entries(fields: Mapping[str, Plain]) -> list[Plain]:
    found = decoded(fields.get("questions"))
    if isinstance(found, dict):
        return [found]

    return found if isinstance(found, list) else []


def _require_distinct(texts: Sequence[str], place: str, wanted: str) -> None:
    twice = next((text for index, text in enumerate(texts) if text in texts[:index]), None)
    if twice is not None:
        raise QuestionError(place, f"holding {twice!r} twice", wanted)


def _answers_problem(request: QuestionRequest, outcome: Outcome) -> str | None:
    asked = {question.text: question for question in request.questions}
    for text, answer in outcome.answers.items():
        if text not in asked:
            return f"{text!r} was not asked; the questions are: {', '.join(map(repr, asked))}."

        problem = None if is_empty(answer) else answer_problem(asked[text], answer)
        if problem:
            return f"{text!r}: {problem}"

    return None


def _output_problem(request: QuestionRequest, outcome: Outcome) -> str | None:
    answers, annotations, words = _output(request, outcome)
    notes = [annotation["notes"] for annotation in annotations.values() if "notes" in annotation]
    if outcome.kind == "replied" and is_blank(outcome.words):
        return "The reply says nothing; write it, or decline."

    # An allow that says nothing reads as "The user did not answer the questions."
    if outcome.kind == "answered" and not answers and not notes:
        return "No question has an answer; answer one, or decline."

    if utf16_length(words) > ANSWER_LIMIT:
        return f"The reply is longer than {ANSWER_LIMIT:,} characters."

    if sum(map(utf16_length, [*answers.values(), *notes, words])) > TYPED_LIMIT:
        return f"All answers, notes and words together are longer than {TYPED_LIMIT:,} characters."

    return None


def _output(request: QuestionRequest, outcome: Outcome) -> tuple[dict[str, str], dict[str, dict[str, str]], str]:
    """Give the answers, the annotations and the response that go out together."""
    words = "" if is_blank(outcome.words) else encodable(outcome.words)
    if outcome.kind == "replied":
        # Answers beside a response would be lost: the reply quotes them.
        picked = picked_lines(request, outcome)
        return {}, {}, f"{words}\n\nPicked before replying: {', '.join(picked)}" if picked else words

    answers: dict[str, str] = {}
    annotations: dict[str, dict[str, str]] = {}
    for question in request.questions:
        answer = outcome.answers.get(question.text, Answer())
        if sent := answer_text(question, answer):
            answers[question.text] = sent

        if annotation := _annotation(question, answer):
            annotations[question.text] = annotation

    if len(answers) > 1:
        _leave_out_long_previews(annotations)

    return answers, annotations, words if outcome.kind == "asked_more" else ""


def _leave_out_long_previews(annotations: Mapping[str, dict[str, str]]) -> None:
    """Keep a result short enough that the CLI shows the model all answers, not only the first ones."""
    previewed = [annotation for annotation in annotations.values() if "preview" in annotation]
    previewed.sort(key=lambda annotation: len(annotation["preview"]), reverse=True)
    total = sum(len(annotation["preview"]) for annotation in previewed)
    while total > _PREVIEWS_LIMIT:
        total -= len(previewed.pop(0).pop("preview"))


def _annotation(question: Question, answer: Answer) -> dict[str, str]:
    annotation: dict[str, str] = {}
    picked = [option for option in question.options if option.label in answer.labels]
    if picked and not question.multi_select and not answer.skipped:
        preview = picked[0].preview
        if preview and len(preview.encode()) <= PREVIEW_LIMIT:
            annotation["preview"] = preview

    if notes := answer_notes(question, answer):
        annotation["notes"] = notes

    if answer.skipped:
        annotation["unanswered"] = "skipped"

    return annotation


def _mended(request: QuestionRequest) -> dict[str, object]:
    fields = _plain_fields(request.input)
    # A request that was made by hand has no input to send back.
    entries = [
        _mended_question(entry if isinstance(entry, dict) else {}, question)
        for entry, question in zip(_entries(fields), request.questions, strict=False)
    ]
    kept = {name: held for name, held in fields.items() if name not in _OUTPUT_FIELDS and held is not None}
    return {**kept, "questions": entries}


def _mended_question(entry: Mapping[str, Plain], question: Question) -> dict[str, Plain]:
    mended: dict[str, Plain] = {name: held for name, held in entry.items() if held is not None}
    mended["header"] = question.header
    if "multiSelect" in mended:
        mended["multiSelect"] = question.multi_select

    for name in ("description", "placeholder", "unit"):
        if name in mended:
            mended[name] = text_or_empty(mended[name])

    options = decoded(mended.get("options"))
    if isinstance(options, list):
        mended["options"] = [_mended_option(option) for option in options]

    if mended.get("kind", "choice") != question.kind:
        mended |= {"kind": question.kind, "options": []}

    for name in ("min", "max", "step", "defaultValue"):
        if question.kind == "number" and name in mended:
            mended[name] = _parse_number(mended[name], name)

    return mended


def _mended_option(option: Plain) -> dict[str, Plain]:
    if not isinstance(option, dict):
        return {"label": text_or_empty(option), "description": ""}

    mended = {name: held for name, held in option.items() if held is not None}
    return {**mended, "label": text_or_empty(option.get("label"))}
