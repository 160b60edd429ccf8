"""The pytest plugin, with nbval and with another runner of notebooks, in a pytest of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest

pytest_plugins = ["pytester"]

SHOW = """
import os
from pathlib import Path

for name in ("UNATTENDED", "ANSWERS", "REPLAY"):
    print(name, Path(os.environ.get(f"ASKWIDGETS_{name}", "-")).name)
"""
DISPLAY = "from IPython.display import display\ndisplay({}, raw=True)"
NBVAL = ("--nbval", "--nbval-current-env", "-p", "no:cacheprovider")
RUNNER = """
import nbformat
import pytest
from nbclient import NotebookClient


class Notebook(pytest.Item):
    def runtest(self):
        notebook = nbformat.read(self.path, as_version=4)
        NotebookClient(notebook).execute()
        print(notebook.cells[0].outputs[0]["text"])


class NotebookFile(pytest.File):
    def collect(self):
        yield Notebook.from_parent(self, name="notebook")


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        return NotebookFile.from_parent(parent, path=file_path)
"""


def printed(text: str) -> list[dict[str, object]]:
    return [{"output_type": "stream", "name": "stdout", "text": text}]


def shown(bundle: Mapping[str, object]) -> list[dict[str, object]]:
    return [{"output_type": "display_data", "metadata": {}, "data": dict(bundle)}]


def save(path: Path, *cells: tuple[str, list[dict[str, object]]]) -> None:
    """Save a notebook as if it had been run."""
    made = [
        nbformat.v4.new_code_cell(source, outputs=[nbformat.from_dict(output) for output in outputs], execution_count=1)
        for source, outputs in cells
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)


def receipt(by: str, label: str = "SQLite") -> dict[str, object]:
    settled = "" if by == "person" else f" by {by}"
    return {
        "text/plain": f"Answered{settled}\n\nStore: Which store?\n  {label}",
        "text/html": f'<div class="ask-receipt">{by}</div>',
        "application/vnd.askwidgets.receipt+json": {"version": 1, "status": "Answered", "by": by},
    }


@pytest.mark.kernel
def test_each_notebook_runs_unattended_with_what_lies_beside_it(pytester: pytest.Pytester) -> None:
    (pytester.path / "one.answers.yaml").write_text("{}")
    (pytester.path / "one.recording.yaml").write_text("{}")
    save(
        pytester.path / "one.ipynb",
        (SHOW, printed("UNATTENDED 1\nANSWERS one.answers.yaml\nREPLAY one.recording.yaml\n")),
    )
    save(pytester.path / "two.ipynb", (SHOW, printed("UNATTENDED 1\nANSWERS -\nREPLAY -\n")))

    pytester.runpytest_subprocess(*NBVAL).assert_outcomes(passed=2)


@pytest.mark.kernel
def test_a_notebook_that_a_person_answered_compares_equal_and_another_answer_does_not(
    pytester: pytest.Pytester,
) -> None:
    """B46."""
    bundle = json.dumps(receipt("script"))
    save(
        pytester.path / "saved.ipynb",
        (DISPLAY.format(bundle), shown(receipt("person"))),
        (DISPLAY.format(bundle), shown(receipt("person", "Redis"))),
    )
    result = pytester.runpytest_subprocess(*NBVAL)

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*saved.ipynb::Cell 1*"])


@pytest.mark.ci
@pytest.mark.kernel
def test_a_notebook_that_fails_shows_what_was_decided_until_then(pytester: pytest.Pytester) -> None:
    save(
        pytester.path / "failing.ipynb",
        (DISPLAY.format(json.dumps(receipt("script"))), shown(receipt("script"))),
        ("1 / 0", []),
        (DISPLAY.format(json.dumps(receipt("script", "Redis"))), shown(receipt("script", "Redis"))),
    )
    result = pytester.runpytest_subprocess(*NBVAL)

    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*Decisions in failing.ipynb*", "Answered by script", "  SQLite"])
    result.stdout.no_fnmatch_line("  Redis")
    result.stdout.fnmatch_lines(["*There is no failing.recording.yaml beside it*"])


@pytest.mark.kernel
def test_of_a_notebook_that_fails_no_answer_is_called_unused(pytester: pytest.Pytester) -> None:
    (pytester.path / "failing.answers.yaml").write_text('"Which store?": SQLite\n')
    save(pytester.path / "failing.ipynb", ("1 / 0", []))
    result = pytester.runpytest_subprocess(*NBVAL)

    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*Answers that no notebook used*")


@pytest.mark.ci
@pytest.mark.kernel
def test_answers_that_no_question_matched_are_told_in_the_end(pytester: pytest.Pytester) -> None:
    bundle = receipt("script")
    data = {"version": 1, "status": "Answered", "questions": [{"question": "Which store?"}]}
    bundle["application/vnd.askwidgets.receipt+json"] = data
    (pytester.path / "asked.answers.yaml").write_text('"Which st*": SQLite\n"Which index*": none\n')
    save(pytester.path / "asked.ipynb", (DISPLAY.format(json.dumps(bundle)), shown(bundle)))
    result = pytester.runpytest_subprocess(*NBVAL)

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*Answers that no notebook used*", '*asked.answers.yaml, line 2*"Which index[*]".'])
    result.stdout.no_fnmatch_line("*Which st[*]*")


@pytest.mark.ci
@pytest.mark.kernel
def test_other_runners_of_notebooks_get_the_same_environment(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(RUNNER)
    (pytester.path / "one.answers.yaml").write_text("{}")
    save(pytester.path / "one.ipynb", (SHOW, []))
    result = pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*UNATTENDED 1", "ANSWERS one.answers.yaml", "REPLAY -"])


def test_where_no_notebook_is_run_nothing_is_loaded_and_nothing_is_said(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import os, sys

        def test_nothing():
            loaded = {"askwidgets.answers", "askwidgets.receipt", "claude_agent_sdk", "ipywidgets", "yaml"}
            assert loaded.isdisjoint(sys.modules)
            assert "ASKWIDGETS_UNATTENDED" not in os.environ
    """)
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-p", "no:nbval")

    result.assert_outcomes(passed=1)
    assert "askwidgets" not in result.stdout.str().replace(str(pytester.path), "").split("collected")[1]
