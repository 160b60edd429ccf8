"""Every notebook of the repository, in fresh kernels with nobody there, by each tool that people run notebooks with."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import askwidgets
from tests.environments import REPOSITORY, isolated_variables

NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))

pytestmark = [pytest.mark.agent, pytest.mark.kernel, pytest.mark.timeout(300)]
each_notebook = pytest.mark.parametrize(
    "name",
    [path.stem if path.stem == "tour" else pytest.param(path.stem, marks=pytest.mark.matrix) for path in NOTEBOOKS],
)
"""By default the tour: the check of the notebooks runs every one of them once."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a copy of the notebooks, with all that lies beside them."""
    return Path(shutil.copytree(REPOSITORY / "notebooks", tmp_path / "notebooks"))


def variables(folder: Path, name: str) -> dict[str, str]:
    """Give the environment in which a notebook runs by itself: no person, and not this one's account."""
    answers = folder / f"{name}.answers.yaml"
    given = {"ASKWIDGETS_ANSWERS": str(answers)} if answers.exists() else {}
    return isolated_variables(folder.parent) | given


def run(folder: Path, name: str, *command: str) -> str:
    """Run a module of Python on the notebooks; gives what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=variables(folder, name),
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def executed(folder: Path, name: str) -> Mapping[str, object]:
    notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
    client.execute(env=variables(folder, name))
    return dict(notebook)


def texts(notebook: Mapping[str, object]) -> list[str]:
    """List the texts of all outputs; in how many pieces a stream came is up to the kernel's timing."""
    cells = notebook["cells"]
    assert isinstance(cells, Sequence)
    found: list[tuple[bool, str]] = []
    for output in (output for cell in cells for output in cell.get("outputs", ())):
        is_stream = output["output_type"] == "stream"
        text = "".join(output.get("text") or output.get("data", {}).get("text/plain") or "")
        if found and is_stream and found[-1][0]:
            found[-1] = True, found[-1][1] + text
        elif text:
            found.append((is_stream, text))

    return [text for _, text in found]


def decisions(notebook: Path | Mapping[str, object]) -> list[object]:
    return [(receipt["kind"], receipt["status"], receipt.get("questions")) for receipt in askwidgets.receipts(notebook)]


@each_notebook
def test_a_notebook_passes_under_nbval_twice_in_a_row(folder: Path, name: str) -> None:
    """B46."""
    command = ("pytest", "--nbval", "--nbval-current-env", "-p", "no:cacheprovider", f"{name}.ipynb")
    for _ in range(2):
        assert "passed" in run(folder, name, *command)


@pytest.mark.ci
@each_notebook
def test_a_notebook_run_by_nbclient_gives_what_it_holds(folder: Path, name: str) -> None:
    """B45."""
    saved = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))
    notebook = executed(folder, name)

    assert texts(notebook) == texts(saved)
    assert decisions(notebook) == decisions(saved)


@pytest.mark.ci
@each_notebook
def test_a_notebook_run_by_papermill_keeps_its_decisions(folder: Path, name: str) -> None:
    run(folder, name, "papermill", f"{name}.ipynb", "out.ipynb", "--cwd", str(folder), "--no-progress-bar")

    assert decisions(folder / "out.ipynb") == decisions(folder / f"{name}.ipynb")


@pytest.mark.ci
def test_parameters_of_papermill_reach_the_answers(folder: Path) -> None:
    options = ("--cwd", str(folder), "--no-progress-bar", "-p", "region", "south")
    run(folder, "ci", "papermill", "ci.ipynb", "out.ipynb", *options)

    assert "for the south team" in json.dumps(askwidgets.receipts(folder / "out.ipynb"))


@pytest.mark.ci
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            ("nbconvert", "--to", "notebook", "--execute", "--output", "out.ipynb", "tour.ipynb"),
            id="nbconvert",
            marks=pytest.mark.matrix,
        ),
        pytest.param(("jupyter", "execute", "--output=out.ipynb", "tour.ipynb"), id="jupyter-execute"),
    ],
)
def test_the_tour_runs_by_other_commands(folder: Path, command: tuple[str, ...]) -> None:
    """B45."""
    run(folder, "tour", *command)

    assert decisions(folder / "out.ipynb") == decisions(folder / "tour.ipynb")


@pytest.mark.ci
def test_a_recording_made_again_is_the_same_file(folder: Path) -> None:
    before = (folder / "ci.recording.yaml").read_bytes()
    executed(folder, "ci")

    assert (folder / "ci.recording.yaml").read_bytes() == before


def test_a_notebook_here_runs_where_pytest_has_nbval_alone() -> None:
    absent = [word for plugin in ("timeout", "xdist", "rerunfailures") for word in ("-p", f"no:{plugin}")]
    command = [sys.executable, "-m", "pytest", *absent, "--nbval", "--collect-only", "-q", "notebooks/ci.ipynb"]
    done = subprocess.run(command, cwd=REPOSITORY, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_notebook_opens_with_what_it_shows_and_holds_its_outputs() -> None:
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        assert notebook.cells[0].source.startswith("# "), path.name
        assert decisions(path), path.name
        assert str(REPOSITORY) not in path.read_text(encoding="utf-8"), path.name


def test_binder_installs_the_package_alone_and_opens_the_tour() -> None:
    """What Binder adds to Jupyter's command is what opens the tour."""
    binder = REPOSITORY / "binder"
    started = subprocess.run(
        [binder / "start", "printf", "%s\n"], check=True, capture_output=True, text=True
    ).stdout.splitlines()

    assert (binder / "requirements.txt").read_text(encoding="utf-8").split() == [".[lab]"]
    assert {line.partition("=")[2] for line in started} == {"/lab/tree/notebooks/tour.ipynb"}
