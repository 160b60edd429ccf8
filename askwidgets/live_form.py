"""What every form in a notebook is: live until it is settled, once; then its receipt stands in its place.

Widget callbacks may run on the thread of a JupyterLab subshell, so they only hand over; all else runs on the
loop that made the form.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib.resources import files
from typing import Generic, ParamSpec, TypeVar

from ipywidgets import Box, Widget

from askwidgets.comm_delivery import CommDelivery, deliver_comms
from askwidgets.handover import Handover
from askwidgets.hidden import plain
from askwidgets.markup import STYLE
from askwidgets.once import Once
from askwidgets.parts import Parts
from askwidgets.widget_tree import tree_widgets

__all__ = ["WAITING", "LiveForm", "error_line"]

P = ParamSpec("P")
T = TypeVar("T")

_logger = logging.getLogger("askwidgets")

WAITING = "Waiting for your answer"
"""What a form says until it is settled."""

AFTERWARDS = 0.1
"""Seconds until a settled form is frozen: the answer leaves first, and most forms are closed by then."""


class LiveForm(ABC, Generic[T]):
    """A form that is settled with one value.

    A subclass makes its fields with ``_parts``, lets them stand with ``_put_up``, and settles it.
    """

    widget: Box
    """What to display."""
    delivery: CommDelivery
    """What is known of the frontend that the person is at."""

    def __init__(self) -> None:
        self._parts = Parts()
        self._later = Handover()
        self._settled: Once[T | None] = Once()
        self._is_closed = False

    @property
    def done(self) -> bool:
        """Whether it is settled or interrupted."""
        return self._settled.done

    @property
    @abstractmethod
    def summary(self) -> str:
        """What is asked, in one line of model text."""

    @abstractmethod
    def _frozen_html(self, value: T | None) -> str:
        """Give what stays of the form; ``None`` is for one that was interrupted."""

    @abstractmethod
    def _say(self, trouble: str) -> None:
        """Say in the form what went wrong in it."""

    def settle(self, value: T, /) -> bool:
        """Settle it, from whatever thread; false, and nothing changes, if it was settled before."""
        return self._end(value)

    def interrupt(self) -> bool:
        """Freeze it because nobody waits for it any longer; false, and nothing changes, if it was settled before."""
        return self._end(None)

    def close(self) -> None:
        """Take it out of the notebook, with all models that belong to it; whoever waits is cancelled."""
        self._is_closed = True
        self._settled.settle(None)
        self.delivery.close()
        self._parts.close()

    def bundle(self, text: str) -> dict[str, object]:
        """Give the output that shows it; ``text`` is for a frontend without widgets."""
        view = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
        return {"application/vnd.jupyter.widget-view+json": view, "text/plain": text}

    def _repr_mimebundle_(self, **_options: object) -> dict[str, object]:
        if self._is_closed:
            return {"text/plain": self._plain_text()}

        return self.bundle(f"{WAITING}, in a frontend that shows widgets:\n{self._plain_text()}")

    def _plain_text(self) -> str:
        return plain(self.summary)

    def _put_up(self, fields: Widget, *, name: str, rules: str = "") -> None:
        """Let the fields stand, below the CSS class ``name``, styled by the file of that name and by ``rules``."""
        css = files("askwidgets").joinpath(f"{name}_form.css").read_text("utf-8")
        style = self._parts.html(f"<style>{STYLE}\n{css}\n{rules}</style>", "style")
        self.widget = self._parts.box([style, fields], name)
        self.delivery = deliver_comms(self.widget)

    async def _value(self) -> T:
        value = await self._settled.wait()
        # Nobody waits for the answer any longer: for whoever awaits it, that is a cancellation.
        if value is None:
            raise asyncio.CancelledError

        return value

    def _soon(self, step: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Take a step on the form's loop, from whatever thread."""
        self._later(lambda: self._safely(step, *args, **kwargs))

    def _safely(self, step: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Take a step of the form's own; what goes wrong is said in the form, which stays as it is and usable."""
        try:
            step(*args, **kwargs)
        except Exception as error:
            # A callback has no caller that it could raise to.
            _logger.debug("a step of the form failed", exc_info=True)
            self._say(f"The form could not do that ({error_line(error)}). All that you put in is kept.")

    def _end(self, value: T | None) -> bool:
        if not self._settled.settle(value):
            return False

        self._later.after(AFTERWARDS, self._safely, self._freeze)
        return True

    def _freeze(self) -> None:
        """Put the receipt in the place of the fields, also for a page that no update of its output reaches."""
        if self._is_closed:
            return

        style, fields = self.widget.children
        # Also where a page still shows them: its last messages must find nothing to change.
        for widget in tree_widgets(fields):
            if "disabled" in widget.keys:
                widget.disabled = True

        self.widget.children = (style, self._parts.html(self._frozen_html(self._settled.value), "frozen"))


def error_line(error: Exception) -> str:
    """Name an error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
