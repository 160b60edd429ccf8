"""The mode is switched while a turn waits: from a subshell, as JupyterLab has one, and below a turn behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel import Kernel
from tests.scripted_kernel import NEWEST, scripted_kernel, ways

pytestmark = pytest.mark.kernel

SCRIPT = """
- - use: {tool: Write, input: {file_path: one.txt, content: x}}
  - use: {tool: Write, input: {file_path: two.txt, content: x}}
  - say: "Both are written."
"""


def switch(kernel: Kernel, subshell_id: str | None) -> str:
    return kernel.finish(kernel.execute("%claude mode acceptEdits", subshell_id=subshell_id)).text


@pytest.mark.parametrize("way", ways(NEWEST))
def test_a_switch_below_a_turn_in_the_background_counts_at_once(way: str, tmp_path: Path) -> None:
    with scripted_kernel(tmp_path, SCRIPT, way) as kernel:
        running = kernel.run("%%claude -b\nPlease write both.")
        allow = kernel.widget(description="Allow once")
        assert "Session main is in mode acceptEdits." in switch(kernel, None)
        kernel.wait_until(lambda: ">mode acceptEdits<" in running.html, "the mode in the status line")
        kernel.click(allow)
        kernel.wait_until(lambda: "Both are written." in running.text, "the end of the turn")
        assert (tmp_path / "two.txt").exists()
        assert kernel.run("%claude status").status == "ok"


def test_a_switch_from_a_subshell_reaches_the_turn_that_holds_the_kernel(tmp_path: Path) -> None:
    with scripted_kernel(tmp_path, SCRIPT) as kernel:
        running = kernel.execute("%%claude\nPlease write both.")
        allow = kernel.widget(description="Allow once")
        assert ">mode default<" in running.html
        assert "Session main is in mode acceptEdits." in switch(kernel, kernel.create_subshell())
        kernel.wait_until(lambda: ">mode acceptEdits<" in running.html, "the mode in the status line")
        kernel.click(allow)
        assert kernel.finish(running).status == "ok", running.text
        assert (tmp_path / "two.txt").exists()
