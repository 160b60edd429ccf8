"""Secrets that are planted everywhere, and a search for them through all that is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.agent import QUESTION
from tests.kernel import Kernel
from tests.scripted_kernel import answer, faulty_cli, scripted_kernel

pytestmark = [pytest.mark.agent, pytest.mark.kernel]

KEY = "sk-ant-planted-in-the-environment"
PLANTED = {
    "ANTHROPIC_API_KEY": KEY,
    "ANTHROPIC_AUTH_TOKEN": "planted-auth-4711",
    "ANTHROPIC_CUSTOM_HEADERS": "x-secret: planted-header-4711",
    "GITHUB_TOKEN": "planted-github-4711",
    "DATABASE_PASSWORD": "planted-database-4711",
}
KERNEL = "planted-variable-4711"
SCRIPT = f"""
- when: "*tell*"
  steps:
    - think: "I look at what there is."
    - say: "Words of the prompt and of the answer are planted-prose too."
    - use: {{tool: mcp__kernel__list_variables, input: {{}}}}
    - use: {{tool: mcp__kernel__inspect, input: {{name: service_token}}}}
    - use: {{tool: mcp__kernel__inspect, input: {{name: settings}}}}
    - use: {{tool: mcp__kernel__run_python, input: {{code: "raise ValueError(service_token)"}}}}
    - use: {{tool: Bash, input: {{command: "echo made", description: Say something}}}}
    - ask: {QUESTION}
    - say: "Thank you: {{last_result}}"
"""
SETUP = """
import logging

for level in ("INFO", "DEBUG"):
    handler = logging.FileHandler(level)
    handler.setLevel(level)
    logging.getLogger("askwidgets").addHandler(handler)

logging.getLogger("askwidgets").setLevel("DEBUG")
service_token = "planted-variable-" + "4711"
settings = {"password": service_token, "host": "localhost"}
allowed = {"allow": ["Bash", "mcp__kernel__run_python"]}
"""


def written(kernel: Kernel, folder: Path) -> dict[str, str]:
    """Give all that was drawn in the cells, and all that was written beside the CLI's own files and the script."""
    cells = {cell.code: json.dumps(cell.outputs, ensure_ascii=False) for cell in kernel.cells.values()}
    models = {"widgets": json.dumps([widget.state for widget in kernel.widgets.values()], default=str)}
    files = [path for path in folder.iterdir() if path.is_file() and path.name != "script.yaml"]

    return {**cells, **models, **{path.name: path.read_text("utf-8", errors="replace") for path in files}}


@pytest.mark.timeout(240)
def test_no_secret_is_in_outputs_recordings_exports_logs_or_errors(tmp_path: Path) -> None:
    with scripted_kernel(tmp_path, SCRIPT, environment=PLANTED, setup=SETUP) as kernel:
        kernel.run("%claude record turns.recording.yaml")
        kernel.run("raise RuntimeError(service_token[:7])")
        asking = kernel.execute("%%claude --answers allowed --into turn\ntell me of planted-prose")
        answer(kernel)
        assert kernel.finish(asking, timeout=60).status == "ok", asking.text
        assert "Thank you" in asking.text
        kernel.run("%claude export turns.md")
        kernel.run("%claude export turns.ipynb")
        kernel.run("%claude status\n%claude sessions\n%claude usage")
        kernel.run("%claude record off")
        kernel.run("import askwidgets; askwidgets.doctor()", timeout=60)

        cli = faulty_cli(tmp_path, "leak")
        kernel.run(f"%config ClaudeMagics.cli_path = {str(cli)!r}")
        failing = kernel.run("%%claude --new\ntell me", timeout=60)
        assert "my environment" in failing.text
        found = written(kernel, tmp_path)

    assert {"turns.recording.yaml", "turns.md", "turns.ipynb", "INFO", "DEBUG"} <= found.keys()
    assert "my environment" in found["DEBUG"]
    assert found["INFO"] == ""
    secrets = {*PLANTED.values(), "planted-header-4711", KERNEL}
    leaks = {(where, secret) for where, text in found.items() for secret in secrets if secret in text}
    assert leaks == set()
