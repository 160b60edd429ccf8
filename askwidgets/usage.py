"""What the turns of a session took: as a plot, and as data to go on with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askwidgets.display import Bundle
from askwidgets.hidden import plain
from askwidgets.markup import text_html
from askwidgets.turn import Turn

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TurnUsage", "turn_usages", "usage_bundle", "usage_frame"]

_WIDTH = 120
_LONGEST = 48
_MEASURES = (("seconds", "time", "{:.1f} s"), ("tokens", "tokens", "{:,} tokens"), ("cost_usd", "cost", "${:.4f}"))
"""Each field that is plotted, with its heading and how to write it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUsage:
    """What one turn took."""

    turn: int
    """From 1."""
    prompt: str
    seconds: float
    input_tokens: int
    """Those read from the cache and written to it included."""
    output_tokens: int
    cost_usd: float
    """US dollars; 0 where the session reports none."""

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.input_tokens + self.output_tokens


def turn_usages(turns: Iterable[Turn]) -> tuple[TurnUsage, ...]:
    """Read what each turn took."""
    return tuple(
        TurnUsage(
            turn=number,
            prompt=" ".join(turn.prompt.split()),
            seconds=turn.duration,
            input_tokens=sum(
                _count(turn, key) for key in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
            ),
            output_tokens=_count(turn, "output_tokens"),
            cost_usd=turn.cost_usd or 0.0,
        )
        for number, turn in enumerate(turns, 1)
    )


def usage_frame(usages: Sequence[TurnUsage]) -> pd.DataFrame | None:
    """Give the data as a frame, one row a turn; ``None`` where pandas is not installed."""
    try:
        import pandas as pd  # noqa: PLC0415 - optional, and slow to import
    except ImportError:
        return None

    columns = ["prompt", "seconds", "input_tokens", "output_tokens", "cost_usd"]
    rows = [[usage.prompt, usage.seconds, usage.input_tokens, usage.output_tokens, usage.cost_usd] for usage in usages]

    index = pd.Index([usage.turn for usage in usages], name="turn")
    frame: pd.DataFrame = pd.DataFrame(rows, columns=columns, index=index)

    return frame


def usage_bundle(usages: Sequence[TurnUsage]) -> Bundle:
    """Plot time, tokens and cost turn by turn, as bars beside the figures.

    A table, so that it reads the same to a screen reader and without any style sheet.
    """
    if not usages:
        return {"text/html": "<p>No turns yet.</p>", "text/plain": "No turns yet."}

    largest = {field: max(_value(usage, field) for usage in usages) for field, _, _ in _MEASURES}
    # What is nothing in every turn, as the cost with a subscription, says nothing.
    measures = [measure for measure in _MEASURES if largest[measure[0]]]
    headings = "".join(f"<th>{heading}</th>" for _, heading, _ in measures)
    rows = "".join(
        f"<tr><td>{usage.turn}</td><td>{text_html(_clipped(usage.prompt))}</td>"
        + "".join(_cell(usage, field, form, largest[field]) for field, _, form in measures)
        + "</tr>"
        for usage in usages
    )
    html = (
        f'<table class="ask-usage"><thead><tr><th>turn</th><th>prompt</th>{headings}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
    lines = [
        f"{usage.turn}. {_clipped(usage.prompt)}: "
        + ", ".join(form.format(getattr(usage, field)) for field, _, form in measures)
        for usage in usages
    ]

    return {"text/html": html, "text/plain": plain("\n".join(lines))}


def _cell(usage: TurnUsage, field: str, form: str, largest: float) -> str:
    value = _value(usage, field)
    width = round(_WIDTH * value / largest)
    bar = (
        f'<svg width="{_WIDTH}" height="10" aria-hidden="true"><rect width="{width}" height="10" fill="#4a90d9"/></svg>'
    )

    return f'<td style="text-align:left;white-space:nowrap">{bar} {text_html(form.format(getattr(usage, field)))}</td>'


def _value(usage: TurnUsage, field: str) -> float:
    return float(getattr(usage, field))


def _clipped(prompt: str) -> str:
    return prompt if len(prompt) <= _LONGEST else f"{prompt[:_LONGEST]}…"


def _count(turn: Turn, key: str) -> int:
    value = turn.usage.get(key)

    return value if isinstance(value, int) else 0
