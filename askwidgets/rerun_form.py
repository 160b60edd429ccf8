"""The form that asks whether a cell that holds its finished turn is to run again."""

from __future__ import annotations

from typing_extensions import override

from askwidgets.live_form import LiveForm
from askwidgets.markup import text_html

__all__ = ["RUN", "SHOW", "WORDS", "RerunForm"]

RUN = "Run again"
SHOW = "Show what is there"
WORDS = "This cell holds the finished turn of this very prompt. Running it again asks the model again."


class RerunForm(LiveForm[str]):
    """Two buttons; ``widget`` is what to display.

    ::

        form = RerunForm()
        runs = await form.runs()
        form.close()
    """

    def __init__(self) -> None:
        super().__init__()
        parts = self._parts
        self._words = parts.html("", "status")
        self._say(WORDS)
        buttons = [parts.button(SHOW, "primary"), parts.button(RUN)]
        for button in buttons:
            button.on_click(lambda pressed: self.settle(pressed.description))

        self._put_up(parts.box([self._words, parts.box(buttons, "row")], "fields"), name="decision")

    @property
    def summary(self) -> str:
        """What the form says."""
        return WORDS

    async def runs(self) -> bool:
        """Wait for the person: whether it is to run again."""
        return await self._value() == RUN

    @override
    def _frozen_html(self, value: str | None) -> str:
        return ""

    @override
    def _say(self, trouble: str) -> None:
        self._words.value = f'<div role="status">{text_html(trouble)}</div>'
