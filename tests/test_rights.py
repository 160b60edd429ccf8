"""What loading the extension and a turn are allowed to touch: nothing that the person has not clicked for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from claude_agent_sdk import PermissionResult, PermissionResultAllow
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.kernel_context import KernelContext
from askwidgets.permissions import ALWAYS_ASK, Decision, PermissionRequest
from askwidgets.session_options import agent_options
from tests.agent import scripted_model, scripted_session
from tests.environments import isolated_variables

LOADING = """
import json, os, sys

writes = []

def audit(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, str) and (flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) and path != os.devnull:
            writes.append(path)
    elif event in {"subprocess.Popen", "socket.bind", "socket.connect", "os.mkdir", "os.rename", "os.remove"}:
        writes.append(f"{event} {arguments!r}")

from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
shell.run_cell("1")
sys.addaudithook(audit)
shell.run_line_magic("load_ext", "askwidgets")
shell.magics_manager.registry["ClaudeMagics"].notebook
loaded = list(writes)
shell.run_line_magic("unload_ext", "askwidgets")
print(json.dumps(loaded))
"""
SCRIPT = """
- when: "*edit*"
  steps:
    - use: {tool: Bash, input: {command: "touch made", description: Make a file}}
    - use: {tool: Write, input: {file_path: "{cwd}/notes.txt", content: "x"}}
    - say: "Done."
"""


def tree(folder: Path) -> dict[str, int]:
    """Give every file below a folder with its time of change."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_loading_the_extension_writes_nothing_and_starts_nothing(tmp_path: Path) -> None:
    variables = {**isolated_variables(tmp_path), "PYTHONDONTWRITEBYTECODE": "1", "IPYTHON": "1"}
    command = [sys.executable, "-c", LOADING]
    before = tree(tmp_path)
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True)

    assert json.loads(done.stdout.splitlines()[-1]) == []
    changed = {name for name in tree(tmp_path).keys() - before.keys() if "history" not in name}
    assert {name for name in changed if not name.startswith("ipython")} == set()


def test_nothing_that_asks_is_ever_allowed_beforehand(tmp_path: Path) -> None:
    async def can_use_tool(*_: object) -> PermissionResult:
        return PermissionResultAllow()

    kernel = KernelContext(InteractiveShell()).options("main")["allowed_tools"]
    assert set(kernel) == {"mcp__kernel__list_variables", "mcp__kernel__inspect"}
    options = agent_options(
        {"allowed_tools": [*kernel, *ALWAYS_ASK, "Read"], "cwd": tmp_path},
        cli=tmp_path,
        can_use_tool=can_use_tool,
        hooks={},
        stderr=print,
    )
    assert options.allowed_tools == [*kernel, "Read"]


@pytest.mark.agent
@pytest.mark.anyio
async def test_no_settings_file_is_made_by_what_is_allowed_once_or_for_a_session(tmp_path: Path) -> None:
    async def allow(request: PermissionRequest) -> Decision:
        return Decision(allow=True, for_session=request.tool_name == "Bash")

    with scripted_model(SCRIPT.replace("{cwd}", str(tmp_path))) as server:
        async with scripted_session(server, tmp_path, setting_sources=["user", "project", "local"]) as session:
            await session.prompt("edit", permit=allow)

    made = {Path(name).name for name in tree(tmp_path)}
    assert "made" in made
    assert {name for name in made if name.startswith("settings")} == set()
