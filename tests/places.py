"""Every place where text that a model or a tool wrote is drawn, each as the function that draws it.

::

    for name, draw in PLACES.items():
        for bundle in draw("<script>"): ...
    for name, make in FORMS.items():
        widget = make(["<script>", "<img>"]).widget
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from ipywidgets import HTML

from askwidgets.decision_form import DecisionForm
from askwidgets.display import Bundle
from askwidgets.elicitations import elicitation_notice
from askwidgets.errors import (
    AnswerError,
    AskWidgetsError,
    CliError,
    QuestionError,
    SchemaError,
    TurnError,
    UnansweredError,
)
from askwidgets.footer import Footer
from askwidgets.form import QuestionForm
from askwidgets.markdown_text import markdown_bundle
from askwidgets.mode_chip import mode_chip_html
from askwidgets.permission_form import PermissionForm
from askwidgets.permission_receipt import decision_receipt
from askwidgets.permissions import Decision, PermissionRequest, Rule, Suggestion
from askwidgets.plan_form import PlanForm
from askwidgets.preview import preview_html
from askwidgets.questions import Answer, Option, Outcome, OutcomeKind, Question, QuestionRequest
from askwidgets.receipt import interrupted_receipt, question_receipt
from askwidgets.rerun_form import RerunForm
from askwidgets.saved_turn import saved_turns
from askwidgets.session_export import export_session
from askwidgets.tool_view import tool_html
from askwidgets.transcript import Transcript
from askwidgets.turn import AskedQuestion, Notice, ToolUse, Turn
from askwidgets.usage import turn_usages, usage_bundle
from askwidgets.waiting import Waiting
from askwidgets.widget_tree import tree_widgets
from tests.messages import ended, result, said, streamed, system, thought, used
from tests.recorded_outputs import RecordedOutputs

__all__ = ["ERRORS", "FORMS", "PLACES", "Form", "plan_request", "question_request", "tool_request"]

Form: TypeAlias = "QuestionForm | DecisionForm | RerunForm"

_TOOLS = ("Bash", "Read", "Edit", "NotebookEdit")
_FIELDS = ("command", "description", "file_path", "old_string", "new_string", "notebook_path", "new_source")


def question_request(*texts: str) -> QuestionRequest:
    """Ask with the texts in every field that can hold them, in each kind of question."""
    joined = "\n".join(texts)
    options = [
        Option(label=text, description=text, preview=_previews(text)[place % 3]) for place, text in enumerate(texts)
    ]
    questions = (
        Question(text=joined, header=joined, description=joined, options=tuple(options)),
        Question(text=f"{joined} 2", header=joined, options=tuple(options), multi_select=True),
        Question(text=f"{joined} 3", header=joined, kind="number", unit=joined, placeholder=joined, maximum=9),
        Question(text=f"{joined} 4", header=joined, kind="text", placeholder=joined, default=joined),
    )

    return QuestionRequest(questions=questions, input={}, title=joined, agent_id=joined, tool_use_id="q")


def _previews(text: str) -> tuple[str, str, str]:
    """Give a preview of each kind: plain or whatever the text is, HTML, Markdown."""
    return text, f"<div>{text}</div>", f"# {text}\n\n- **{text}**\n"


def tool_request(*texts: str, tool_name: str = "Bash") -> PermissionRequest:
    """Ask for a permission with the texts in every field that can hold them."""
    joined = "\n".join(texts)
    rules = tuple(Rule(tool_name=text, content=text) for text in texts)
    suggestions = (
        Suggestion(kind="rules", rules=(*rules, Rule(tool_name="Bash", content=joined)), destination="localSettings"),
        Suggestion(kind="rules", rules=rules, destination=joined),
    )

    return PermissionRequest(
        tool_name=tool_name,
        input=tool_input(joined) | {text: {text: [text]} for text in texts},
        tool_use_id="p",
        agent_id=joined,
        title="" if tool_name == "Bash" else joined,
        display_name=joined,
        description=joined,
        decision_reason=joined,
        blocked_path=joined,
        suggestions=suggestions,
    )


def tool_input(text: str) -> dict[str, object]:
    """Give the input of a tool, with the text in every field that is drawn by itself."""
    edits = [{"old_string": text, "new_string": f"{text}\n{text}"}]

    return {**dict.fromkeys(_FIELDS, text), "edits": edits, text: [text, {text: text}]}


def _drawn(*messages: object, note: str = "", session: str = "main") -> list[Bundle]:
    """Draw a turn; gives every bundle that is sent, also those that another takes the place of."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs, session=session, show_costs=True)

    for message in messages:
        transcript.feed(message)

    transcript.flush()
    transcript.finish(note)

    return outputs.sent


