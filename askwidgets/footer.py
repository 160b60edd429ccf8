"""The line below a finished turn: how it ended, with which model, and what it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from askwidgets.display import Bundle
from askwidgets.hidden import plain
from askwidgets.markup import text_html

__all__ = ["Footer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """What is told below a turn.

    Durations, tokens, costs and ids differ from run to run, so they stand in the HTML alone: the text is what a
    notebook that is run again is compared by.
    """

    note: str = ""
    """How the turn ended, if not as usual."""
    model: str = ""
    session: str = "main"
    session_id: str = ""
    duration: float | None = None
    """Seconds."""
    usage: Mapping[str, object] = field(default_factory=dict)
    """Tokens, as the Messages API counts them."""
    cost_usd: float | None = None
    """US dollars; ``None`` where they say nothing, as with a subscription."""
    context: float | None = None
    """How much of the context window is used, 0 to 1."""
    show_costs: bool = False

    def bundle(self) -> Bundle | None:
        """Give the output; ``None`` where nothing is worth telling."""
        facts = [fact for fact in (self.model, f"session {self.session}" if self.session != "main" else "") if fact]

        costs = self._costs()

        if not facts and not costs and not self.note:
            return None

        note = f"<b>{text_html(self.note)}</b> " if self.note else ""
        told = text_html(" · ".join([*facts, *costs]))
        gauge = self._gauge() if self.show_costs else ""
        html = f'<div class="ask-footer">{note}<small>{told}</small>{gauge}</div>'
        text = " · ".join([self.note, *facts] if self.note else facts)

        return {"text/html": html, "text/plain": plain(text)}

    def _costs(self) -> list[str]:
        if not self.show_costs:
            return []

        costs = [
            "" if self.duration is None else f"{self.duration:.1f} s",
            self._tokens(),
            f"${self.cost_usd:.4f}" if self.cost_usd else "",
            f"--resume {self.session_id}" if self.session_id else "",
            "" if self.context is None else f"context {self.context:.0%}",
        ]

        return [cost for cost in costs if cost]

    def _tokens(self) -> str:
        fresh, output = self._count("input_tokens"), self._count("output_tokens")
        read, written = self._count("cache_read_input_tokens"), self._count("cache_creation_input_tokens")

        if not fresh + read + written + output:
            return ""

        cached = f" ({read:,} from cache)" if read else ""

        return f"{fresh + read + written:,} tokens in{cached}, {output:,} out"

    def _count(self, key: str) -> int:
        value = self.usage.get(key)

        return value if isinstance(value, int) else 0

    def _gauge(self) -> str:
        if self.context is None:
            return ""

        return f' <meter high="0.8" value="{self.context:.2f}"></meter>'
