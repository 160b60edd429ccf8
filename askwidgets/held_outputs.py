"""Outputs that are published only once they stay as they are.

Where nobody watches, updates in place are no use, and some tools do not make them: nbval compares what was first
shown, since it knows no ``update_display_data``.
"""

from __future__ import annotations

from askwidgets.display import Bundle, CellOutputs, Output

__all__ = ["HeldOutput", "HeldOutputs"]


class HeldOutput:
    """One output that is held back, or was published by now."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._output: Output | None = None

    def update(self, bundle: Bundle, /) -> None:
        """Replace what is to stand there, or what stands there."""
        self._bundle = bundle

        if self._output is not None:
            self._output.update(bundle)

    def publish(self, outputs: CellOutputs) -> None:
        """Show it as it is now."""
        if self._output is None:
            self._output = outputs.show(self._bundle)


class HeldOutputs:
    """Holds a turn's outputs back until its end; then each is shown once, in order.

    ::

        held = HeldOutputs(outputs)
        transcript = Transcript(held)
        ...
        held.publish()
    """

    def __init__(self, outputs: CellOutputs) -> None:
        self._outputs = outputs
        self._held: list[HeldOutput] = []

    def show(self, bundle: Bundle, /) -> HeldOutput:
        """Append an output."""
        output = HeldOutput(bundle)
        self._held.append(output)

        return output

    def publish(self) -> None:
        """Show what was held back."""
        # In the order in which they were first shown, whatever was updated last.
        for output in self._held:
            output.publish(self._outputs)

        self._held.clear()
