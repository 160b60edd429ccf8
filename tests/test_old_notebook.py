"""A notebook whose kernel is gone, opened where it is trusted."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.agent import QUESTION
from tests.browser import Lab

pytestmark = [pytest.mark.browser, pytest.mark.ci]

SCRIPT = f"- - ask: {QUESTION}\n"
BROKEN = "Error displaying widget"


def test_a_form_that_waited_when_its_kernel_died_is_told_in_words(browser: Browser, tmp_path: Path) -> None:
    with Lab.started(tmp_path) as lab:
        lab.write_demo("one.ipynb", SCRIPT, ["%%claude\nask"])
        with lab.opened(browser, "one.ipynb") as notebook:
            page = notebook.page
            notebook.run_all()
            asked = notebook.output(1).get_by_text("Asked: Which store should hold sessions?")
            expect(page.get_by_role("radio", name="Redis")).to_be_visible()
            expect(page.get_by_role("button", name="Submit answers")).to_be_visible()
            expect(asked).to_be_hidden()
            notebook.saved()

            notebook.choose("Kernel", "Shut Down Kernel")
            # A page that is loaded before would take the kernel that ends for its own.
            expect(page.get_by_text("No Kernel").first).to_be_visible()
            page.reload()
            notebook.wait_for_kernel()
            expect(asked).to_be_visible()
            expect(page.get_by_text(BROKEN)).to_have_count(1)
            expect(page.get_by_text(BROKEN)).to_be_hidden()
