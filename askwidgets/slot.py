"""One output of a cell that comes into being when there is first something to draw in it."""

from __future__ import annotations

from askwidgets.display import Bundle, CellOutputs, Output
from askwidgets.hidden import plain

__all__ = ["Slot"]


class Slot:
    """Shows an output on the first draw, and replaces it on the later ones that change it."""

    def __init__(self, outputs: CellOutputs) -> None:
        self._outputs = outputs
        self._output: Output | None = None
        self._bundle: Bundle | None = None

    @property
    def is_shown(self) -> bool:
        """Whether it stands in the cell."""
        return self._output is not None

    def draw(self, bundle: Bundle) -> int:
        """Let the bundle stand there, its text made plain; gives the number of characters sent."""
        if "text/plain" in bundle:
            bundle = {**bundle, "text/plain": plain(str(bundle["text/plain"]))}

        # The same again would cost the page a redraw, and a form below it its place.
        if bundle == self._bundle:
            return 0

        if self._output is None:
            self._output = self._outputs.show(bundle)
        else:
            self._output.update(bundle)

        self._bundle = bundle

        return sum(len(data) for data in bundle.values() if isinstance(data, str))
