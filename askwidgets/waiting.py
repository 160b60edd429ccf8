"""What waits for a person: a request, the form that asks it, and every place where that form is shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from askwidgets.decision_form import DecisionForm
from askwidgets.display import Bundle, CellOutputs, Output
from askwidgets.form import QuestionForm
from askwidgets.hidden import plain
from askwidgets.permissions import Decision
from askwidgets.questions import Outcome
from askwidgets.tool_view import tool_sentence

__all__ = ["WAITING", "Waiting"]

WAITING = "Waiting for your answer"
_WITHOUT = (
    "No form here? Interrupt, run `%config ClaudeMagics.ask = 'text'`, and run the cell again: then it asks in text. "
    "From another console of this kernel, `%claude answer` answers it as it is."
)
"""What a frontend without widgets shows in the place of the form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One form that waits; the views of it are one model, so a draft is the same in all."""

    form: QuestionForm | DecisionForm
    outputs: list[Output] = field(default_factory=list)

    def show(self, outputs: CellOutputs) -> None:
        """Show the form there, also when it already stands elsewhere."""
        view = {"version_major": 2, "version_minor": 0, "model_id": self.form.widget.model_id}
        # Text too: for a frontend that knows no widgets, and for the file where it is saved now.
        bundle = {
            "application/vnd.jupyter.widget-view+json": view,
            "text/plain": f"{WAITING}, in a frontend that shows widgets: {plain(self.summary)}\n{_WITHOUT}",
        }
        self.outputs.append(outputs.show(bundle))

    def replace(self, bundle: Bundle) -> None:
        """Put a receipt wherever the form was shown."""
        for output in self.outputs:
            output.update(bundle)

    @property
    def summary(self) -> str:
        """What is asked, in one line of model text."""
        if isinstance(self.form, QuestionForm):
            return " / ".join(" ".join(question.text.split()) for question in self.form.request.questions)

        request = self.form.request

        return " ".join(tool_sentence(request.tool_name, request.input, request.title).split())

    def settle(self, result: Outcome | Decision) -> bool:
        """Settle it from elsewhere, from whatever thread; false if it was settled before."""
        if isinstance(self.form, QuestionForm):
            return isinstance(result, Outcome) and self.form.settle(result)

        return isinstance(result, Decision) and self.form.settle(result)
