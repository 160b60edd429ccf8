"""Runs the same checks on every kernel that we support, and prints the table: ``python -m tests.matrix [part ...]``.

A part of a row's name picks rows, as in ``python -m tests.matrix "ipykernel 7.4.0" "Python 3.13"``: rows that hold
every part. Each environment is made on first use and kept (``tests/environments.py``).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.agent import ASKS, GREETS
from tests.environments import Environment
from tests.kernel import Kernel

__all__ = ["CHECKS", "Row", "main", "rows", "table"]

SCRIPT = ASKS + GREETS
READ = 'Your questions have been answered: "Which store should hold sessions?"="SQLite"'
ASK = "%%claude --into turn\nPlease ask me."
GREET = "%%claude --into greeting\nPlease greet me."
SYNCHRONOUS = "def run():\n    get_ipython().run_cell_magic('claude', '--into turn', 'Please ask me.')\nrun()"

KERNELS = ("6.29.5", "6.31.0", "7.0.1", "7.2.0", "7.3.0", "7.4.0")
PYTHONS = ("3.10", "3.11", "3.12", "3.13")
NO_SUBSHELLS = "-"
"""What the table says of a check that the kernel has no way for."""

Check = Callable[[Kernel], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One environment of the table."""

    ipykernel: str
    ipython: int
    """The major version."""
    python: str

    def __str__(self) -> str:
        return f"ipykernel {self.ipykernel}, IPython {self.ipython}, Python {self.python}"

    @property
    def environment(self) -> Environment:
        """The virtual environment with all of it."""
        return Environment(ipykernel=self.ipykernel, python=self.python, requirements=(f"ipython<{self.ipython + 1}",))

    @property
    def has_subshells(self) -> bool:
        """Whether comm messages can be sent over a subshell."""
        return int(self.ipykernel.split(".")[0]) >= 7

    def results(self) -> dict[str, str]:
        """Run every check: ``yes``, ``no`` or that there is nothing to run."""
        with tempfile.TemporaryDirectory() as folder:
            return dict(_results(self, Path(folder)))


def rows() -> list[Row]:
    """List the environments: every kernel with every IPython on every Python, where these combine."""
    return [
        Row(ipykernel=ipykernel, ipython=ipython, python=python)
        for ipykernel in KERNELS
        for python in PYTHONS
        for ipython in (8, 9)
        if python != "3.10" or (ipython == 8 and ipykernel != "7.4.0")
    ]


def table(results: Mapping[Row, Mapping[str, str]]) -> str:
    """Give the results as a table in Markdown; rows that differ in their Python alone are one."""
    lines = [
        ["ipykernel", "IPython", "Python", *CHECKS],
        ["---"] * (3 + len(CHECKS)),
    ]
    merged: dict[tuple[str, int, tuple[str, ...]], list[str]] = {}

    for row, found in results.items():
        merged.setdefault((row.ipykernel, row.ipython, tuple(found.values())), []).append(row.python)

    lines += [
        [ipykernel, str(ipython), ", ".join(pythons), *found] for (ipykernel, ipython, found), pythons in merged.items()
    ]

    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rows named, all by default, and give 0 if every check passed."""
    parser = argparse.ArgumentParser(prog="python -m tests.matrix", description="Run the checks on every kernel.")
    parser.add_argument("parts", nargs="*", metavar="part", help="run only rows whose name holds this")
    parts = parser.parse_args(arguments).parts
    results: dict[Row, Mapping[str, str]] = {}

    for row in rows():
        if all(part in str(row) for part in parts):
            results[row] = row.results()
            print(f"{row}: {', '.join(f'{check} {found}' for check, found in results[row].items())}", flush=True)  # noqa: T201

    print(f"\n{table(results)}")  # noqa: T201

    return int(any("no" in found.values() for found in results.values()))


def _results(row: Row, folder: Path) -> Iterator[tuple[str, str]]:
    with ExitStack() as stack:
        kernels: dict[bool, Kernel] = {}

        for number, (name, (check, over_subshell)) in enumerate(CHECKS.items()):
            if over_subshell and not row.has_subshells:
                yield name, NO_SUBSHELLS
                continue

            try:
                if over_subshell not in kernels:
                    home = folder / f"{number}"
                    kernels[over_subshell] = stack.enter_context(
                        _started(row.environment.interpreter(), home, over_subshell)
                    )

                check(kernels[over_subshell])
            except Exception:  # noqa: BLE001 - whatever fails, the others are run
                traceback.print_exc()
                # The kernel may be stuck: the checks that follow get one of their own.
                kernels.pop(over_subshell, None)
                yield name, "no"
            else:
                yield name, "yes"


@contextmanager
def _started(interpreter: Path, folder: Path, over_subshell: bool) -> Iterator[Kernel]:  # noqa: FBT001 - a key too
    folder.mkdir()
    (folder / "script.yaml").write_text(SCRIPT)

    with Kernel.started(interpreter, folder, over_subshell=over_subshell) as kernel:
        started = kernel.run("%load_ext askwidgets\n%claude demo script.yaml")
        assert started.status == "ok", started.text
        yield kernel


def _answer(kernel: Kernel) -> None:
    """Pick SQLite and submit, as soon as that can be done."""
    radios = kernel.widget(lambda widget: any("SQLite" in label for label in widget.state["_options_labels"]))
    kernel.set_state(radios, index=1)
    kernel.click(kernel.widget(description="Submit answers", disabled=False))


def _single_select(kernel: Kernel) -> None:
    asking = kernel.execute(ASK)
    following = kernel.execute("print(turn.text)")
    _answer(kernel)

    assert kernel.finish(asking).status == "ok", asking.text
    assert READ in kernel.finish(following).text


def _interrupt(kernel: Kernel) -> None:
    asking = kernel.execute(ASK)
    kernel.widget(description="Submit answers")
    kernel.interrupt()

    assert "Interrupted" in kernel.finish(asking, timeout=10).text
    assert kernel.run(GREET).status == "ok"
    assert kernel.value("greeting.text") == "'Hello there.'"


def _background(kernel: Kernel) -> None:
    asking = kernel.run(ASK.replace("--into", "-b --into"))
    assert asking.status == "ok", asking.text
    assert kernel.value("6 * 7") == "42"
    _answer(kernel)

    assert kernel.run("%claude wait").status == "ok"
    assert READ in kernel.value("turn.text")
    assert "Answered" in asking.text


def _synchronous(kernel: Kernel) -> None:
    asking = kernel.execute(SYNCHRONOUS)
    kernel.wait_until(lambda: asking.stdin_prompts, "a question on stdin")
    kernel.reply_to_stdin("2")

    assert kernel.finish(asking).status == "ok", asking.text
    assert READ in kernel.value("turn.text")


CHECKS: Mapping[str, tuple[Check, bool]] = {
    "answered while the cell runs": (_single_select, False),
    "answered over a subshell": (_single_select, True),
    "interrupt": (_interrupt, False),
    "background": (_background, False),
    "synchronous": (_synchronous, False),
}
"""Each check, and whether comm messages go over a subshell."""


if __name__ == "__main__":
    sys.exit(main())
