"""A page that is reloaded while a question waits, in JupyterLab."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Lab

pytestmark = pytest.mark.browser

SCRIPT = """
- when: "*"
  steps:
    - ask:
        questions:
          - {question: "Which store?", header: Store, multiSelect: false, options: [{label: Redis}, {label: SQLite}]}
    - say: "Read: {last_result}"
"""


def test_the_form_is_live_again_and_its_receipt_stays_in_view(browser: Browser, tmp_path: Path) -> None:
    """B71."""
    with Lab.started(tmp_path) as lab:
        lab.write_demo("one.ipynb", SCRIPT, ["%%claude --into turn\nask"])

        with lab.opened(browser, "one.ipynb") as notebook:
            page = notebook.page
            notebook.run_all()
            expect(page.get_by_role("radio", name="SQLite")).to_be_visible()
            notebook.saved()
            page.reload()
            radio = page.get_by_role("radio", name="SQLite")
            expect(radio).to_be_visible()
            radio.click()
            page.get_by_role("button", name="Submit answers").click()

            expect(notebook.output(1).get_by_text("Answered")).to_be_visible()
            expect(notebook.output(1).get_by_text("SQLite")).to_be_visible()
            expect(page.get_by_role("button", name="Submit answers")).to_have_count(0)
            notebook.screenshot("after-reload")
