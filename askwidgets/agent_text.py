"""What the agent says in a turn: text blocks that arrive in parts, and then whole."""

from __future__ import annotations

from askwidgets.canvas import Canvas
from askwidgets.stream_text import StreamText

__all__ = ["AgentText"]

_BETWEEN = "\n\n"


class AgentText:
    """Joins text blocks that follow each other to one run of text; each run is drawn as it grows.

    A block is seen twice: in deltas, where the session streams, and whole. The whole one is what counts.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._run: StreamText | None = None
        self._blocks: list[str] = []
        """The whole blocks of the run."""
        self._arriving: list[str] = []
        """The deltas of a block that is not whole yet."""
        self._earlier: list[str] = []
        """The whole blocks of the runs before."""

    @property
    def text(self) -> str:
        """All that was said, its blocks joined by an empty line."""
        arriving = "".join(self._arriving)

        return _BETWEEN.join([*self._earlier, *self._blocks, *([arriving] if arriving else [])])

    def arrive(self, delta: str) -> None:
        """Take in a part of a block."""
        run = self._run

        if run is None or not self._arriving:
            run = self._begin()

        self._arriving.append(delta)
        run.append(delta)
        self._canvas.change(run)

    def say(self, text: str) -> None:
        """Take in a whole block, whether its parts have been seen or not."""
        arrived = "".join(self._arriving)
        self._arriving.clear()

        if not arrived:
            self._begin().append(text)

        self._blocks.append(text)

        if self._run is not None:
            if arrived not in {"", text}:
                self._start_over(self._run)

            self._canvas.change(self._run)

    def take_back(self) -> None:
        """Drop the part of a block that the service broke off, to send it anew."""
        if self._arriving and self._run is not None:
            self._arriving.clear()
            self._start_over(self._run)
            self._canvas.change(self._run)

    def close(self) -> None:
        """End the run, because something else comes below it."""
        if self._run is None:
            return

        if self._arriving:
            self._blocks.append("".join(self._arriving))
            self._arriving.clear()

        self._run.end()
        self._canvas.change(self._run)
        self._canvas.flush()
        self._run = None
        self._earlier += self._blocks
        self._blocks.clear()

    def _start_over(self, run: StreamText) -> None:
        """Let the whole blocks alone stand in the run.

        What stood there is drawn before, so that its outputs follow from the messages and not from when it was drawn.
        """
        self._canvas.flush()
        run.replace(_BETWEEN.join(self._blocks))

    def _begin(self) -> StreamText:
        if self._run is None:
            self._run = StreamText(self._canvas.outputs)
        elif self._blocks:
            self._run.append(_BETWEEN)

        return self._run
