"""The sanitizer file for nbval that ships with the package: what may differ between two runs of a notebook.

Its format: https://nbval.readthedocs.io/en/latest/#Using-a-sanitizer-file.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["nbval_sanitize"]


def nbval_sanitize() -> Path:
    """Give the path of the file for ``pytest --nbval-sanitize-with``; the pytest plugin uses it by itself."""
    return Path(str(files("askwidgets") / "nbval_sanitize.cfg"))
