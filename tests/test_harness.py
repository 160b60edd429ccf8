"""The kernel and browser tiers stand on harnesses that do what a frontend does: shown on a plain button."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Lab
from tests.cell import VIEW
from tests.environments import Environment
from tests.kernel import Kernel
from tests.scripted_kernel import NEWEST, OLDEST, ways

BUTTON = """
import asyncio, threading, ipywidgets
from IPython.display import display

clicked = asyncio.Event()
loop = asyncio.get_running_loop()
button = ipywidgets.Button(description="Go")
field = ipywidgets.Textarea(placeholder="Notes")
threads = []

def on_click(_):
    threads.append(threading.current_thread() is threading.main_thread())
    loop.call_soon_threadsafe(clicked.set)

button.on_click(on_click)
display(ipywidgets.VBox([field, button]))
"""

POLL = """
import jupyter_ui_poll
async with jupyter_ui_poll.ui_events() as poll:
    while not clicked.is_set():
        await poll(5)
        await asyncio.sleep(0.01)
"""


WAIT = "await clicked.wait()"


@pytest.mark.kernel
@pytest.mark.parametrize("way", ways(NEWEST, OLDEST))
def test_a_click_reaches_a_cell_that_waits_for_it(way: str, tmp_path: Path) -> None:
    version, comms = way.split()
    interpreter = Environment(ipykernel=version).interpreter()
    with Kernel.started(interpreter, tmp_path, over_subshell=comms == "subshell") as kernel:
        cell = kernel.execute(f"{BUTTON}\n{WAIT if version.startswith('7') else POLL}\nprint('went on', field.value)")
        kernel.set_state(kernel.widget(placeholder="Notes"), value="typed")
        kernel.click(kernel.widget(description="Go"))

        assert kernel.finish(cell).status == "ok", cell.text
        assert cell.text.rstrip().endswith("went on typed")
        assert [kernel.widgets[view].name for view in cell.view_ids] == ["VBoxModel"]
        assert kernel.value("__import__('ipykernel').__version__") == repr(version)
        assert kernel.has_subshells == version.startswith("7")


@pytest.fixture(scope="module")
def plain_kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path_factory.mktemp("kernel")) as kernel:
        yield kernel


@pytest.mark.kernel
def test_outputs_stand_in_their_cell_and_are_updated_by_display_id(plain_kernel: Kernel) -> None:
    shown = plain_kernel.run("print('one', end=' ')\nprint('two')\nhandle = display('old', display_id=True)")
    other = plain_kernel.run("handle.update('new')\n1 / 0")

    assert shown.outputs[0]["text"] == "one two\n"
    assert shown.outputs[1]["data"]["text/plain"] == "'new'"
    assert other.status == "error"
    assert "ZeroDivisionError" in other.text


@pytest.mark.kernel
def test_a_closed_widget_is_no_longer_found(plain_kernel: Kernel) -> None:
    cell = plain_kernel.run(f"{BUTTON}\nbutton.close()")

    assert plain_kernel.find(description="Go") == []
    assert VIEW in cell.outputs[0]["data"]


@pytest.mark.kernel
def test_input_is_asked_and_typed_at_the_frontend(plain_kernel: Kernel) -> None:
    cell = plain_kernel.execute("print(input('Name? ').upper())")
    plain_kernel.wait_until(lambda: cell.stdin_prompts, "the prompt")
    plain_kernel.reply_to_stdin("ada")

    assert plain_kernel.finish(cell).text.strip() == "ADA"
    assert cell.stdin_prompts == ["Name? "]


@pytest.mark.kernel
def test_an_interrupt_is_a_real_one(plain_kernel: Kernel) -> None:
    cell = plain_kernel.execute("print('started')\nimport time\nwhile True: time.sleep(0.01)")
    plain_kernel.wait_until(lambda: "started" in cell.text, "the start")
    plain_kernel.interrupt()

    assert "KeyboardInterrupt" in plain_kernel.finish(cell).text


@pytest.mark.kernel
def test_a_killed_kernel_leaves_the_children_that_outlive_it_to_be_seen(tmp_path: Path) -> None:
    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path) as kernel:
        kernel.run("import subprocess\nchild = subprocess.Popen(['sleep', '60'])")
        (child,) = kernel.children()
        kernel.kill()
        gone, alive = psutil.wait_procs([psutil.Process(kernel.pid)], timeout=5)

        assert (len(gone), alive, child.is_running()) == (1, [], True)
        child.kill()


@pytest.mark.ci
@pytest.mark.browser
def test_a_click_in_the_browser_reaches_a_cell_that_waits_for_it(browser: Browser, tmp_path: Path) -> None:
    settings = {"@jupyterlab/apputils-extension:themes": {"theme": "JupyterLab Dark"}}
    with Lab.started(tmp_path, kernel=Environment(ipykernel="7.4.0").interpreter(), settings=settings) as lab:
        lab.write("button.ipynb", [f"{BUTTON}\nawait clicked.wait()\nprint('went on', field.value)", "6 * 7"])
        with lab.opened(browser, "button.ipynb") as notebook:
            notebook.run_all()
            notebook.page.get_by_placeholder("Notes").fill("typed")
            notebook.page.get_by_role("button", name="Go").click()
            notebook.wait_for_end(1)

            expect(notebook.output(0).get_by_text("went on typed")).to_be_visible()
            assert notebook.page.locator("body").get_attribute("data-jp-theme-light") == "false"
            assert notebook.saved().cells[1].outputs[0].data["text/plain"] == "42"
            assert notebook.screenshot("button").stat().st_size > 10_000
