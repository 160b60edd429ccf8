"""A figure: what was measured, beside what it is measured against, run by run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

__all__ = ["Benchmark", "Figure", "Pair", "Size", "paired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is measured."""

    runs: int = 5
    deltas: int = 25_000
    """Of the stream, four characters each."""
    questions: int = 50
    """Of each of the cells that ask one after another."""
    asking_cells: int = 10
    """How many of them there are."""
    saved_bytes: int = 50_000
    """Of the text in the notebook that is saved."""
    idle_seconds: float = 10.0
    """For which the processor's time is watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One run: two measurements taken one right after the other, or at the same time."""

    ours: float
    theirs: float
    """What it is measured against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one line of the table says."""

    name: str
    against: str
    """What it is measured against."""
    unit: str
    """Of both measurements."""
    limit: float
    """To reach: the most that the median may be."""
    pairs: Sequence[Pair]
    is_difference: bool = False
    """Whether the runs tell how much more it is, and not how many times as much."""

    @property
    def values(self) -> Sequence[float]:
        """What each run gave."""
        if self.is_difference:
            return [pair.ours - pair.theirs for pair in self.pairs]

        return [pair.ours / pair.theirs for pair in self.pairs]

    @property
    def is_reached(self) -> bool:
        """Whether the median keeps to the limit."""
        return median(self.values) <= self.limit


Benchmark = Callable[[Size], Sequence[Figure]]
"""Measures what one or more lines of the table say."""


def paired(runs: int, ours: Callable[[], float], theirs: Callable[[], float]) -> Sequence[Pair]:
    """Measure both in turns, each first in every other run, so that what slows the machine slows both."""
    pairs: list[Pair] = []
    for run in range(runs):
        if run % 2:
            first = ours()
            pairs.append(Pair(ours=first, theirs=theirs()))
        else:
            first = theirs()
            pairs.append(Pair(ours=ours(), theirs=first))

    return pairs
