"""The way from a widget callback to the loop of the form that the widget belongs to.

JupyterLab sends comm messages over a subshell, and ipykernel may run widget callbacks on that
subshell's thread: a future resolved there never wakes the cell, and what is displayed there is lost.
So a callback does nothing but hand over.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import ParamSpec, Protocol

__all__ = ["Changed", "Handover"]

P = ParamSpec("P")


class Changed(Protocol):
    """What a control calls when the person has changed something; hands over what is to be done about it."""

    def __call__(self, react: Callable[[], object] = ..., /) -> None:
        """Say that something changed; ``react`` runs on the form's loop."""


class Handover:
    """Runs functions later on the loop that made it, in the order in which they were handed over.

    ::

        later = Handover()  # on the form's own loop
        button.on_click(lambda _: later(form_logic, "allow"))
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None

        # What the logic displays belongs to the cell that made the form, not to the comm message.
        self._context = contextvars.copy_context()

    def __call__(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Run ``function`` on the loop; at once where there was no loop, not at all where it is closed."""
        context = self._context.copy()
        if self._loop is None:
            context.run(function, *args, **kwargs)
            return

        # A click can come when the loop is closed, as the kernel ends.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(lambda: context.run(function, *args, **kwargs))

    def after(self, seconds: float, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Run ``function`` on the loop in so many seconds; at once where there was no loop."""
        if self._loop is None:
            self(function, *args, **kwargs)
        else:
            self(self._loop.call_later, seconds, partial(function, *args, **kwargs))
