"""The word of ``%claude`` for what the turns of a session took."""

from __future__ import annotations

from askwidgets.arguments import checked_variable
from askwidgets.errors import KernelError
from askwidgets.notebook import Notebook
from askwidgets.usage import turn_usages, usage_bundle, usage_frame

__all__ = ["usage"]


def usage(notebook: Notebook, rest: str) -> str:
    """Plot what a session's turns took: %claude usage [NAME] [--into FRAME]; the frame needs pandas."""
    name, _, into = rest.partition("--into")
    usages = turn_usages(notebook.session(name.strip() or "main").turns)

    if into.strip():
        frame = usage_frame(usages)

        if frame is None:
            raise KernelError.no_pandas()

        notebook.bind(checked_variable(into.strip()), frame)

    notebook.outputs().show(usage_bundle(usages))

    return ""
