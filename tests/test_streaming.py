"""Text that grows in JupyterLab, while a person types into a form."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Lab

pytestmark = pytest.mark.browser

PARAGRAPH = "Some words about stores and sessions, and `code` among them. " * 6
SCRIPT = f"""
- when: "*ask*"
  steps:
    - together:
        - ask:
            questions:
              - {{question: "Which store?", header: Store, multiSelect: false, options: [{{label: A}}, {{label: B}}]}}
        - use: {{tool: Bash, input: {{command: "echo beside it"}}}}
    - say: "Read."
- when: "*write*"
  steps:
    - pace: 0.06
    - say: "{PARAGRAPH * 4}"
"""


LONGER = """
size => {
  const texts = [...document.querySelectorAll('.ask-text')].map(text => text.innerText).join('');
  return texts.length > size && texts.length;
}
"""
"""Waits until more text stands in the page, and gives how much."""
SCROLLED = """
cell => {
  let scroller = cell;
  while (scroller && scroller.scrollTop === 0) scroller = scroller.parentElement;
  return scroller ? scroller.scrollTop : 0;
}
"""
"""Gives how far the page is scrolled at the cell."""


def test_text_grows_as_it_arrives_and_neither_focus_nor_words_nor_scrolling_is_lost(
    browser: Browser, tmp_path: Path
) -> None:
    """B47, B61."""
    with Lab.started(tmp_path) as lab:
        asking = "%%claude -b -s asking --mode acceptEdits\nask"
        lab.write_demo("one.ipynb", SCRIPT, [asking, "%%claude\nwrite"])

        with lab.opened(browser, "one.ipynb") as notebook:
            page = notebook.page
            notebook.run_all()
            own = notebook.output(1).get_by_placeholder("Your own answer")
            own.fill("a store of")
            own.press("End")
            size = 0

            for _ in range(3):
                size = page.wait_for_function(LONGER, arg=size).json_value()
                own.press_sequentially(" ours")
                expect(own).to_be_focused()

            expect(own).to_have_value("a store of ours ours ours")
            page.set_viewport_size({"width": 900, "height": 300})
            cell = notebook.cell(2)
            cell.hover()
            page.mouse.wheel(0, 40)
            page.wait_for_function(f"cell => ({SCROLLED})(cell) > 0", arg=cell.element_handle())
            read = cell.evaluate(SCROLLED)

            for _ in range(3):
                size = page.wait_for_function(LONGER, arg=size).json_value()
                assert cell.evaluate(SCROLLED) == read

            notebook.wait_for_end(2, timeout=60)
            final = notebook.output(2).locator(".ask-text").all_inner_texts()
            assert "".join(final).count("stores and sessions") == 24
            expect(own).to_be_focused()
            expect(own).to_have_value("a store of ours ours ours")
