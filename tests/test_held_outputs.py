"""Held outputs are each shown once, as they stay, and in the order in which they came to be."""

from __future__ import annotations

from askwidgets.held_outputs import HeldOutputs
from tests.recorded_outputs import RecordedOutputs


def test_nothing_is_shown_before_the_end_and_then_each_output_once() -> None:
    """B46."""
    outputs = RecordedOutputs()
    held = HeldOutputs(outputs)
    first = held.show({"text/plain": "Wri"})
    held.show({"text/plain": "Receipt"})
    first.update({"text/plain": "Written"})
    assert outputs.sent == []
    held.publish()
    assert outputs.sent == [{"text/plain": "Written"}, {"text/plain": "Receipt"}]


def test_what_changes_after_the_end_is_updated_in_place() -> None:
    outputs = RecordedOutputs()
    held = HeldOutputs(outputs)
    first = held.show({"text/plain": "one"})
    held.publish()
    first.update({"text/plain": "two"})
    held.show({"text/plain": "three"})
    held.publish()
    assert outputs.bundles == [{"text/plain": "two"}, {"text/plain": "three"}]
