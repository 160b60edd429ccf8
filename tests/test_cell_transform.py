"""The input transform, in a real shell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell

from askwidgets.cell_transform import CellTransform

CELL = "%%claude --into turn\nWhich one?\n"
AWAITED = "await get_ipython().magics_manager.registry['ClaudeMagics'].turn('--into turn', 'Which one?\\n')\n"


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    transform = CellTransform(shell)
    transform.install()
    yield shell
    transform.remove()
    shell.reset()


def test_a_cell_of_ours_awaits(shell: InteractiveShell) -> None:
    assert shell.transform_cell(CELL) == AWAITED


def test_empty_lines_before_it_change_nothing(shell: InteractiveShell) -> None:
    assert shell.transform_cell(f"\n\n{CELL}") == AWAITED


def test_a_prompt_that_ends_in_a_question_mark_is_a_prompt(shell: InteractiveShell) -> None:
    assert shell.transform_cell("%%claude\nReally?") == (
        "await get_ipython().magics_manager.registry['ClaudeMagics'].turn('', 'Really?\\n')\n"
    )


def test_an_answer_that_ends_in_a_question_mark_is_an_answer(shell: InteractiveShell) -> None:
    assert shell.transform_cell("%claude answer What is SQLite?\nx = 1") == (
        "get_ipython().run_line_magic('claude', 'answer What is SQLite?')\nx = 1\n"
    )
    assert "pinfo" in shell.transform_cell("%claude?")


@pytest.mark.parametrize("cell", ["%%claudette\nx\n", "print(1)\n%%claude\n", "%%claude?", "# %%claude\n"])
def test_every_other_cell_stays_as_it_is(shell: InteractiveShell, cell: str) -> None:
    assert "ClaudeMagics" not in shell.transform_cell(cell)


@pytest.mark.parametrize(
    "cell", ["%claude wait", "if True:\n    %claude wait main\n", "async def work():\n    %claude wait\n"]
)
def test_a_wait_awaits(shell: InteractiveShell, cell: str) -> None:
    assert "await get_ipython().magics_manager.registry['ClaudeMagics'].wait('main')\n" in shell.transform_cell(cell)


@pytest.mark.parametrize(
    "cell",
    [
        "def work():\n    %claude wait\n",
        'text = """\n%claude wait\n"""\n',
        "%%bash\n%claude wait\n",
        "text = '%claude wait'\nif\n",
    ],
)
def test_what_cannot_await_or_is_no_magic_stays(shell: InteractiveShell, cell: str) -> None:
    assert "await" not in shell.transform_cell(cell)


def test_inside_a_running_cell_it_is_a_plain_call(shell: InteractiveShell) -> None:
    shell.run_cell("inner = get_ipython().transform_cell('%%claude\\nhello\\n')")

    assert shell.user_ns["inner"] == "get_ipython().run_cell_magic('claude', '', 'hello\\n')\n"
    assert "await" in shell.transform_cell(CELL)


def test_without_autoawait_it_is_a_plain_call(shell: InteractiveShell) -> None:
    shell.run_line_magic("autoawait", "off")

    assert "await" not in shell.transform_cell(CELL)


def test_removed_it_leaves_no_hook() -> None:
    shell = InteractiveShell()
    hooks = list(shell.input_transformers_cleanup), list(shell.input_transformers_post)
    callbacks = {name: list(functions) for name, functions in shell.events.callbacks.items()}
    transform = CellTransform(shell)
    transform.install()
    transform.remove()

    assert (shell.input_transformers_cleanup, shell.input_transformers_post) == hooks
    assert {name: list(functions) for name, functions in shell.events.callbacks.items()} == callbacks
