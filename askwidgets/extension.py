"""Registers the magics in a shell, and undoes it."""

from __future__ import annotations

import atexit

from IPython.core.interactiveshell import InteractiveShell

from askwidgets.completion import MATCHER, matcher
from askwidgets.limits import read_limits, system_directories
from askwidgets.magics import ClaudeMagics
from askwidgets.offers import NotebookOffers

__all__ = ["load", "unload"]


def load(shell: InteractiveShell) -> None:
    """Register ``%%claude`` and ``%claude``; shows nothing, writes nothing, starts no process."""
    magics = ClaudeMagics(shell, read_limits(system_directories()))
    shell.register_magics(magics)
    magics.transform.install()
    shell.Completer.custom_matchers.append(matcher(NotebookOffers(magics)))
    atexit.register(magics.close)
    magics.start_preload()


def unload(shell: InteractiveShell) -> None:
    """End the sessions and take every hook back."""
    manager = shell.magics_manager
    magics = manager.registry.pop(ClaudeMagics.__name__, None)

    if magics is None:
        return

    for kind in ("line", "cell"):
        manager.magics[kind].pop("claude", None)

    for warning in magics.warnings():
        print(warning)  # noqa: T201 - what %unload_ext says

    own = [known for known in shell.Completer.custom_matchers if getattr(known, "matcher_identifier", "") == MATCHER]

    for known in own:
        shell.Completer.custom_matchers.remove(known)

    # What `%config` refused stands in the shell's configuration alone, where the next load would fail on it.
    shell.config[ClaudeMagics.__name__] = magics.config[ClaudeMagics.__name__]
    shell.configurables.remove(magics)
    magics.transform.remove()
    atexit.unregister(magics.close)
    magics.close()
