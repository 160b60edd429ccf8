"""Text that grows leaves what it would leave if it had come at once, whatever happened meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, strategies as st

from askwidgets.display import Bundle
from askwidgets.stream_text import StreamText
from tests.recorded_outputs import RecordedOutput, RecordedOutputs

PARAGRAPH = "word " * 160 + "\n\n"


@dataclass(slots=True)
class InterruptedOutputs:
    """A place whose drawing the person interrupts once."""

    place: RecordedOutputs = field(default_factory=RecordedOutputs)
    draws: int = 0

    def show(self, bundle: Bundle, /) -> RecordedOutput:
        """Append an output, but not the second one."""
        self.draws += 1

        if self.draws == 2:
            raise KeyboardInterrupt

        return self.place.show(bundle)


def test_a_draw_that_is_interrupted_loses_nothing() -> None:
    outputs = InterruptedOutputs()
    text = StreamText(outputs)
    text.append(PARAGRAPH * 12)

    with pytest.raises(KeyboardInterrupt):
        text.draw()

    text.end()
    text.draw()
    assert "".join(str(bundle["text/plain"]) for bundle in outputs.place.bundles) == PARAGRAPH * 12


def test_the_open_chunk_waits_while_there_are_finished_ones() -> None:
    outputs = RecordedOutputs()
    text = StreamText(outputs)
    text.append(PARAGRAPH * 12 + "and more")
    seen = []

    for _ in range(2):
        text.draw()
        seen.append((text.is_behind, "and more" in outputs.html))

    assert seen == [(True, False), (False, True)]
    assert "and more" not in outputs.plain


@given(st.lists(st.tuples(st.text("ab *`#|-\n\u00e9", max_size=900), st.booleans()), max_size=12))
def test_what_stands_in_the_end_depends_on_the_text_alone(pieces: list[tuple[str, bool]]) -> None:
    grown, whole = RecordedOutputs(), RecordedOutputs()
    text = StreamText(grown)

    for piece, is_drawn in pieces:
        text.append(piece)

        if is_drawn:
            text.draw()

    text.end()
    text.draw()
    at_once = StreamText(whole)
    at_once.append("".join(piece for piece, _ in pieces))
    at_once.end()
    at_once.draw()
    assert grown.bundles == whole.bundles
