"""A permission and a plan in JupyterLab, decided as a person decides: by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Lab, Notebook

pytestmark = [pytest.mark.browser, pytest.mark.ci]

SETUP = """
from askwidgets.permission_form import PermissionForm
from askwidgets.permissions import PermissionRequest, Rule, Suggestion
from askwidgets.plan_form import PlanForm

async def ask(form):
    display(form)
    decision = await form.decision()
    print(decision.allow, decision.message, decision.updated_input, decision.mode)
"""
BASH = """
rule = Suggestion(kind="rules", rules=(Rule(tool_name="Bash", content="git log *"),), destination="localSettings")
await ask(PermissionForm(PermissionRequest(tool_name="Bash", input={"command": "git log"}, suggestions=(rule,))))
"""
PLAN = """
await ask(PlanForm(PermissionRequest(tool_name="ExitPlanMode", input={"plan": "## Steps\\n1. Count"})))
"""
NEXT = 'print("the next cell ran")'


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    with Lab.started(tmp_path_factory.mktemp("lab"), environment=environment) as lab:
        yield lab


@pytest.fixture
def notebook(lab: Lab, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """Open a notebook that asks, run up to the form."""
    name = f"{request.node.name}.ipynb"
    lab.write(name, [SETUP, request.param, NEXT])
    with lab.opened(browser, name) as notebook:
        notebook.run_all()
        yield notebook


@pytest.mark.parametrize("notebook", [BASH], indirect=True, ids=["bash"])
def test_a_reason_is_typed_whole_and_denying_wakes_the_cell(notebook: Notebook) -> None:
    """B18, B39."""
    form = notebook.output(1)
    expect(form.get_by_role("heading", name="Claude wants to run a command")).to_be_visible()
    expect(form.get_by_text("Always allow Bash(git log *), saved in .claude/settings.local.json.")).to_be_visible()
    reason = form.get_by_role("textbox", name="Reason")
    reason.click()
    notebook.page.keyboard.type("a banana, ddx 00 ii")
    notebook.page.keyboard.press("Enter")
    notebook.page.keyboard.type("and more")
    expect(reason).to_have_value("a banana, ddx 00 ii\nand more")
    form.get_by_role("button", name="Deny", exact=True).click()
    expect(form.get_by_text("Denied", exact=True)).to_be_visible()
    expect(form.get_by_role("button")).to_have_count(0)
    expect(form.get_by_text("a banana, ddx 00 ii and more")).not_to_have_count(0)
    expect(notebook.output(2).get_by_text("the next cell ran")).to_be_visible()
    expect(notebook.page.locator(".jp-Notebook-cell")).to_have_count(3)


@pytest.mark.parametrize("notebook", [BASH], indirect=True, ids=["bash"])
def test_an_edit_that_is_refused_can_be_mended_by_keyboard_alone(notebook: Notebook) -> None:
    form = notebook.output(1)
    form.get_by_role("button", name="Edit first").press("Enter")
    command = form.get_by_role("textbox", name="Changed input")
    command.fill("")
    form.get_by_role("button", name="Allow as edited").press("Space")
    expect(form.get_by_role("alert")).to_have_text("command is ''; wanted some text.")
    command.fill("git log -5")
    form.get_by_role("button", name="Allow as edited").press("Enter")
    expect(form.get_by_text("True  {'command': 'git log -5'}")).to_be_visible()
    expect(notebook.output(2).get_by_text("the next cell ran")).to_be_visible()


@pytest.mark.parametrize("notebook", [PLAN], indirect=True, ids=["plan"])
def test_a_plan_is_changed_and_approved(notebook: Notebook) -> None:
    form = notebook.output(1)
    expect(form.get_by_role("heading", name="Steps")).to_be_visible()
    form.get_by_role("button", name="Edit plan").click()
    form.get_by_role("textbox", name="Plan").fill("## Fewer steps")
    form.get_by_role("button", name="Approve and accept edits").click()
    expect(form.get_by_text("{'plan': '## Fewer steps'} acceptEdits")).to_be_visible()
    expect(form.get_by_text("Approved", exact=True)).to_be_visible()
    expect(notebook.output(2).get_by_text("the next cell ran")).to_be_visible()
