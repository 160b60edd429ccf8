"""What Tab offers, by itself and in a real kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from askwidgets.completion import completions
from tests.scripted_kernel import scripted_kernel

SCRIPT = """
- when: "*greet*"
  steps:
    - say: "Hello there."
"""


class Given:
    """What there is in a notebook."""

    def words(self) -> Iterable[str]:
        """Give the words."""
        return ["mode", "model", "wait"]

    def sessions(self) -> Iterable[str]:
        """Give the sessions."""
        return ["main", "plots"]

    def modes(self) -> Iterable[str]:
        """Give the modes."""
        return ["default", "plan"]

    def models(self) -> Iterable[str]:
        """Give the models."""
        return ["opus", "sonnet"]

    def commands(self) -> Iterable[str]:
        """Give the slash commands."""
        return ["/compact", "/cost"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("%%claude --mo", ["--model", "--mode"]),
        ("%%claude -s ", ["main", "plots"]),
        ("%%claude --session p", ["plots"]),
        ("%%claude --mode p", ["plan"]),
        ("%%claude --mode plan -m o", ["opus"]),
        ("%%claude --effort h", ["high"]),
        ("%%claude --resume l", ["last"]),
        ("%%claude --into ", []),
        ("%%claude --answers my", []),
        ("%%claude\n/co", ["/compact", "/cost"]),
        ("%%claude\n/compact the", None),
        ("%%claude\nWhat is a/co", None),
        ("%claude mo", ["mode", "model"]),
        ("%claude mode ", ["default", "plan"]),
        ("%claude mode plan pl", ["plots"]),
        ("%claude model s", ["sonnet"]),
        ("%claude wait m", ["main"]),
        ("x = 1\n%claude wait p", ["plots"]),
        ("%claude resume ", ["last"]),
        ("%claude demo sc", []),
        ("claude.la", None),
        ("print('%%claude --mo", None),
    ],
)
def test_what_may_stand_there_is_offered(typed: str, offered: Sequence[str] | None) -> None:
    assert completions(typed, Given()) == offered


@pytest.mark.kernel
def test_a_kernel_completes_options_sessions_words_and_slash_commands(tmp_path: Path) -> None:
    with scripted_kernel(tmp_path, SCRIPT) as kernel:
        assert kernel.run("%%claude -s tale\nPlease greet me.").status == "ok"

        assert kernel.completions("%%claude --mod") == ["--mode", "--model"]
        assert kernel.completions("%%claude -s ta") == ["tale"]
        assert kernel.completions("%%claude --mode acc") == ["acceptEdits"]
        assert kernel.completions("%claude stat") == ["status"]
        assert len(kernel.completions("%%claude -m ")) > 1
        kernel.run("%config ClaudeMagics.allowed_models = ['o*']")
        assert kernel.completions("%%claude -m ") == ["opus"]
        assert kernel.completions("%%claude -s tale\n/comp") == ["/compact"]
        assert "/compact" in kernel.run("%claude commands tale").text

        kernel.run("%unload_ext askwidgets")
        assert "status" not in kernel.completions("%claude stat")
