"""What a person sits at: a notebook with widgets, a console of a kernel, or a terminal; and how they are asked there.

No kernel is told whether its frontend shows widgets. A terminal and Jupyter's own console are known at once; of
any other frontend it is taken that it does, and the form says in text what to do where it does not.
"""

from __future__ import annotations

import sys
from typing import Literal

import psutil
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.display import CellOutputs
from askwidgets.kernel import cell_outputs, has_frontend, has_kernel
from askwidgets.line_form import LineForm
from askwidgets.terminal_outputs import TerminalOutputs
from askwidgets.terminal_text import is_terminal
from askwidgets.text_prompt import Prompts

__all__ = ["Frontend"]


class Frontend:
    """What the person at one shell sits at."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._is_terminal = _is_terminal_shell(shell)
        self._is_console = has_kernel(shell) and _was_started_by_console()

    @property
    def is_attended(self) -> bool:
        """Whether somebody is there to answer."""
        return is_terminal() if self._is_terminal else has_frontend(self._shell)

    @property
    def is_text(self) -> bool:
        """Whether it is known to show nothing but text."""
        return self._is_console or self._is_terminal

    def outputs(self) -> CellOutputs:
        """Give the outputs of the cell that is running."""
        return TerminalOutputs() if self.is_text else cell_outputs(self._shell)

    def prompts(self, *, is_awaited: bool, way: Literal["auto", "text", "widgets"] = "auto") -> Prompts | None:
        """Give what asks in text; ``None`` where a form is to ask.

        Args:
            is_awaited: whether widgets of the cell can be answered while it runs.
            way: what the person has set.
        """
        is_text = self.is_text if way == "auto" else way == "text"

        if is_awaited and not is_text:
            return None

        return _terminal_form() if self._is_terminal and is_terminal() else LineForm()


def _terminal_form() -> Prompts:
    from askwidgets.terminal_form import TerminalForm  # noqa: PLC0415 - it loads prompt_toolkit, for terminals alone

    return TerminalForm()


def _is_terminal_shell(shell: InteractiveShell) -> bool:
    """Whether it is IPython's own in a terminal; a kernel does not load that class."""
    module = sys.modules.get("IPython.terminal.interactiveshell")

    return module is not None and isinstance(shell, module.TerminalInteractiveShell)


def _was_started_by_console() -> bool:
    """Whether the kernel belongs to ``jupyter console``, which shows no widgets and reads no updates of outputs."""
    try:
        # Nothing in the protocol tells: jupyter console asks for a kernel like any other frontend.
        parent = psutil.Process().parent()
        command = " ".join(parent.cmdline()) if parent is not None else ""
    except psutil.Error:
        return False

    return "jupyter-console" in command or "jupyter_console" in command
