"""A page asks for all states again, because it was cut off: what it shows is what the kernel goes on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.environments import Environment
from tests.kernel import Kernel, Widget

pytestmark = pytest.mark.kernel

ASK = """
from askwidgets.form import QuestionForm

form = QuestionForm({"questions": [{"question": "Which store?", "options": [{"label": "Redis"}, {"label": "SQLite"}]}]})
display(form)
answer = (await form.outcome()).answers["Which store?"]
print(answer.labels, answer.notes)
form.close()
"""


def following(kernel: Kernel, widget: Widget, trait: str) -> list[Widget]:
    """Find the links that the page lets follow a trait."""
    source = [f"IPY_MODEL_{widget.comm_id}", trait]

    return [link for link in kernel.widgets.values() if link.state.get("source") == source]


def followed(kernel: Kernel, widget: Widget, trait: str) -> Widget:
    """Let the one model that is linked to a trait do what a page does: take its value over."""
    kernel.wait_until(lambda: any(link.open for link in following(kernel, widget, trait)), "a model that follows")
    (link,) = [link for link in following(kernel, widget, trait) if link.open]
    target = kernel.widgets[link.state["target"][0].removeprefix("IPY_MODEL_")]
    kernel.set_state(target, **{trait: widget.state[trait]})

    return target


@pytest.mark.parametrize("over_subshell", [False, True], ids=["plain", "subshell"])
def test_new_models_send_what_the_page_shows_before_it_is_answered_and_a_field_of_text_stays(
    *, over_subshell: bool, tmp_path: Path
) -> None:
    with Kernel.started(Environment(ipykernel="7.4.0").interpreter(), tmp_path, over_subshell=over_subshell) as kernel:
        assert kernel.run("import ipywidgets").status == "ok"
        before = kernel.value("get_ipython().kernel.comm_manager.targets['jupyter.widget.control']")
        cell = kernel.execute(ASK)
        notes, radios = kernel.widget(placeholder="Notes"), kernel.widget(_model_name="RadioButtonsModel")
        kernel.set_state(notes, value="arr")
        kernel.ask_for_states()
        renewed = kernel.widget(lambda widget: widget.comm_id != radios.comm_id, _model_name="RadioButtonsModel")
        assert not kernel.states

        radios.state["index"] = 1
        assert followed(kernel, radios, "index") is renewed
        # What is typed is lost on its way, and more is typed before the rest arrives.
        notes.state["value"] = "arrived"
        sender = followed(kernel, notes, "value")
        notes.state["value"] = "arrived, and more"
        kernel.wait_until(lambda: kernel.states, "the states of all widgets")

        assert kernel.states[renewed.comm_id]["state"]["index"] == 1
        assert {radios.comm_id, notes.comm_id}.isdisjoint(kernel.states)
        assert not radios.open
        assert not any(link.open for link in following(kernel, radios, "index"))
        assert kernel.widget(placeholder="Notes") is notes
        assert notes.state["value"] == "arrived, and more"

        # It is lost once more.
        kernel.states = {}
        kernel.ask_for_states()
        kernel.wait_until(lambda: len(following(kernel, notes, "value")) == 2, "another model that sends")
        kernel.wait_until(lambda: kernel.states, "the states of all widgets once more")
        assert not sender.open
        notes.state["value"] = "arrived again"
        sender = followed(kernel, notes, "value")

        kernel.click(kernel.widget(description="Submit answers"))
        assert kernel.finish(cell).text.splitlines()[-1] == "('SQLite',) arrived again"
        assert not sender.open
        assert kernel.value("get_ipython().kernel.comm_manager.targets['jupyter.widget.control']") == before
