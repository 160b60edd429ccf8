"""A page asks for all states again, because it was cut off: what it shows is what the kernel goes on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.environments import Environment
from tests.kernel import Kernel

pytestmark = pytest.mark.kernel

ASK = """
from askwidgets.permission_form import PermissionForm
from askwidgets.permissions import PermissionRequest

form = PermissionForm(PermissionRequest(tool_name="Bash", input={"command": "ls"}))
display(form)
print((await form.decision()).reason)
form.close()
"""


@pytest.mark.parametrize("over_subshell", [False, True], ids=["plain", "subshell"])
def test_new_models_take_over_what_the_page_shows_before_it_is_answered(*, over_subshell: bool, tmp_path: Path) -> None:
    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path, over_subshell=over_subshell) as kernel:
        assert kernel.run("import ipywidgets").status == "ok"
        before = kernel.value("get_ipython().kernel.comm_manager.targets['jupyter.widget.control']")
        cell = kernel.execute(ASK)
        reason = kernel.widget(placeholder="Reason")
        kernel.set_state(reason, value="arr")
        kernel.ask_for_states()
        renewed = kernel.widget(lambda widget: widget.comm_id != reason.comm_id, placeholder="Reason")
        source = [f"IPY_MODEL_{reason.comm_id}", "value"]
        links = [widget for widget in kernel.widgets.values() if widget.state.get("source") == source]

        assert [link.name for link in links] == ["DirectionalLinkModel"]
        assert links[0].state["target"] == [f"IPY_MODEL_{renewed.comm_id}", "value"]
        assert renewed.state["value"] == "arr"
        assert not kernel.states

        kernel.set_state(renewed, value="arrived")
        kernel.wait_until(lambda: kernel.states, "the states of all widgets")

        assert kernel.states[renewed.comm_id]["state"]["value"] == "arrived"
        assert reason.comm_id not in kernel.states
        assert not reason.open
        assert not links[0].open

        kernel.click(kernel.widget(description="Deny"))
        assert kernel.finish(cell).text.splitlines()[-1] == "arrived"
        assert kernel.value("get_ipython().kernel.comm_manager.targets['jupyter.widget.control']") == before
