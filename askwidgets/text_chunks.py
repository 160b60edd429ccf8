"""Cuts Markdown that is still arriving into chunks, each of which renders by itself.

A chunk ends where a paragraph, list or code fence does, once it is large enough. Where no such end comes for long, it
is cut at a line; the rest of a code fence or table then gets its opening line or header again. Where the cuts fall
depends on the text alone, never on how it arrived, so that a turn leaves the same outputs each time it is run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

__all__ = ["Chunk", "ChunkCutter"]

_SOFT = 2_048
_HARD = 8_192

_FENCE = re.compile(r"\s*(`{3,}|~{3,})([^`\n]*)")
_LIST_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of Markdown, with what it lost by the cuts before and behind it."""

    source: str
    """The text as it came; the sources of all chunks make up the whole text."""
    prefix: str = ""
    """The opening line of a fence, or the head of a table, that began in an earlier chunk."""
    suffix: str = ""
    """The closing line of a fence that goes on in a later chunk."""

    @property
    def markdown(self) -> str:
        """What to render."""
        break_ = "" if self.source.endswith("\n") or not self.suffix else "\n"

        return f"{self.prefix}{self.source}{break_}{self.suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """What the start of a line stands in."""

    fence: str = ""
    """The opening line of the code fence."""
    table: str = ""
    """The header and the rule of the table."""
    in_list: bool = False
    in_math: bool = False
    after_break: bool = True
    """The line before was blank, or ended a fence."""
    last_line: str = ""

    @property
    def prefix(self) -> str:
        return self.fence or self.table

    @property
    def suffix(self) -> str:
        return f"{_fence_mark(self.fence)}\n" if self.fence else ""

    def opens_block(self, line: str) -> bool:
        """Whether the line starts a block that owes nothing to what stands before it."""
        inside = self.fence or self.table or self.in_math

        if inside or not self.after_break or not line.strip() or line[0] in " \t":
            return False

        return not (self.in_list and _LIST_ITEM.match(line))

    def opens_item(self, line: str) -> bool:
        """Whether the line starts an item of a list, where a cut shows least."""
        return not (self.fence or self.in_math) and _LIST_ITEM.match(line) is not None

    def after(self, line: str) -> _Place:
        """Give the place behind the line."""
        if self.fence:
            return _Place(in_list=self.in_list) if _closes(self.fence, line) else self

        if _FENCE.fullmatch(line.rstrip()):
            return replace(self, fence=line.strip() + "\n", table="", after_break=False, last_line="")

        if not line.strip():
            return replace(self, table="", after_break=True, last_line="")

        return self._after_text(line)

    def _after_text(self, line: str) -> _Place:
        table = self.table

        if not table and "|" in self.last_line and _TABLE_RULE.fullmatch(line.rstrip()):
            table = f"{self.last_line}{line}"

        ends_list = self.after_break and line[0] not in " \t"

        return _Place(
            table=table,
            in_list=_LIST_ITEM.match(line) is not None or (self.in_list and not ends_list),
            in_math=self.in_math != (line.count("$$") % 2 == 1),
            after_break=False,
            last_line=line,
        )


class ChunkCutter:
    r"""Takes text as it arrives and gives the chunks that are finished.

    ::

        cutter.append("One paragraph.\n\nAnd ano")
        cutter.take(), cutter.rest
    """

    def __init__(self) -> None:
        self._arrived: list[str] = []
        self._text = ""
        self._scanned = 0
        self._first = _Place()
        self._place = _Place()
        self._item: tuple[int, _Place] | None = None

    def append(self, text: str) -> None:
        """Add text that arrived."""
        self._arrived.append(text)

    def take(self) -> list[Chunk]:
        """Cut off the chunks that are finished by now."""
        self._text += "".join(self._arrived)
        self._arrived.clear()
        chunks = []

        while (cut := self._next_cut()) is not None:
            chunks.append(self._cut_off(*cut))

        return chunks

    @property
    def rest(self) -> Chunk:
        """What stands behind the chunks that were taken."""
        return Chunk(source=self._text, prefix=self._first.prefix, suffix=self._place.suffix)

    def _next_cut(self) -> tuple[int, _Place] | None:
        """Read on, line by line, to the next place where the text is to be cut."""
        while self._scanned < len(self._text):
            start = self._scanned
            newline = self._text.find("\n", start)
            end = newline + 1 or len(self._text)

            # Also without a line end: a minified file must not be sent anew with every piece that arrives.
            if end > _HARD:
                return self._forced_cut(start)

            # What an unfinished line is, only its end will tell.
            if newline < 0:
                return None

            line = self._text[start:end]

            if start >= _SOFT and self._place.opens_block(line):
                return start, self._place

            if start >= _SOFT and self._place.opens_item(line):
                self._item = start, self._place

            self._place = self._place.after(line)
            self._scanned = end

        return None

    def _forced_cut(self, start: int) -> tuple[int, _Place]:
        """Cut at an item of a list or the start of a line; inside a line only where that is very long."""
        if self._item is not None:
            return self._item

        if start >= _SOFT:
            return start, self._place

        return (self._text.rfind(" ", _SOFT, _HARD) + 1) or _HARD, self._place

    def _cut_off(self, position: int, place: _Place) -> Chunk:
        chunk = Chunk(source=self._text[:position], prefix=self._first.prefix, suffix=place.suffix)
        self._text = self._text[position:]
        self._scanned = 0
        self._first = self._place = place
        self._item = None

        return chunk


def _fence_mark(fence: str) -> str:
    match = _FENCE.match(fence)

    return match.group(1) if match else ""


def _closes(fence: str, line: str) -> bool:
    mark = _fence_mark(fence)
    text = line.strip()

    return len(text) >= len(mark) and text.strip(mark[0]) == ""
