"""A permission and a plan of a turn, decided in the cell that runs it: JupyterLab in Chromium, the real CLI."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Lab, Notebook

pytestmark = pytest.mark.browser

SCRIPT = """
- - say: "Let me count first."
  - use: {tool: Bash, input: {command: "echo 3 > count.txt", description: "Count"}}
  - say: "I have counted."
"""
DEMO = "%load_ext askwidgets\n%claude demo script.yaml"
RUN = "%%claude --into turn\nPlease count."
# A model that finds the place of its plan file in what it is told, as a script cannot.
PLANNER = """
import os
from askwidgets.model_server import ModelServer
from askwidgets.reply import ToolUse
from tests.test_permission_agent import Planner

write = ToolUse(tool="Write", input={"file_path": os.path.abspath("count.txt"), "content": "3"})
server = ModelServer(Planner(["## Steps\\n1. Count"], [write]))
server.start()
os.environ.update(server.env(os.path.abspath("config")))
%load_ext askwidgets
"""
PLAN = "%%claude --mode plan --into turn\nPlan it."
NEXT = "%claude mode"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    with Lab.started(tmp_path_factory.mktemp("lab"), environment=environment) as lab:
        (lab.notebooks / "script.yaml").write_text(SCRIPT)
        yield lab


@pytest.fixture
def notebook(lab: Lab, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Notebook]:
    """Open a notebook whose second cell asks, run up to its form."""
    name = f"{request.node.name}.ipynb"
    (lab.notebooks / "count.txt").unlink(missing_ok=True)
    lab.write(name, [*request.param, NEXT])
    with lab.opened(browser, name) as notebook:
        notebook.run_all()
        yield notebook


@pytest.mark.parametrize("notebook", [(DEMO, RUN)], indirect=True, ids=["bash"])
def test_a_command_runs_once_it_is_allowed_and_its_receipt_stays(notebook: Notebook) -> None:
    output, file = notebook.output(1), notebook.path.parent / "count.txt"
    expect(output.get_by_role("heading", name="Claude wants to run a command")).to_be_visible()
    expect(output.get_by_text("mode default", exact=True)).to_be_visible()
    notebook.screenshot("permission-asks")
    assert not file.exists()
    output.get_by_role("button", name="Allow once").click()
    notebook.wait_for_end(1)
    expect(output.get_by_text("Allowed", exact=True)).to_be_visible()
    expect(output.get_by_text("I have counted.")).to_be_visible()
    expect(output.get_by_text("mode default", exact=True)).to_have_count(0)
    expect(notebook.output(2).get_by_text("Session main is in mode default.")).to_be_visible()
    assert file.read_text() == "3\n"
    notebook.screenshot("permission-allowed")
    outputs = notebook.saved().cells[1].outputs
    assert not [kept for kept in outputs if "application/vnd.jupyter.widget-view+json" in kept.get("data", {})]
    assert [kept for kept in outputs if str(kept.get("data", {}).get("text/plain", "")).startswith("Allowed")]


@pytest.mark.parametrize("notebook", [(PLANNER, PLAN)], indirect=True, ids=["plan"])
def test_a_plan_is_approved_with_its_edits_and_the_mode_follows(notebook: Notebook) -> None:
    """B68."""
    output = notebook.output(1)
    expect(output.get_by_role("heading", name="Steps")).to_be_visible()
    expect(output.get_by_text("mode plan", exact=True)).to_be_visible()
    notebook.screenshot("plan-asks")
    output.get_by_role("button", name="Approve and accept edits").click()
    notebook.wait_for_end(1)
    expect(output.get_by_text("Approved", exact=True)).to_be_visible()
    expect(notebook.output(2).get_by_text("Session main is in mode acceptEdits.")).to_be_visible()
    assert (notebook.path.parent / "count.txt").read_text() == "3"
    notebook.screenshot("plan-approved")
