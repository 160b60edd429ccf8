"""The form that asks whether a cell that holds its finished turn is to run again."""

from __future__ import annotations

from importlib.resources import files

from ipywidgets import Widget

from askwidgets.comm_delivery import deliver_comms
from askwidgets.markup import STYLE, text_html
from askwidgets.once import Once
from askwidgets.parts import Parts

__all__ = ["RUN", "SHOW", "WORDS", "RerunForm"]

RUN = "Run again"
SHOW = "Show what is there"
WORDS = "This cell holds the finished turn of this very prompt. Running it again asks the model again."


class RerunForm:
    """Two buttons; ``widget`` is what to display.

    ::

        form = RerunForm()
        runs = await form.runs()
        form.close()
    """

    def __init__(self) -> None:
        self._choice: Once[str] = Once()
        parts = self._parts = Parts()
        css = STYLE + files("askwidgets").joinpath("permission_form.css").read_text("utf-8")
        again, show = parts.button(RUN), parts.button(SHOW, "primary")
        again.on_click(lambda _: self._choice.settle(RUN))
        show.on_click(lambda _: self._choice.settle(SHOW))
        words = parts.html(f'<div role="status">{text_html(WORDS)}</div>', "status")
        fields = parts.box([words, parts.box([show, again], "row")], "fields")
        self.widget: Widget = parts.box([parts.html(f"<style>{css}</style>", "style"), fields], "decision")
        deliver_comms(self.widget)

    async def runs(self) -> bool:
        """Wait for the person: whether it is to run again."""
        return await self._choice.wait() == RUN

    def close(self) -> None:
        """Take the form out of the notebook, with all models that belong to it."""
        self._parts.close()
