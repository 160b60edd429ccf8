"""What a frontend sends to a form while its cell runs arrives in order, and is acknowledged each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cell import Cell
from tests.environments import Environment
from tests.kernel import Kernel, Widget

pytestmark = pytest.mark.kernel

ASK = """
from askwidgets.permission_form import PermissionForm
from askwidgets.permissions import PermissionRequest

form = PermissionForm(PermissionRequest(tool_name="Bash", input={"command": "ls"}))
display(form)
print((await form.decision()).reason)
"""


def send(kernel: Kernel, widget: Widget, data: dict[str, object]) -> None:
    """Send a message to a widget and wait, as ipywidgets does, until the kernel was idle after it."""
    message_id = kernel.send_comm(widget, data)
    sent = kernel.cells[message_id] = Cell(code=str(data), message_id=message_id)
    kernel.wait_until(lambda: sent.idle, f"the idle status after {data}", timeout=5)


def update(**state: object) -> dict[str, object]:
    return {"method": "update", "state": state, "buffer_paths": []}


@pytest.mark.parametrize("over_subshell", [False, True], ids=["plain", "subshell"])
def test_every_message_is_followed_by_an_idle_status(*, over_subshell: bool, tmp_path: Path) -> None:
    """B37, B71."""
    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path, over_subshell=over_subshell) as kernel:
        cell = kernel.execute(ASK)
        reason = kernel.widget(placeholder="Reason")
        for value in ("u", "us", "use cat"):
            send(kernel, reason, update(value=value))

        send(kernel, kernel.widget(description="Edit first"), {"method": "custom", "content": {"event": "click"}})
        kernel.click(kernel.widget(description="Deny"))
        assert kernel.finish(cell).status == "ok", cell.text
        assert "use cat" in cell.text


@pytest.mark.parametrize("over_subshell", [False, True], ids=["plain", "subshell"])
def test_a_click_does_not_overtake_the_words_typed_before_it(*, over_subshell: bool, tmp_path: Path) -> None:
    """B39."""
    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path, over_subshell=over_subshell) as kernel:
        for number in range(5):
            cell = kernel.execute(ASK)
            reason = kernel.widget(placeholder="Reason")
            for length in range(20):
                kernel.set_state(reason, value=f"{number} " + "x" * length)

            kernel.click(kernel.widget(description="Deny"))
            assert kernel.finish(cell).text.splitlines()[-1] == f"{number} " + "x" * 19
            kernel.run("form.close()")


def test_words_still_arrive_after_the_subshell_is_gone(tmp_path: Path) -> None:
    """B71."""
    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path, over_subshell=True) as kernel:
        cell = kernel.execute(ASK)
        reason = kernel.widget(placeholder="Reason")
        send(kernel, reason, update(value="typed before the reload"))
        assert kernel.subshell_id is not None
        kernel.delete_subshell(kernel.subshell_id)
        kernel.subshell_id = kernel.create_subshell()
        send(kernel, reason, update(value="typed after the reload"))
        kernel.click(kernel.widget(description="Deny"))
        assert "typed after the reload" in kernel.finish(cell).text
