"""The tool uses of one kind that follow each other: one output, and one more for each image they gave."""

from __future__ import annotations

from askwidgets.display import CellOutputs
from askwidgets.slot import Slot
from askwidgets.tool_row import AGENT_TOOLS, ToolRow, rows_html, rows_plain

__all__ = ["ToolGroup"]

_MOST_ROWS = 8
"""A group is sent whole whenever one of its rows changes."""


class ToolGroup:
    """Draws rows of one kind together."""

    is_behind: bool = False
    """A draw leaves nothing to the next one."""

    def __init__(self, outputs: CellOutputs, row: ToolRow) -> None:
        self.rows: list[ToolRow] = [row]
        self._outputs = outputs
        self._slot = Slot(outputs)
        self._images: list[Slot] = []

    def takes(self, row: ToolRow) -> bool:
        """Whether one more row belongs here."""
        return row.name == self.rows[0].name and row.name not in AGENT_TOOLS and len(self.rows) < _MOST_ROWS

    def draw(self) -> int:
        """Show the rows as they stand; gives the number of characters sent."""
        bundle = {"text/html": rows_html(self.rows)}

        # As with text that grows: what is still to change has no text/plain.
        if all(row.state != "running" for row in self.rows):
            bundle["text/plain"] = rows_plain(self.rows)

        sent = self._slot.draw(bundle)
        images = [(row, image) for row in self.rows for image in row.result.images]

        for row, image in images[len(self._images) :]:
            self._images.append(Slot(self._outputs))
            plain = f"[image: {row.summary}]"
            sent += self._images[-1].draw({image.media_type: image.data, "text/plain": plain})

        return sent
