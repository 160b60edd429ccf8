"""What the README shows is run as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from askwidgets.answers import Answers
from tests.environments import REPOSITORY
from tests.kernel import Kernel
from tests.scripted_kernel import answer, scripted_kernel

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
STORE = "Which store should hold the sessions?"


def examples(language: str) -> list[str]:
    """Give the code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    script = (REPOSITORY / "askwidgets" / "demo.yaml").read_text(encoding="utf-8")

    with scripted_kernel(tmp_path, script) as kernel:
        yield kernel


def test_it_is_short_and_shows_code_early() -> None:
    lines = README.splitlines()

    assert len(lines) < 120
    assert next(number for number, line in enumerate(lines, 1) if line.startswith("```")) < 30


def test_its_pictures_are_there() -> None:
    pictures = re.findall(r'src(?:set)?="([^"]+)"', README)

    assert len(pictures) == 2
    assert all((REPOSITORY / picture).is_file() for picture in pictures)


def test_its_answers_file_parses() -> None:
    [text] = examples("yaml")

    assert Answers(yaml.load(text, Loader=yaml.BaseLoader)).unused == ("Which store*", "*")  # noqa: S506


@pytest.mark.kernel
def test_its_cells_run_in_a_notebook(kernel: Kernel) -> None:
    load, prompt, use = examples("ipython")
    assert kernel.run(load).status == "ok"
    cell = kernel.execute(prompt)
    answer(kernel)
    assert kernel.finish(cell).status == "ok", cell.text
    assert STORE in kernel.run(use).text


@pytest.mark.agent
@pytest.mark.kernel
def test_its_python_runs_without_the_magics(kernel: Kernel) -> None:
    [code] = examples("python")
    env = "get_ipython().magics_manager.registry['ClaudeMagics'].notebook.source.env()"
    code = code.replace("Session(ask", f"Session(env={env}, setting_sources=[], ask")
    cell = kernel.run(code)

    assert cell.status == "ok", cell.text
    assert STORE in kernel.value("turn.answers")
