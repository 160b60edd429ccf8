"""The words of ``%claude`` that switch: the permission mode with what needs no asking, and the model."""

from __future__ import annotations

from askwidgets.errors import OptionError
from askwidgets.notebook import Notebook
from askwidgets.permissions import BYPASS
from askwidgets.session import Session
from askwidgets.session_options import MODES
from askwidgets.session_settings import BYPASS_WORD, check_word

__all__ = ["mode", "model"]

_RED = "\x1b[1;31m{}\x1b[0m"
_CLEAR = "clear"


def mode(notebook: Notebook, rest: str) -> str:
    """Show or switch the permission mode, also while a turn runs: %claude mode [MODE|clear] [NAME].

    With it goes what `Allow for this session` covers; `clear` forgets that.
    """
    words = rest.split()

    if BYPASS_WORD in words:
        words.remove(BYPASS_WORD)

        if words[:1] != [BYPASS]:
            raise OptionError(BYPASS_WORD, " ".join(words), f"to stand behind `%claude mode {BYPASS}`")

        notebook.may_bypass = True

    word, name = _word_and_name(words, (*MODES, _CLEAR), notebook)

    if word == BYPASS:
        check_word(word, may_bypass=notebook.may_bypass)

        if name not in notebook.sessions:
            return f"{_RED.format(BYPASS)} is taken in this kernel from now on: `%%claude --mode {BYPASS}`."

    session = notebook.session(name)

    if word == _CLEAR:
        notebook.allowances(name).clear()
        return f"Session {name} asks about everything again. What `Always allow` saved in a settings file stays there."

    if word:
        session.set_mode_now(word)

    return "\n".join([_mode_line(session), *_allowance_lines(notebook, name)])


def model(notebook: Notebook, rest: str) -> str:
    """Show or switch the model, also while a turn runs: %claude model [MODEL] [NAME]."""
    words = rest.split()
    word, name = _word_and_name(words, (), notebook)
    session = notebook.session(name)

    if word:
        session.set_model_now(word)

    return f"Session {name} uses {session.options.get('model') or 'the default model'}."


def _word_and_name(words: list[str], known: tuple[str, ...], notebook: Notebook) -> tuple[str, str]:
    """Tell what is to be switched to from whose; a session's name alone shows it."""
    if len(words) == 1 and words[0] in notebook.sessions and words[0] not in known:
        return "", words[0]

    return (words[0] if words else ""), (words[1] if len(words) > 1 else "main")


def _mode_line(session: Session) -> str:
    shown = _RED.format(session.mode) if session.mode == BYPASS else session.mode
    since = " from its next prompt on" if session.mode_waits else ""

    return f"Session {session.name} is in mode {shown}{since}."


def _allowance_lines(notebook: Notebook, name: str) -> list[str]:
    rules = notebook.allowances(name).describe()

    if not rules:
        return []

    return ["Allowed for this session; `%claude mode clear` forgets it:", *(f"  {rule}" for rule in rules)]
