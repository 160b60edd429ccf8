"""What the turns took, asked for in a cell; and the gauge that completes a footer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kernel import Kernel
from tests.scripted_kernel import renew, scripted_kernel

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with scripted_kernel(tmp_path_factory.mktemp("kernel"), "- when: '*'\n  steps:\n    - say: Hello.\n") as kernel:
        yield kernel


def test_the_turns_of_a_session_are_plotted_and_bound_as_a_frame(kernel: Kernel) -> None:
    for prompt in ("first", "second"):
        assert kernel.run(f"%%claude\n{prompt}").status == "ok"

    shown = kernel.run("%claude usage")
    assert "$" not in shown.text
    assert "1. first: " in shown.text
    assert "2. second: " in shown.text
    assert "<svg" in shown.html

    bound = kernel.run("%claude usage main --into frame")
    has_pandas = kernel.run("import pandas").status == "ok"
    assert (bound.status == "ok") == has_pandas
    assert has_pandas or "pip install pandas" in bound.text


def test_a_session_that_is_not_there_is_said(kernel: Kernel) -> None:
    renew(kernel)

    assert "none yet" in kernel.run("%claude usage other").text


def test_the_footer_tells_how_much_of_the_context_is_used(kernel: Kernel) -> None:
    cell = kernel.run("%%claude\nhello")

    kernel.wait_until(lambda: "<meter" in cell.html, "the gauge")
    assert "$" not in cell.html.replace("<span>$</span>", "$")
    assert "context 0%" in cell.html
    assert "context" not in cell.text
