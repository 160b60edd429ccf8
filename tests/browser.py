"""JupyterLab in Chromium, driven as a person drives it: by what is visible, with mouse and keyboard.

::

    with Lab.started(folder) as lab, chromium() as browser:
        lab.write("one.ipynb", ["%load_ext askwidgets", "..."])
        with lab.opened(browser, "one.ipynb") as notebook:
            notebook.run_all()
            notebook.page.get_by_role("button", name="Submit answers").click()
            saved = notebook.saved()
"""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import nbformat
import psutil
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.environments import isolated_variables

__all__ = [
    "Lab",
    "Notebook",
    "chromium",
    "chromium_program",
    "ended",
    "opened_page",
    "run_all_cells",
    "wait_until",
]

TIMEOUT = 30.0
"""Seconds that a wait may take before its test fails."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_NUMBER = re.compile(r"\[\d+\]:")
"""What stands beside a cell that has run."""
QUIET: Mapping[str, Mapping[str, object]] = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
"""Settings that keep JupyterLab from asking things of its own."""


def chromium_program() -> str | None:
    """Find Chromium: ``ASKWIDGETS_CHROMIUM``, or the one on the path."""
    return os.environ.get("ASKWIDGETS_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium without a window."""
    expect.set_options(timeout=TIMEOUT * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def opened_page(
    browser: Browser,
    pictures: Path,
    *,
    name: str = "failure",
    width: int = 1280,
    height: int = 1600,
    timeout: float = TIMEOUT,
) -> Iterator[Page]:
    """Open an empty page of its own; of a failure it leaves a picture.

    Args:
        browser: from ``chromium()``.
        pictures: the folder where the picture goes.
        name: of the picture.
        width: of the page, in CSS pixels.
        height: of the page, in CSS pixels.
        timeout: seconds that a wait may take.
    """
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(timeout * 1000)
    page = context.new_page()
    try:
        yield page
    except BaseException:
        page.screenshot(path=pictures / f"{name}.png")
        raise
    finally:
        context.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A running JupyterLab, or another Jupyter application, with everything of its own in one folder."""

    url: str
    """Where it serves, without a path."""
    token: str
    folder: Path
    log: list[str]
    """What it and its kernels wrote so far."""

    @property
    def notebooks(self) -> Path:
        """The folder that it serves."""
        return self.folder / "notebooks"

    @classmethod
    @contextmanager
    def started(
        cls,
        folder: Path,
        *,
        application: Sequence[str] = (sys.executable, "-m", "jupyterlab"),
        kernel: Path | str = sys.executable,
        settings: Mapping[str, Mapping[str, object]] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Iterator[Lab]:
        """Start it, and end it with all it started.

        Args:
            folder: an empty folder of the test's own.
            application: the command of the server.
            kernel: the Python program that notebooks run on.
            settings: JupyterLab's settings by plugin, as its settings editor shows them.
            environment: variables to add.
        """
        variables = isolated_variables(folder) | {"JUPYTER_PATH": str(folder / "data"), **(environment or {})}
        _write_settings(folder, {**QUIET, **(settings or {})})
        _write_kernel(folder, kernel)
        (folder / "notebooks").mkdir()
        token = uuid.uuid4().hex
        command = [*application, "--no-browser", "--ServerApp.port=0", f"--IdentityProvider.token={token}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--allow-root")

        process = subprocess.Popen(
            command,
            cwd=folder / "notebooks",
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        with process, ended(process):
            log: list[str] = []
            yield cls(url=_address(process, log), token=token, folder=folder, log=log)

    def write(self, name: str, cells: Sequence[str]) -> Path:
        """Write a notebook of code cells."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        path = self.notebooks / name
        nbformat.write(notebook, path)
        return path

    def write_demo(self, name: str, script: str, cells: Sequence[str]) -> Path:
        """Write a notebook in which a script answers for the model, from its first cell on."""
        (self.notebooks / "script.yaml").write_text(script, encoding="utf-8")
        return self.write(name, ["%load_ext askwidgets\n%claude demo script.yaml", *cells])

    @contextmanager
    def opened(
        self,
        browser: Browser,
        name: str,
        *,
        width: int = 1280,
        height: int = 1400,
        screenshots: Path | None = None,
    ) -> Iterator[Notebook]:
        """Open a notebook in a page of its own, its kernel ready.

        Args:
            browser: from ``chromium()``.
            name: the notebook's path in the folder served.
            width: of the page, in CSS pixels.
            height: of the page, in CSS pixels.
            screenshots: where pictures go; the test's folder when unset.
        """
        pictures = screenshots or Path(os.environ.get("ASKWIDGETS_SCREENSHOTS", self.folder / "screenshots"))
        failure = f"failure-{Path(name).stem}"
        with opened_page(browser, pictures, name=failure, width=width, height=height) as page:
            page.goto(f"{self.url}/lab/workspaces/{uuid.uuid4().hex}/tree/{name}?token={self.token}")
            notebook = Notebook(page=page, path=self.notebooks / name, screenshots=pictures)
            notebook.wait_for_kernel()
            yield notebook


@dataclass(frozen=True, slots=True, kw_only=True)
class Notebook:
    """A notebook open in a page."""

    page: Page
    path: Path
    """Where it is saved."""
    screenshots: Path

    def wait_for_kernel(self) -> None:
        """Wait until the status bar says that the kernel is idle."""
        expect(self.page.get_by_text("| Idle")).to_be_visible(timeout=2 * TIMEOUT * 1000)

    def run_all(self) -> None:
        """Choose ``Run All Cells`` from the menu."""
        self.choose("Run", "Run All Cells")

    def choose(self, menu: str, item: str) -> None:
        """Choose an item from a menu."""
        self.page.get_by_role("menubar").get_by_role("menuitem", name=menu, exact=True).click()
        name = re.compile(rf"^{re.escape(item)}\s*((Ctrl|Alt|Shift)\+.*|\w, \w)?$")
        self.page.get_by_role("menu").get_by_role("menuitem", name=name).click()

    def cell(self, index: int) -> Locator:
        """Give a cell by its position, its outputs included."""
        return self.page.locator(".jp-Notebook-cell").nth(index)

    def output(self, index: int) -> Locator:
        """Give what stands below a cell's code."""
        return self.cell(index).locator(".jp-Cell-outputWrapper")

    def wait_for_end(self, index: int, *, timeout: float = TIMEOUT) -> None:
        """Wait until a cell has run: its number stands where the star was."""
        number = self.cell(index).locator(".jp-InputPrompt")
        expect(number).to_have_text(re.compile(r"\[\d+\]"), timeout=timeout * 1000)

    def saved(self) -> nbformat.NotebookNode:
        """Save, and read what is then on disk."""
        before = self.path.stat().st_mtime_ns
        self.choose("File", "Save Notebook")
        wait_until(lambda: self.path.stat().st_mtime_ns > before and self._is_written(), "the save", self.page)
        notebook: nbformat.NotebookNode = nbformat.read(self.path, as_version=4)
        nbformat.validate(notebook)
        return notebook

    def restart_kernel(self) -> None:
        """Restart the kernel from the menu and confirm."""
        self.choose("Kernel", "Restart Kernel…")
        self.page.get_by_role("button", name="Confirm Kernel Restart").click()
        self.wait_for_kernel()

    def screenshot(self, name: str) -> Path:
        """Take a picture of the page and give its path."""
        path = self.screenshots / f"{name}.png"
        self.page.screenshot(path=path)
        return path

    def _is_written(self) -> bool:
        """Tell a whole file from one that the server is still writing."""
        try:
            return "cells" in json.loads(self.path.read_text(encoding="utf-8"))
        except ValueError:
            return False


def run_all_cells(page: Page) -> None:
    """Choose ``Run All Cells``; again where the frontend was there before its kernel.

    Then it drops the cells, or asks for the kernel that the notebook names already.
    """
    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible(timeout=90_000)
    prompt = page.locator(".jp-CodeCell .jp-InputPrompt").first
    select_kernel = page.locator(".jp-Dialog .jp-mod-accept")

    # A star may go again: only a number says that the kernel has run the cell.
    while _NUMBER.fullmatch(prompt.text_content() or "") is None:
        if select_kernel.is_visible():
            select_kernel.click()

        if prompt.text_content() == "[ ]:":
            page.get_by_role("menubar").get_by_role("menuitem", name="Run", exact=True).click()
            page.get_by_role("menu").get_by_role("menuitem", name=re.compile("^Run All Cells")).click()

        with suppress(AssertionError):
            expect(prompt).to_have_text(_NUMBER, timeout=10_000)


def _write_settings(folder: Path, settings: Mapping[str, Mapping[str, object]]) -> None:
    labconfig = folder / "config" / "labconfig"
    labconfig.mkdir(parents=True)
    (labconfig / "default_setting_overrides.json").write_text(json.dumps(settings))


def _write_kernel(folder: Path, interpreter: Path | str) -> None:
    spec = folder / "data" / "kernels" / "python3"
    spec.mkdir(parents=True)
    command = [str(interpreter), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "Python 3", "language": "python"}))


def _address(process: subprocess.Popen[str], log: list[str]) -> str:
    """Wait for the line that tells where it serves, and go on reading what it writes."""
    found: queue.Queue[str] = queue.Queue()

    def read() -> None:
        for line in process.stdout or ():
            log.append(line)
            if match := re.search(r"http://127\.0\.0\.1:\d+", line):
                found.put(match[0])

    threading.Thread(target=read, daemon=True).start()
    try:
        return found.get(timeout=2 * TIMEOUT)
    except queue.Empty:
        raise AssertionError("the server did not start:\n" + "".join(log)) from None


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[None]:
    """End a process and all below it on the way out."""
    try:
        yield
    finally:
        running = psutil.Process(process.pid) if process.poll() is None else None
        tree = [running, *running.children(recursive=True)] if running is not None else []
        process.terminate()
        # JupyterLab, too: its server may wait for a thread that does not end.
        for left in psutil.wait_procs(tree, timeout=10)[1]:
            left.kill()


def wait_until(condition: Callable[[], bool], what: str, page: Page) -> None:
    """Wait for something outside the page while the page goes on."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, f"waited {TIMEOUT:g} s for {what}"
        page.wait_for_timeout(50)
