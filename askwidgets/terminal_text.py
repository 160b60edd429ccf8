"""Text as a terminal shows it: what is model text made plain first, then colored by Pygments.

The only escape sequences that reach the terminal are those of Pygments
(https://pygments.org/docs/formatters/#TerminalFormatter).
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from pygments import format  # noqa: A004 - its name there
from pygments.formatters import TerminalFormatter

from askwidgets.hidden import plain
from askwidgets.highlighting import code_tokens

__all__ = ["code_text", "has_colors", "is_terminal", "markdown_text"]


def is_terminal() -> bool:
    """Whether a person sits at both ends: what is printed is seen, and keys can be pressed."""
    return _is_tty(sys.stdin) and _is_tty(sys.stdout)


def has_colors() -> bool:
    """Whether to print in color (https://no-color.org)."""
    return _is_tty(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def markdown_text(text: str, *, colored: bool = True) -> str:
    """Show Markdown as its source, its headings, code and emphasis colored."""
    return code_text(text, "markdown", colored=colored)


def code_text(text: str, language: str, *, colored: bool = True) -> str:
    """Show code; a language that Pygments does not know leaves it uncolored."""
    shown = plain(text)

    return str(format(code_tokens(shown, language), TerminalFormatter())) if colored else shown


def _is_tty(stream: TextIO | None) -> bool:
    """Whether it is a terminal; a program without a console has no streams."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        # It was closed.
        return False
