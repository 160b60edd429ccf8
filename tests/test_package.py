"""What must hold for the package as a whole: its names, its imports, its sizes and what it ships."""

from __future__ import annotations

import ast
import graphlib
import re
import statistics
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import askwidgets
from tests.environments import REPOSITORY

PACKAGE = REPOSITORY / "askwidgets"
MODULES = sorted(PACKAGE.glob("*.py"))
TESTS = sorted((REPOSITORY / "tests").glob("test_*.py"))

PUBLIC = {
    "Answers",
    "AskWidgetsError",
    "QuestionForm",
    "Session",
    "Turn",
    "doctor",
    "load_ipython_extension",
    "nbval_sanitize",
    "receipts",
    "tool",
    "unload_ipython_extension",
    "wait",
}

OPTIONAL = {"asyncpg", "pandas", "pytest"}
"""Imported only where a person has them already: for a frame of theirs, in a test run of theirs."""

TOP_LEVEL = {"pyproject.toml", "askwidgets", "notebooks", "tests", "binder", "README.md", "LICENSE"}


def trees(paths: list[Path]) -> Iterator[tuple[Path, ast.Module]]:
    for path in paths:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def imported_names(tree: ast.Module) -> set[str]:
    """Every module imported anywhere in a file, in functions and under TYPE_CHECKING too."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}

    return names


def loaded_by(*modules: str) -> set[str]:
    """What Python has loaded after importing these modules and nothing else."""
    code = f"import sys, {', '.join(modules)}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=REPOSITORY)
    return set(done.stdout.split())


def test_the_public_names_are_the_documented_ones() -> None:
    assert set(askwidgets.__all__) == PUBLIC
    assert [name for name in askwidgets.__all__ if not hasattr(askwidgets, name)] == []
    assert set(dir(askwidgets)) >= PUBLIC


def test_the_version_is_that_of_the_installed_distribution() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", str(askwidgets.__getattr__("__version__")))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Widget'"):
        askwidgets.__getattr__("Widget")


def test_importing_the_package_loads_neither_the_sdk_nor_widgets() -> None:
    assert loaded_by("askwidgets").isdisjoint({"claude_agent_sdk", "ipywidgets", "IPython", "mcp"})


@pytest.mark.parametrize("module", ["extension", "questions", "answers", "markup", "receipt", "form", "model_server"])
def test_the_sdk_is_loaded_only_when_a_session_starts(module: str) -> None:
    assert loaded_by(f"askwidgets.{module}").isdisjoint({"claude_agent_sdk", "mcp"})


def test_no_module_imports_in_a_circle() -> None:
    names = {f"askwidgets.{path.stem}" for path in MODULES}
    graph = {f"askwidgets.{path.stem}": imported_names(tree) & names for path, tree in trees(MODULES)}

    assert len(list(graphlib.TopologicalSorter(graph).static_order())) >= len(MODULES)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="importlib.metadata reads no list of files there")
def test_every_library_that_is_imported_is_declared() -> None:
    requirements = [Requirement(line) for line in requires("askwidgets") or ()]
    always = [requirement for requirement in requirements if "extra" not in str(requirement.marker)]
    declared = {canonicalize_name(requirement.name) for requirement in always}
    imported = {name.split(".")[0] for _, tree in trees(MODULES) for name in imported_names(tree)}
    distributions = packages_distributions()
    missing = {
        name
        for name in imported - sys.stdlib_module_names - {"askwidgets"}
        if declared.isdisjoint(canonicalize_name(distribution) for distribution in distributions.get(name, [name]))
    }

    assert missing <= OPTIONAL


def test_the_floor_of_the_sdk_is_one_that_keeps_stdin_open_for_answers() -> None:
    """B31."""
    found = [Requirement(line) for line in requires("askwidgets") or ()]
    floor = next(each.specifier for each in found if each.name == "claude-agent-sdk")

    assert not floor.contains("0.2.188")


def test_every_module_says_what_it_is_for_and_what_it_offers() -> None:
    silent = [
        path.name
        for path, tree in trees(MODULES)
        if not ast.get_docstring(tree) or (path.name != "__main__.py" and "__all__ = " not in ast.unparse(tree))
    ]

    assert silent == []


def test_no_module_is_longer_than_400_lines() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}

    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_nine_functions_in_ten_have_at_most_35_lines() -> None:
    lengths = [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for _, tree in trees(MODULES)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]

    assert statistics.quantiles(lengths, n=10)[-1] <= 35


def test_no_test_fakes_what_it_tests_or_waits_by_the_clock() -> None:
    forbidden = {"unittest.mock", "mock", "time.sleep"}
    found = {path.name: imported_names(tree) & forbidden for path, tree in trees(TESTS)}
    sleeping = {path.name for path in TESTS if re.search(r"^\s*time\.sleep\(", path.read_text("utf-8"), re.MULTILINE)}

    assert ({name: names for name, names in found.items() if names}, sleeping) == ({}, set())


def test_the_top_level_holds_only_what_a_reader_expects() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout
    entries = {line.split("/")[0] for line in listed.splitlines()}

    assert {entry for entry in entries if not entry.startswith(".")} == TOP_LEVEL


def test_the_wheel_ships_everything_in_the_package(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True, cwd=REPOSITORY)
    (wheel,) = tmp_path.glob("*.whl")
    shipped = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("askwidgets/")}
    sources = {path.relative_to(REPOSITORY).as_posix() for path in PACKAGE.rglob("*") if path.is_file()}

    assert shipped == {name for name in sources if not re.search(r"/(\.|__pycache__)", name)}
    assert "askwidgets/py.typed" in shipped


def test_the_readme_is_short_and_shows_code_early() -> None:
    lines = (REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines()

    assert len(lines) < 120
    assert next(number for number, line in enumerate(lines, start=1) if line.startswith("```")) < 30