def _said(text: str) -> list[Bundle]:
    return [*_drawn(said(text)), *_drawn(*streamed([text[:7], text[7:]])), *_drawn(ended(text=text))]


def _used(text: str) -> list[Bundle]:
    messages: list[object] = [system("init", cwd="/", session_id=text)]

    for place, name in enumerate([*_TOOLS, text, f"mcp__{text}"]):
        given = {text: text} if name not in _TOOLS else dict.fromkeys(_FIELDS, text)
        messages += [used(f"u{place}", name, given), result(f"u{place}", text, is_error=place % 3 == 0)]

    return _drawn(*messages)


def _delegated(text: str) -> list[Bundle]:
    return _drawn(
        used("a", "Agent", {"description": text, "prompt": text, "subagent_type": text}),
        used("n", "Bash", {"command": text}, parent="a"),
        system("task_progress", tool_use_id="a", description=text),
        result("n", [{"type": "text", "text": text}, {"type": text, text: text}], parent="a"),
        result("a", [{"type": "text", "text": text}]),
    )


def _listed(text: str) -> list[Bundle]:
    todos = [{"content": text, "status": status, "activeForm": text} for status in ("completed", "in_progress", text)]

    return _drawn(used("t", "TodoWrite", {"todos": todos}), result("t", text))


def _told(text: str) -> list[Bundle]:
    status = system("api_retry", attempt=text, max_retries=text, error=text, error_status=text)
    asked = elicitation_notice(
        {"mcp_server_name": text, "message": text, "requested_schema": {"properties": {text: 1}}}
    )

    return _drawn(system("init", permissionMode=text), status, used("m", text, {}), Notice(text), asked, note=text)


