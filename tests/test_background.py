"""Turns in the background of a real kernel: beside each other, beside other cells, and what stands for their result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cell import Cell
from tests.kernel import Kernel
from tests.scripted_kernel import NEWEST, cli_pids, scripted_kernel, ways

pytestmark = pytest.mark.kernel

NAMES = ("ant", "bee", "cat", "dog", "eel", "fox")
STEPS = """
- when: "*{name}*"
  steps:
    - say: "I ask for {name}."
    - ask:
        questions:
          - question: "Which house for {name}?"
            header: House
            multiSelect: false
            options:
              - {{label: "Nest of {name}", description: high}}
              - {{label: "Den of {name}", description: low}}
    - say: "{name} read: {{last_result}}"
"""
FAILS = """
- when: "*fail*"
  steps:
    - fail: {status: 400, message: "no such thing"}
"""
SCRIPT = "".join(STEPS.format(name=name) for name in NAMES) + FAILS


@pytest.fixture(params=ways(NEWEST))
def kernel(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kernel]:
    with scripted_kernel(tmp_path, SCRIPT, request.param) as kernel:
        yield kernel


def pick_den(kernel: Kernel, name: str) -> None:
    """Pick the second option in the form of that session, and submit."""
    options = kernel.widget(lambda widget: any(f"Den of {name}" in label for label in widget.state["_options_labels"]))
    kernel.set_state(options, index=1)
    cell = next(cell for cell in kernel.cells.values() if f"-s {name} " in cell.code)
    inside = submit_button_of(kernel, cell)
    kernel.wait_until(lambda: not kernel.widgets[inside].state["disabled"], "the button of the form")
    kernel.click(kernel.widgets[inside])


def submit_button_of(kernel: Kernel, cell: Cell) -> str:
    """Find the button below the widget that the cell shows."""
    below = list(cell.view_ids)

    for comm_id in below:
        widget = kernel.widgets[comm_id]
        below += [reference for reference in widget.references if reference not in below]

    return next(found for found in below if kernel.widgets[found].state.get("description") == "Submit answers")


def test_six_sessions_that_wait_at_once_are_answered_in_any_order_each_in_its_cell(kernel: Kernel) -> None:
    cells = {}

    for name in NAMES:
        cells[name] = kernel.run(f"%%claude -s {name} -b --into {name}\nPlease ask for {name}.")
        assert cells[name].status == "ok", cells[name].text

    assert "not finished" in kernel.run("ant.text").text
    kernel.wait_until(lambda: all(cell.view_ids for cell in cells.values()), "six forms")
    assert kernel.run("%claude status").text.count("waits for your answer") == len(NAMES)
    assert len(cli_pids(kernel)) == len(NAMES)
    assert "waits for your answer" in kernel.run("%%claude -s cat\nAnother prompt.").text

    for name in ("dog", "ant", "fox"):
        pick_den(kernel, name)

    long = kernel.execute("import time\ntime.sleep(2)\nprint('slept')")

    for name in ("bee", "eel", "cat"):
        pick_den(kernel, name)

    assert kernel.finish(long).text.strip() == "slept"

    for name in NAMES:
        assert kernel.run(f"%claude wait {name}").status == "ok"
        assert f"{name} read: Your questions have been answered" in kernel.value(f"{name}.text")
        assert f'"Which house for {name}?"="Den of {name}"' in cells[name].text
        assert "Answered" in cells[name].text
        assert [other for other in NAMES if other != name and f"for {other}" in cells[name].text] == []
        assert not cells[name].view_ids


def test_a_turn_that_fails_in_the_background_says_so_in_its_cell_and_where_it_is_used(kernel: Kernel) -> None:
    """B38."""
    cell = kernel.run("%%claude -b --into turn\nPlease fail.")
    assert cell.status == "ok"
    kernel.wait_until(lambda: "no such thing" in cell.text, "the error in the cell")

    used = kernel.run("turn.text")
    assert used.status == "error"
    assert "no such thing" in used.text
    assert "Traceback" not in used.text
    assert "no such thing" in kernel.run("%claude wait").text


@pytest.mark.parametrize("seconds", [2, pytest.param(30, marks=pytest.mark.soak)])
def test_an_answer_that_is_given_while_code_blocks_the_kernel_arrives_afterwards(kernel: Kernel, seconds: int) -> None:
    asking = kernel.run("%%claude -s ant -b --into ant\nPlease ask for ant.")
    options = kernel.widget(lambda widget: any("Den of ant" in label for label in widget.state["_options_labels"]))
    busy = kernel.execute(f"import time; print('began', flush=True); time.sleep({seconds})")
    kernel.wait_until(lambda: "began" in busy.text, "the code that blocks")
    kernel.set_state(options, index=1)
    # Without a subshell the pick arrives, and the button can be clicked, when the code is done.
    kernel.click(kernel.widget(timeout=seconds + 30, description="Submit answers", disabled=False))

    assert kernel.finish(busy, timeout=seconds + 30).status == "ok"
    assert kernel.run("%claude wait ant").status == "ok"
    assert "Den of ant" in kernel.value("ant.text")
    assert "Answered" in asking.text
