"""The kernel's tools in a real kernel: plots in the cell and at the model, code that blocks, cells that are added."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cell import Cell
from tests.kernel import Kernel
from tests.scripted_kernel import NEWEST, scripted_kernel, ways

pytestmark = pytest.mark.kernel

SCRIPT = """
- when: "*plot*"
  steps:
    - use:
        tool: mcp__kernel__run_python
        input:
          code: |
            import matplotlib.pyplot as plt
            plt.plot([1, 3, 2])
            print("plotted")
    - say: "The model read: {last_result}"
- when: "*table*"
  steps:
    - use:
        tool: mcp__kernel__run_python
        input:
          code: |
            from IPython.display import HTML, display
            handle = display(HTML("<b>first</b>"), display_id=True)
            handle.update(HTML("<b>second</b>"))
    - say: "Done."
- when: "*block*"
  steps:
    - use: {tool: mcp__kernel__run_python, input: {code: "begin()\\nimport time\\ntime.sleep(60)"}}
    - say: "It went on."
- when: "*await*"
  steps:
    - use: {tool: mcp__kernel__run_python, input: {code: "begin()\\nimport asyncio\\nawait asyncio.sleep(60)"}}
    - say: "It went on."
- when: "*error*"
  steps:
    - use: {tool: mcp__kernel__run_python, input: {code: "undefined_name"}}
    - say: "The model read: {last_result}"
- when: "*add*"
  steps:
    - use: {tool: mcp__kernel__add_cell, input: {source: "x = 1"}}
    - use: {tool: mcp__kernel__add_cell, input: {source: "A note.", kind: markdown}}
    - say: "Done."
- when: "*greet*"
  steps:
    - say: "Hello."
"""

SETUP = """
allow = {'allow': ['mcp__kernel__run_python', 'mcp__kernel__add_cell']}
import matplotlib.pyplot

def begin():
    display({'text/html': '<hr>'}, raw=True)
"""


@pytest.fixture(scope="module", params=ways(NEWEST))
def kernel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("kernel")
    with scripted_kernel(folder, SCRIPT, request.param, setup=SETUP, requirements=("matplotlib",)) as kernel:
        yield kernel


def prompt(kernel: Kernel, words: str) -> Cell:
    """Run a turn, with permission given beforehand, and wait for its end."""
    return kernel.run(f"%%claude --no-context --answers allow --into turn\nPlease {words}.")


def images(cell: Cell) -> list[dict[str, Any]]:
    return [output["data"] for output in cell.outputs if "image/png" in output.get("data", {})]


def test_a_plot_stands_in_the_cell_and_reaches_the_model_as_an_image(kernel: Kernel) -> None:
    cell = prompt(kernel, "plot it")

    assert cell.status == "ok", cell.text
    (plot,) = images(cell)
    assert base64.b64decode(plot["image/png"]).startswith(b"\x89PNG")
    assert "plotted\n[image 1 below]" in kernel.value("turn.tool_uses[0].result[0]['text']").replace("\\n", "\n")
    assert kernel.value("turn.tool_uses[0].result[1]['type']") == "'image'"
    assert "Run Python" in cell.html
    assert "plotted" in cell.html


def test_an_output_that_is_updated_stands_once(kernel: Kernel) -> None:
    cell = prompt(kernel, "make a table")

    assert cell.status == "ok", cell.text
    assert "<b>second</b>" in cell.html
    assert "<b>first</b>" not in cell.html


def test_an_error_of_the_code_is_none_of_the_cell(kernel: Kernel) -> None:
    cell = prompt(kernel, "make an error")

    assert cell.status == "ok"
    assert not [output for output in cell.outputs if output["output_type"] == "error"]
    assert "name 'undefined_name' is not defined" in kernel.value("turn.text")


@pytest.mark.parametrize("words", ["block", "await"])
def test_the_stop_button_ends_the_code_and_the_turn_and_the_session_goes_on(kernel: Kernel, words: str) -> None:
    cell = kernel.execute(f"%%claude --no-context --answers allow --into turn\nPlease {words}.")
    kernel.wait_until(lambda: "<hr>" in cell.html, "the code to run")
    assert "Run Python" in cell.html
    assert "Allowed" in cell.text
    kernel.interrupt()

    assert kernel.finish(cell, timeout=5).status == "error"
    assert "KeyboardInterrupt" in cell.text
    assert "It went on" not in cell.text
    assert prompt(kernel, "greet").status == "ok"
    assert kernel.value("turn.text") == "'Hello.'"
    assert kernel.value("1 + 1") == "2"


def test_cells_that_are_added_come_with_the_reply(kernel: Kernel) -> None:
    cell = prompt(kernel, "add a cell")
    assert cell.reply is not None

    assert [part["text"] for part in cell.reply["payload"] if part["source"] == "set_next_input"] == [
        "x = 1\n\n\n# A note."
    ]