def _waited_for(text: str) -> list[Bundle]:
    """Draw what stands for a form: on top of its cell, in frontends without widgets, and in the form in the end."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs)
    question = Question(text=text, header=text, options=(Option(label=text),))
    form = QuestionForm(QuestionRequest(questions=(question,), input={}))
    transcript.status(text, asked=form.summary)
    Waiting(form=form).show(outputs)
    form.interrupt()
    shown = [widget.value for widget in tree_widgets(form.widget) if isinstance(widget, HTML)]
    form.close()

    return [*outputs.sent, *({"text/html": html} for html in shown if not html.startswith("<style>"))]


def _saved(text: str) -> list[Bundle]:
    """Show a turn again that a notebook holds: whatever was drawn there, and what its author wrote instead."""
    written = [dict.fromkeys(("text/html", "text/plain", "text/markdown", "application/javascript"), text)]
    written += [{"text/html": f'<div class="ask-text" style="{text}" title="{text}">{text}</div>', "text/plain": text}]
    bundles = [*_drawn(said(text)), _receipts(text)[0], *written]
    outputs: list[Mapping[str, object]] = [{"output_type": "display_data", "data": dict(bundle)} for bundle in bundles]
    outputs += [{"output_type": "stream", "text": text}]
    outputs += [
        {"output_type": "display_data", "data": {"text/plain": text}, "metadata": {"askwidgets": {"prompt": "p"}}}
    ]
    turns = list(saved_turns([{"id": text, "outputs": outputs}]))
    asked = [question._repr_mimebundle_() for turn in turns for question in turn.turn(text).questions]

    return [*(bundle for turn in turns for bundle in turn.bundles), *asked]


def _exported(text: str) -> list[Bundle]:
    """Write a session to a notebook, and read what is shown there."""
    asked = AskedQuestion(request=question_request(text), outcome=Outcome(kind="declined", words=text))
    use = ToolUse(id="u", name=text, input={"command": text}, result=text, text_before=2)

    with TemporaryDirectory() as folder:
        path = Path(folder, "exported.ipynb")
        export_session(path, text, [Turn(prompt=text, text=f"{text}\n\n{text}", questions=(asked,), tool_uses=(use,))])
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]

    return [output["data"] for cell in cells for output in cell["outputs"]]


def _viewed(text: str) -> list[Bundle]:
    return [{"text/html": tool_html(name, tool_input(text), "/")} for name in (*_TOOLS, text)]


def _receipts(text: str) -> list[Bundle]:
    request = question_request(text)
    answer = Answer(labels=(text,), other=text, notes=text)
    answers = {question.text: answer for question in request.questions}
    kinds: tuple[OutcomeKind, ...] = ("answered",)
    settled = [Outcome(kind=kind, answers=answers, words=text, by=text) for kind in kinds]
    receipts = [*(question_receipt(request, outcome) for outcome in settled), interrupted_receipt(request, answers)]

    return [receipt.bundle() for receipt in receipts]


def _decisions(text: str) -> list[Bundle]:
    decisions = (
        Decision(allow=True, suggestions=tool_request(text).suggestions, for_session=True, mode=text, by=text),
        Decision(allow=True, updated_input={"command": text, text: text}),
        Decision(allow=False, message=text, reason=text, by=text),
    )
    requests = (tool_request(text), tool_request(text, tool_name=text), plan_request(text))

    return [decision_receipt(*settled).bundle() for settled in zip(requests, decisions, strict=True)]


def plan_request(*texts: str) -> PermissionRequest:
    """Ask whether to carry out a plan that holds the texts."""
    text = "\n\n".join(texts)

    return PermissionRequest(tool_name="ExitPlanMode", input={"plan": text, "planFilePath": text}, agent_id=text)


def _footers(text: str) -> list[Bundle]:
    footer = Footer(note=text, model=text, session=text, session_id=text, show_costs=True, context=0.5).bundle()

    return [footer] if footer else []


def _turns(text: str) -> list[Bundle]:
    asked = AskedQuestion(request=question_request(text), outcome=Outcome(kind="declined", words=text))
    use = ToolUse(id="u", name=text, input={"command": text}, result=text)
    turn = Turn(prompt=text, text=text, questions=(asked,), tool_uses=(use,), duration=1.0)

    return [
        turn._repr_mimebundle_(),
        asked._repr_mimebundle_(),
        markdown_bundle(text),
        usage_bundle(turn_usages([turn])),
    ]


PLACES: Mapping[str, Callable[[str], Iterable[Bundle]]] = {
    "text": _said,
    "thinking": lambda text: _drawn(thought(text)),
    "tool use and result": _used,
    "subagent": _delegated,
    "todo": _listed,
    "status, mode and note": _told,
    "waiting": _waited_for,
    "saved turn": _saved,
    "export": _exported,
    "session": lambda text: _drawn(said(text), ended(), session=text),
    "mode chip": lambda text: [{"text/html": mode_chip_html(text)}],
    "tool view": _viewed,
    "preview": lambda text: [{"text/html": preview_html(preview)} for preview in _previews(text)],
    "receipt": _receipts,
    "decision": _decisions,
    "footer": _footers,
    "turn": _turns,
}
"""By name: each gives the outputs that hold the text."""

FORMS: Mapping[str, Callable[[Sequence[str]], Form]] = {
    "questions": lambda texts: QuestionForm(
        question_request(*texts),
        drafts={text: Answer(other=text, notes=text) for text in texts},
        notice="\n".join(texts),
    ),
    "permission": lambda texts: PermissionForm(tool_request(*texts)),
    "permission of another tool": lambda texts: PermissionForm(tool_request(*texts, tool_name="\n".join(texts))),
    "plan": lambda texts: PlanForm(plan_request(*texts)),
    "rerun": lambda _texts: RerunForm(),
}
"""By name: each makes a form that holds the texts."""

ERRORS: Mapping[str, Callable[[str], AskWidgetsError]] = {
    "answer": AnswerError,
    "cli": lambda text: CliError.failed(text, text),
    "question": lambda text: QuestionError(text, text, text),
    "schema": lambda text: SchemaError(text, text, text),
    "turn": lambda text: TurnError(text, text),
    "unanswered": lambda text: UnansweredError(text, [text], text),
}
"""By name: each makes an error that tells the text."""
