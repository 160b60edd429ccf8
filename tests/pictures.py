"""Draws the pictures of the README: ``python -m tests.pictures``.

They show the tour's first question as it stands in JupyterLab, with light and with dark colors.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser import Lab, chromium
from tests.environments import REPOSITORY

__all__ = ["main"]

PICTURES = REPOSITORY / ".github" / "pictures"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
ASKING = 3
"""The tour's cell that asks first."""


def main() -> None:
    """Draw a picture for each theme."""
    PICTURES.mkdir(parents=True, exist_ok=True)

    with chromium() as browser:
        for name, theme in THEMES.items():
            with tempfile.TemporaryDirectory() as folder:
                _draw(browser, Path(folder), theme, PICTURES / f"form-{name}.png")


def _draw(browser: Browser, folder: Path, theme: str, picture: Path) -> None:
    settings = {"@jupyterlab/apputils-extension:themes": {"theme": theme}}

    with Lab.started(folder, settings=settings) as lab:
        shutil.copy(REPOSITORY / "notebooks" / "tour.ipynb", lab.notebooks)

        with lab.opened(browser, "tour.ipynb", width=1100) as notebook:
            notebook.run_all()
            cell = notebook.cell(ASKING)
            option = cell.get_by_role("radio", name="SQLite")
            expect(option).to_be_visible()
            option.check()
            expect(cell.get_by_role("button", name="Submit answers")).to_be_enabled()
            notebook.page.mouse.move(0, 0)
            cell.screenshot(path=picture)


if __name__ == "__main__":
    main()
