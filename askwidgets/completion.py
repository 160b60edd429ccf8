"""What Tab offers behind ``%%claude`` and ``%claude``: options and their values, words, the CLI's slash commands.

IPython's matchers: https://ipython.readthedocs.io/en/stable/api/generated/IPython.core.completer.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, cast

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher

from askwidgets.arguments import EFFORTS, OPTIONS

__all__ = ["MATCHER", "Offers", "completions", "matcher"]

MATCHER = "askwidgets"
"""By which IPython knows the matcher."""

_NAMED = frozenset({"answer", "close", "commands", "export", "interrupt", "new", "reopen", "wait"})
"""Words of ``%claude`` that take a session's name."""


class Offers(Protocol):
    """What there is to offer in a notebook."""

    def words(self) -> Iterable[str]:
        """Give the words of ``%claude``."""

    def sessions(self) -> Iterable[str]:
        """Give the names of the sessions."""

    def modes(self) -> Iterable[str]:
        """Give the permission modes."""

    def models(self) -> Iterable[str]:
        """Give the models."""

    def commands(self) -> Iterable[str]:
        """Give the CLI's slash commands, each with its slash."""


def completions(text: str, offers: Offers) -> Sequence[str] | None:
    """Give what may stand at the end of the text; ``None`` where it is no business of ours.

    Args:
        text: the cell up to the cursor.
        offers: what there is.
    """
    lines = text.split("\n")
    first, last = lines[0].lstrip(), lines[-1].lstrip()

    if last.startswith("%claude "):
        return _behind_line_magic(last.split(" ")[1:], offers)

    if not first.startswith("%%claude"):
        return None

    if len(lines) == 1:
        return _behind_cell_magic(first.split(" ")[1:], offers) if " " in first else None

    begins_prompt = len(lines) == 2 and last.startswith("/") and " " not in last  # noqa: PLR2004 - the magic, the prompt

    return _starting(last, offers.commands()) if begins_prompt else None


def matcher(offers: Offers) -> Callable[[CompletionContext], SimpleMatcherResult]:
    """Make a matcher for ``shell.Completer.custom_matchers``."""

    @context_matcher(identifier=MATCHER)  # type: ignore[untyped-decorator]
    def claude_matcher(context: CompletionContext) -> SimpleMatcherResult:
        lines = context.full_text.split("\n")[: context.cursor_line + 1]
        lines[-1] = lines[-1][: context.cursor_position]
        found = completions("\n".join(lines), offers)

        offered = [SimpleCompletion(text=text, type="claude") for text in found or ()]

        return cast("SimpleMatcherResult", {"completions": offered, "suppress": bool(offered)})

    return cast("Callable[[CompletionContext], SimpleMatcherResult]", claude_matcher)


def _behind_cell_magic(typed: Sequence[str], offers: Offers) -> Sequence[str]:
    values: Mapping[str, Callable[[], Iterable[str]]] = {
        "-s": offers.sessions,
        "--session": offers.sessions,
        "-m": offers.models,
        "--model": offers.models,
        "--mode": offers.modes,
        "--effort": lambda: EFFORTS,
        "--resume": lambda: ("last",),
    }
    word = typed[-1]
    before = typed[-2] if len(typed) > 1 else ""

    if before in values:
        return _starting(word, values[before]())

    takes_value = any(before in flags and "metavar" in settings for flags, settings in OPTIONS.items())

    # The rest takes names and files, which IPython completes itself.
    return [] if takes_value else _starting(word, (flag for flags in OPTIONS for flag in flags))


def _behind_line_magic(typed: Sequence[str], offers: Offers) -> Sequence[str]:
    word, before = typed[-1], typed[:-1]

    if not before:
        return _starting(word, offers.words())

    if before == ["mode"]:
        return _starting(word, offers.modes())

    if before == ["model"]:
        return _starting(word, offers.models())

    if before == ["resume"]:
        return _starting(word, ("last",))

    return _starting(word, offers.sessions()) if before[0] in _NAMED | {"mode", "model", "resume"} else []


def _starting(word: str, offered: Iterable[str]) -> Sequence[str]:
    return [text for text in offered if text.startswith(word)]
