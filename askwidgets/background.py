"""Turns that run on while their cell is done: what stands for their result until they end."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from IPython.core.getipython import get_ipython

from askwidgets.errors import KernelError, UnfinishedError
from askwidgets.turn import Turn

__all__ = ["UnfinishedTurn", "wait"]


async def wait(name: str = "main") -> Turn:
    """Wait until the turn of a session of this notebook has ended, and give it.

    Args:
        name: the session's, as in ``%%claude -s NAME``.

    Raises:
        SessionError: the turn failed.
        OptionError: there is no such session, or it had no turn.
        KernelError: ``%load_ext askwidgets`` has not been run here.
    """
    shell = get_ipython()
    magics = shell.magics_manager.registry.get("ClaudeMagics") if shell else None

    if magics is None:
        raise KernelError.not_loaded()

    turn: Turn = await magics.notebook.wait(name)

    return turn


class UnfinishedTurn:
    """Bound to the variable of ``--into`` until the turn ends; using it says so, or says why there is none."""

    def __init__(self, session: str, task: asyncio.Task[Turn]) -> None:
        self._session = session
        self._task = task

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)

        self._refuse()

    def __getitem__(self, key: object) -> NoReturn:
        self._refuse()

    def __iter__(self) -> NoReturn:
        self._refuse()

    def __repr__(self) -> str:
        return f"<a turn of session {self._session!r} that {'has failed' if self._task.done() else 'is not finished'}>"

    def _refuse(self) -> NoReturn:
        failure = self._task.exception() if self._task.done() and not self._task.cancelled() else None

        if self._task.cancelled():
            raise UnfinishedError.interrupted(self._session)

        raise failure or UnfinishedError(self._session)
