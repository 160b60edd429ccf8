"""What runs in a cell and can be stopped: a turn, or a question that is asked again."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass

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
        return self.session.is_stopping

    def stop(self) -> None:
        """Interrupt it, from whatever thread."""
        if self.task is not None:
            self.task.get_loop().call_soon_threadsafe(self.task.cancel)
