"""What runs in a cell and can be stopped: a turn, or a question that is asked again."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from askwidgets.cell_host import CellHost
from askwidgets.session import Session
from askwidgets.transcript import Transcript
from askwidgets.turn import Turn

__all__ = ["CellTask"]


@dataclass(kw_only=True)
class CellTask(ABC):
    """Runs on the kernel's loop, once, in the context of the cell that starts it."""

    session: Session
    host: CellHost
    transcript: Transcript
    task: asyncio.Task[Turn] | None = None
    _is_stopped: bool = field(default=False, init=False)

    @property
    def name(self) -> str:
        """The session's name."""
        return self.session.name

    @abstractmethod
    async def run(self) -> Turn:
        """Run to the end, and leave the transcript as it stays."""

    def start(self) -> asyncio.Task[Turn]:
        """Run in a task of its own."""
        self.task = asyncio.get_running_loop().create_task(self._cleared())

        return self.task

    async def _cleared(self) -> Turn:
        try:
            return await self.run()
        finally:
            self.host.clear()

    def is_stopping(self) -> bool:
        """Whether it was interrupted and has not ended yet: then nothing of it may begin."""
        return self._is_stopped or self.session.is_stopping

    def stop(self) -> None:
        """Interrupt it, from whatever thread; not where its loop has ended, with the kernel."""
        if self.task is not None and not self.task.get_loop().is_closed():
            self._is_stopped = True
            self.task.get_loop().call_soon_threadsafe(self.task.cancel)

    async def give_way(self) -> bool:
        """Make room for another prompt where it is ending anyway; whether it has ended."""
        if self.task is None or not self.is_stopping():
            return False

        await asyncio.wait([self.task])

        return True
