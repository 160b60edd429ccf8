"""Single prompts in a terminal: pick from a list, tick a list, type a line; with questionary, on the running loop.

What is shown is made plain here, so that nothing the model writes reaches the terminal as a command.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import questionary
from prompt_toolkit.filters import Always, is_done
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.patch_stdout import patch_stdout
from questionary.prompts.common import InquirerControl

from askwidgets.hidden import plain
from askwidgets.interrupt import PromptInterrupt

__all__ = ["Row", "pick", "tell", "tick", "type_line"]

_SEPARATOR = questionary.Separator("   ─────")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a list."""

    value: str
    """What picking it gives."""
    text: str
    """What it says; model text as it came."""
    ticked: bool = False


def tell(text: str) -> None:
    """Print a line, on top of a status that may stand there; ``text`` is safe already."""
    sys.stdout.write(f"\r\x1b[K{text}\n")
    sys.stdout.flush()


async def pick(
    message: str, rows: Sequence[Row], *, below: Sequence[Row] = (), previews: Mapping[str, str] | None = None
) -> str:
    """Let one row be picked with the arrow keys, and give its value.

    Args:
        message: what stands above the list.
        rows: what can be picked.
        below: further rows, set off.
        previews: by a row's value, what to show below the list while the row is pointed at; safe already.

    Raises:
        PromptInterrupt: the person pressed Ctrl-C.
    """
    choices = [*map(_choice, rows), *([_SEPARATOR, *map(_choice, below)] if below else [])]
    prompt = questionary.select(
        _line(message),
        choices,
        use_shortcuts=len(choices) < len(InquirerControl.SHORTCUT_KEYS),
        use_jk_keys=False,
        instruction="(arrow keys or digits, then Enter)",
    )

    return str(await _asked(prompt, previews or {}))


async def tick(message: str, rows: Sequence[Row]) -> list[str]:
    """Let rows be ticked, none of them too, and give their values in the order of the list.

    Raises:
        PromptInterrupt: the person pressed Ctrl-C.
    """
    prompt = questionary.checkbox(
        _line(message),
        [_choice(row) for row in rows],
        use_jk_keys=False,
        instruction="(Space ticks, Enter goes on; Enter alone shows other ways)",
    )

    return [str(value) for value in cast("list[object]", await _asked(prompt, {}))]


async def type_line(message: str, *, default: str = "", hint: str = "") -> str:
    """Let a line be typed, an empty one too.

    Args:
        message: what stands before the line.
        default: what stands in it at first, made plain.
        hint: a few words of ours behind the message.

    Raises:
        PromptInterrupt: the person pressed Ctrl-C.
    """
    instruction = f"({_line(hint)}) " if hint else None
    prompt = questionary.text(_line(message), default=plain(default), instruction=instruction)

    return str(await _asked(prompt, {}))


def _choice(row: Row) -> questionary.Choice:
    return questionary.Choice(_line(row.text), value=row.value, checked=row.ticked)


def _line(text: str) -> str:
    """Make one plain line of a text: a further one could pass for a row to pick."""
    return " ".join(plain(text).split())


async def _asked(prompt: questionary.Question, previews: Mapping[str, str]) -> object:
    application = prompt.application
    _arrange(application.layout, previews)
    _drop_keys_typed_before()

    try:
        with patch_stdout(raw=True):
            # The turn has a handler for SIGINT; prompt_toolkit would not put it back.
            return await application.run_async(handle_sigint=False)
    except (KeyboardInterrupt, EOFError) as error:
        raise PromptInterrupt from error


def _arrange(layout: Layout, previews: Mapping[str, str]) -> None:
    """Wrap long rows, and put the preview of the row that is pointed at below the list."""
    for window in layout.find_all_windows():
        control = window.content

        if isinstance(control, InquirerControl):
            window.wrap_lines = Always()

            if previews and isinstance(layout.container, HSplit):
                layout.container.children.insert(2, _preview_pane(control, previews))


def _preview_pane(control: InquirerControl, previews: Mapping[str, str]) -> ConditionalContainer:
    def preview() -> ANSI:
        return ANSI(previews.get(str(control.get_pointed_at().value), ""))

    pane = Window(FormattedTextControl(preview), dont_extend_height=True, style="class:text")

    return ConditionalContainer(pane, filter=~is_done)


def _drop_keys_typed_before() -> None:
    """Let no key answer that was pressed before the question stood there."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - there alone

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios  # noqa: PLC0415 - there alone

        with contextlib.suppress(OSError, ValueError, termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
