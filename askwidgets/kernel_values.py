"""The values of a kernel by the names that a person gives them: variables, ``Out[3]``, ``In[3]``, ``error``."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from types import TracebackType

from IPython.core.interactiveshell import InteractiveShell

from askwidgets.description import cut
from askwidgets.errors import OptionError

__all__ = ["KernelValues", "error_text"]

_HISTORY = re.compile(r"(?P<which>In|Out)\[(?P<number>-?\d+)\]")
_LONGEST_TRACEBACK = 6_000


class KernelValues:
    """Looks names up in one shell; runs no code for it."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell

    @property
    def namespace(self) -> Mapping[str, object]:
        """All that the kernel has, IPython's own names included."""
        namespace: Mapping[str, object] = self._shell.user_ns

        return namespace

    def variables(self) -> dict[str, object]:
        """Give what the person has made, by name, without what IPython put there."""
        hidden = self._shell.user_ns_hidden

        return {
            name: value
            for name, value in list(self._shell.user_ns.items())
            if not name.startswith("_") and hidden.get(name, hidden) is not value
        }

    def named(self, name: str) -> object:
        """Give the value of a name.

        Raises:
            OptionError: there is no such value.
        """
        if name in self._shell.user_ns:
            return self._shell.user_ns[name]

        history = _HISTORY.fullmatch(name)

        if history is not None:
            return self._of_history(name, history["which"], int(history["number"]))

        if name == "error":
            text = error_text()

            if text:
                return text

            raise OptionError("error", name, "an error that some cell raised before")

        raise OptionError("the name", name, f"a variable of the kernel, {self._known()}, Out[n], In[n] or error")

    def _of_history(self, name: str, which: str, number: int) -> object:
        kept = self._shell.history_manager
        sources: Sequence[object] = kept.input_hist_raw if kept is not None else ()
        values: Mapping[int, object] = self._shell.user_ns.get("Out", {})

        try:
            return sources[number] if which == "In" else values[number]
        except LookupError:
            raise OptionError("the name", name, "a cell that has run and, for Out, gave a value") from None

    def _known(self) -> str:
        names = sorted(self.variables())

        return "such as " + ", ".join(names[:8]) if names else "of which there are none yet"


def error_text() -> str:
    """Give the last error that a cell raised, with its traceback; empty where there is none."""
    error = getattr(sys, "last_value", None)

    if not isinstance(error, BaseException):
        return ""

    return cut(
        "".join(traceback.format_exception(type(error), error, _own_frames(error))).rstrip("\n"), _LONGEST_TRACEBACK
    )


def _own_frames(error: BaseException) -> TracebackType | None:
    """Leave out the frames of IPython that run the cell."""
    frames = error.__traceback__

    while frames is not None and "/IPython/core/" in frames.tb_frame.f_code.co_filename.replace("\\", "/"):
        frames = frames.tb_next

    return frames or error.__traceback__
