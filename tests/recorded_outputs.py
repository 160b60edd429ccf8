"""The outputs of a cell, kept instead of published."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from askwidgets.display import METADATA, Bundle
from askwidgets.transcript import Transcript

__all__ = ["RecordedOutput", "RecordedOutputs", "drawn"]


@dataclass(slots=True)
class RecordedOutput:
    """One output as it stands."""

    bundle: Bundle
    sent: list[Bundle]

    def update(self, bundle: Bundle, /) -> None:
        """Replace what stands there."""
        self.bundle = bundle
        self.sent.append(bundle)


@dataclass(slots=True)
class RecordedOutputs:
    """Where a transcript draws in tests."""

    outputs: list[RecordedOutput] = field(default_factory=list)
    sent: list[Bundle] = field(default_factory=list)
    """Every bundle shown or updated, in order."""

    def show(self, bundle: Bundle, /) -> RecordedOutput:
        """Append an output."""
        output = RecordedOutput(bundle, self.sent)
        self.outputs.append(output)
        self.sent.append(bundle)

        return output

    @property
    def bundles(self) -> list[Bundle]:
        """What stands in the cell, without the metadata beside it."""
        return [{kind: data for kind, data in output.bundle.items() if kind != METADATA} for output in self.outputs]

    @property
    def html(self) -> str:
        """All HTML that stands in the cell, without the style sheet."""
        pieces = [str(bundle.get("text/html", "")) for bundle in self.bundles]

        return "\n".join(piece for piece in pieces if not piece.startswith("<style>"))

    @property
    def plain(self) -> str:
        """All plain text that stands in the cell."""
        return "\n".join(str(bundle.get("text/plain", "")) for bundle in self.bundles)

    @property
    def texts(self) -> list[str]:
        """What the agent said, output by output."""
        return [
            str(bundle["text/plain"])
            for bundle in self.bundles
            if '<div class="ask-text">' in str(bundle.get("text/html"))
        ]

    @property
    def sent_bytes(self) -> int:
        """What was sent, as the JSON of ``display_data`` messages, without their headers."""
        return sum(len(json.dumps({"data": bundle}, ensure_ascii=False).encode()) for bundle in self.sent)


def drawn(messages: Sequence[object], *, note: str = "", show_costs: bool = False) -> RecordedOutputs:
    """Draw a turn to its end."""
    outputs = RecordedOutputs()
    transcript = Transcript(outputs, show_costs=show_costs)

    for message in messages:
        transcript.feed(message)

    transcript.finish(note)

    return outputs
