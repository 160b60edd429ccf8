"""A notebook that a person answered in a frontend and saved, run again with nobody there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
import pytest

from tests.agent import QUESTION
from tests.cell import Cell
from tests.environments import isolated_variables
from tests.kernel import Kernel
from tests.scripted_kernel import answer

SCRIPT = f"""
- when: "ask*"
  steps:
    - say: "Some words first."
    - ask: {QUESTION}
    - use: {{tool: Bash, input: {{command: "touch made && echo made", description: Make a file}}}}
    - say: "You said: {{last_result}}"
"""
ANSWERS = '"Which store*": SQLite\nallow: ["Bash(touch made && echo made)"]\n'


def saved(path: Path, cells: Sequence[Cell]) -> None:
    """Save cells as a frontend does."""
    made = []
    for cell in cells:
        outputs = [{key: value for key, value in output.items() if key != "transient"} for output in cell.outputs]
        made.append(
            nbformat.v4.new_code_cell(cell.code, outputs=list(map(nbformat.from_dict, outputs)), execution_count=1)
        )

    nbformat.write(nbformat.v4.new_notebook(cells=made), path)


@pytest.mark.ci
@pytest.mark.timeout(300)
@pytest.mark.agent
@pytest.mark.kernel
def test_a_notebook_saved_by_hand_passes_under_nbval_twice_in_a_row(tmp_path: Path) -> None:
    """B46."""
    (tmp_path / "script.yaml").write_text(SCRIPT, encoding="utf-8")
    with Kernel.started(sys.executable, tmp_path, environment={"IS_SANDBOX": "1"}) as kernel:
        kernel.run("%load_ext askwidgets\n%claude demo script.yaml")
        asking = kernel.execute("%%claude --into turn\nask me")
        answer(kernel)
        kernel.click(kernel.widget(description="Allow once"))
        kernel.finish(asking)
        kernel.run("print(turn.answers)")
        cells = list(kernel.cells.values())

    assert [cell.status for cell in cells] == ["ok"] * 3
    assert "Answered\n" in asking.text
    assert "by script" not in asking.text
    saved(tmp_path / "saved.ipynb", cells)
    (tmp_path / "saved.answers.yaml").write_text(ANSWERS, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--nbval",
        "--nbval-current-env",
        "-p",
        "no:cacheprovider",
        "saved.ipynb",
    ]
    variables = isolated_variables(tmp_path / "home") | {"IS_SANDBOX": "1", "PATH": os.environ["PATH"]}
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, env=variables, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
