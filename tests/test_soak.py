"""What grows in a kernel over hundreds of turns, and what is left when the extension is unloaded or reloaded."""

from __future__ import annotations

import json
from pathlib import Path

import psutil
import pytest

from tests.agent import scripted_model
from tests.environments import Environment
from tests.kernel import Kernel
from tests.scripted_kernel import choices, cli_pids, scripted_kernel

pytestmark = pytest.mark.kernel

TURNS = 200
ASKING = 125
"""Turns that ask four questions each."""

NAMES = ("one", "two", "three", "four")
QUESTIONS = [
    {
        "question": f"Which for {name}?",
        "header": name,
        "multiSelect": False,
        "options": [{"label": f"Red {name}", "description": "r"}, {"label": f"Blue {name}", "description": "b"}],
    }
    for name in NAMES
]
SCRIPT = f"""
- when: "*ask*"
  steps:
    - ask: {json.dumps({"questions": QUESTIONS})}
    - say: "Thanks."
- when: "*greet*"
  steps:
    - say: "{"Hello there. " * 10}"
"""
MEMORY = 10 * 1024 * 1024
"""Bytes that the kernel may grow by once it is warm: the history of a session is kept."""


def greet(kernel: Kernel, count: int) -> None:
    """Run so many turns of text."""
    for _ in range(count):
        assert kernel.run("%%claude\nPlease greet me.").status == "ok"


def ask(kernel: Kernel, count: int) -> None:
    """Run so many turns that ask, and answer them."""
    for _ in range(count):
        cell = kernel.execute("%%claude\nPlease ask me.")

        for name in NAMES:
            kernel.set_state(choices(kernel, f"Red {name}"), index=1)

        kernel.click(kernel.widget(description="Submit answers", disabled=False))
        assert kernel.finish(cell).status == "ok", cell.text


def memory(kernel: Kernel) -> int:
    """Give the bytes that the kernel's process holds, after what is garbage is gone."""
    assert kernel.run("import gc; _ = gc.collect()").status == "ok"

    return int(psutil.Process(kernel.pid).memory_info().rss)


def open_widgets(kernel: Kernel) -> int:
    """Count the widget models that are open, of all that were."""
    kernel.wait_until(lambda: not kernel.find(), "no form")
    kernel.settle()
    assert kernel.widgets

    return sum(widget.open for widget in kernel.widgets.values())


def threads(kernel: Kernel) -> list[str]:
    """Name the extension's threads."""
    code = "[thread.name for thread in __import__('threading').enumerate() if 'askwidgets' in thread.name]"

    return [name for name in kernel.value(code).strip("[]").split(", ") if name]


def test_unloading_and_reloading_leave_no_thread_no_process_and_no_second_session(tmp_path: Path) -> None:
    """B34."""
    with scripted_kernel(tmp_path, SCRIPT) as kernel:
        greet(kernel, 1)
        assert threads(kernel)
        assert len(cli_pids(kernel)) == 1

        for _ in range(2):
            assert kernel.run("%reload_ext askwidgets\n%claude demo script.yaml").status == "ok"
            greet(kernel, 1)
            assert len(cli_pids(kernel)) == 1

        left = kernel.children()
        assert kernel.run("%unload_ext askwidgets").status == "ok"
        assert psutil.wait_procs(left, timeout=5)[1] == []
        assert threads(kernel) == []
        assert kernel.value("len(get_ipython().Completer.custom_matchers)") == "0"


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_hundreds_of_turns_and_questions_leave_memory_and_widgets_flat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interpreter = Environment(ipykernel="7.4.0").interpreter()

    # The script is played outside of the kernel: its server keeps every request.
    with (
        scripted_model(SCRIPT) as server,
        Kernel.started(interpreter, tmp_path, environment=server.env(tmp_path / "claude")) as kernel,
    ):
        assert kernel.run("%load_ext askwidgets").status == "ok"
        greet(kernel, 20)
        ask(kernel, 10)
        before = memory(kernel)
        widgets = open_widgets(kernel)
        greet(kernel, TURNS)
        ask(kernel, ASKING)
        after = memory(kernel)

        with capsys.disabled():
            print(f"\n{TURNS + ASKING} turns, {4 * ASKING} questions: {(after - before) / 2**20:+.1f} MB")  # noqa: T201

        assert after - before < MEMORY
        assert open_widgets(kernel) == widgets
        assert len(cli_pids(kernel)) == 1
