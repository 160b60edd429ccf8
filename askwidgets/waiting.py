"""What waits for a person: a request, the form that asks it, and every place where that form is shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from askwidgets.decision_form import DecisionForm
from askwidgets.display import Bundle, CellOutputs, Output
from askwidgets.form import QuestionForm
from askwidgets.hidden import plain
from askwidgets.live_form import WAITING

__all__ = ["Waiting"]

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
        # Text too: for a frontend that knows no widgets, and for the file where it is saved now.
        text = f"{WAITING}, in a frontend that shows widgets: {plain(self.form.summary)}\n{_WITHOUT}"
        self.outputs.append(outputs.show(self.form.bundle(text)))

    def replace(self, bundle: Bundle) -> None:
        """Put a receipt wherever the form was shown."""
        for output in self.outputs:
            output.update(bundle)
