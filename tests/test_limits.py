"""What an administrator locks: read from system-wide files, and never widened by a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets import TraitError
from traitlets.config import Config

from askwidgets.cell_transform import CellTransform
from askwidgets.errors import OptionError
from askwidgets.limits import Limit, Limits, read_limits
from askwidgets.magics import ClaudeMagics
from askwidgets.permissions import Decision, PermissionRequest, Rule, Suggestion

LOCKED = Limit(
    source="/etc/ipython/ipython_config.py", modes=["plan"], models=["claude-a1", "claude-b*"], offer_always=False
)
RULE = Suggestion(kind="rules", rules=(Rule(tool_name="Read"),))


def mode_suggestion(mode: str) -> Suggestion:
    return Suggestion(kind="mode", mode=mode)


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    yield shell
    shell.reset()


def magics(shell: InteractiveShell, locked: Sequence[Limit] = (LOCKED,), **configured: object) -> ClaudeMagics:
    """Register the magics of a person who has configured something."""
    shell.config = Config(ClaudeMagics=configured)
    magics = ClaudeMagics(shell, locked)
    shell.register_magics(magics)
    return magics


def write(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "ipython_config.py").write_text(text)
    return folder


def test_the_files_of_all_system_directories_count(tmp_path: Path) -> None:
    one = write(tmp_path / "one", "c = get_config()\nc.ClaudeMagics.allowed_modes = ['plan']\n")
    two = write(tmp_path / "two", "c.ClaudeMagics.offer_always_allow = False\nc.ClaudeMagics.allowed_models = ['x*']\n")
    limits = read_limits([one, tmp_path / "none", two])
    assert limits == [
        Limit(source=str(one / "ipython_config.py"), modes=("plan",)),
        Limit(source=str(two / "ipython_config.py"), models=("x*",), offer_always=False),
    ]


def test_a_list_that_is_appended_to_counts(tmp_path: Path) -> None:
    (limit,) = read_limits([write(tmp_path / "one", "c.ClaudeMagics.allowed_modes.extend(['plan', 'acceptEdits'])\n")])
    assert limit.modes == ("plan", "acceptEdits")


def test_a_file_that_speaks_of_something_else_is_not_run(tmp_path: Path) -> None:
    folder = write(tmp_path / "one", "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n")
    assert read_limits([folder]) == []
    assert not (folder / "ran").exists()


@pytest.mark.parametrize("line", ["c.ClaudeMagics.allowed_modes = 'plan'", "c.ClaudeMagics.allowed_modes = [", "1 / 0"])
def test_a_file_that_cannot_be_read_lets_nothing_pass(line: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="system-wide configuration"):
        read_limits([write(tmp_path / "one", f"# ClaudeMagics\n{line}\n")])


def test_what_one_limit_leaves_out_is_not_allowed() -> None:
    limits = Limits([LOCKED, Limit(source="own", modes=["plan", "acceptEdits"], models=["claude-b2"])])
    assert [mode for mode in ("default", "plan", "acceptEdits", "bypassPermissions") if limits.allows_mode(mode)] == [
        "default",
        "plan",
    ]
    assert [name for name in ("claude-a1", "claude-b2", "claude-b3", "") if limits.allows_model(name)] == ["claude-b2"]
    assert limits.model == "claude-b2"
    assert not limits.offer_always


def test_without_limits_all_is_allowed() -> None:
    limits = Limits()
    limits.check_mode("bypassPermissions")
    limits.check_model(None)
    assert limits.offer_always
    assert limits.model == ""


def test_an_error_says_what_is_allowed_and_who_set_that() -> None:
    with pytest.raises(
        OptionError, match=r"wanted one of default, plan; /etc/ipython/ipython_config.py allows no other"
    ):
        Limits([LOCKED]).check_mode("acceptEdits")

    with pytest.raises(OptionError, match=r"wanted one of claude-a1, claude-b\*; /etc"):
        Limits([LOCKED]).check_model("gpt")


def test_no_suggestion_and_no_decision_goes_past_the_limits() -> None:
    modes = tuple(map(mode_suggestion, ("acceptEdits", "plan", "bypassPermissions")))
    request = PermissionRequest(tool_name="Write", input={}, suggestions=(*modes, RULE))
    assert Limits().within(request).suggestions == (*modes[:2], RULE)
    assert Limits([LOCKED]).within(request).suggestions == (modes[1], RULE)
    decision = Decision(allow=True, suggestions=(*modes, RULE), mode="acceptEdits")
    assert Limits().narrowed(decision) == Decision(allow=True, suggestions=(*modes[:2], RULE), mode="acceptEdits")
    assert Limits([LOCKED]).narrowed(decision) == Decision(allow=True)


def test_a_persons_own_configuration_narrows_and_never_widens(shell: InteractiveShell) -> None:
    limits = magics(shell, allowed_modes=["plan", "bypassPermissions"], offer_always_allow=True).limits
    assert limits.allows_mode("plan")
    assert not limits.allows_mode("bypassPermissions")
    assert not limits.offer_always
    assert not magics(shell, allowed_models=["claude-b1"]).limits.allows_model("claude-a1")


@pytest.mark.parametrize(
    ("name", "narrow", "wide"),
    [
        ("allowed_modes", ["plan"], ["plan", "acceptEdits"]),
        ("allowed_modes", ["default"], []),
        ("allowed_models", ["claude-b2*"], ["claude-*"]),
        ("allowed_models", ["claude-a1"], []),
        ("offer_always_allow", False, True),
    ],
)
def test_what_is_locked_cannot_be_widened_at_run_time(
    name: str, narrow: object, wide: object, shell: InteractiveShell, caplog: pytest.LogCaptureFixture
) -> None:
    own = magics(shell, offer_always_allow=False)
    setattr(own, name, narrow)
    with pytest.raises(TraitError, match=f"{name} is locked by /etc/ipython/ipython_config.py"):
        setattr(own, name, wide)

    shell.run_cell(f"%config ClaudeMagics.{name} = {wide!r}")
    assert f"{name} is locked by /etc/ipython/ipython_config.py" in caplog.text
    assert getattr(own, name) == narrow


@pytest.mark.agent
def test_a_cell_and_a_line_are_refused_what_is_locked(shell: InteractiveShell, tmp_path: Path) -> None:
    own = magics(shell, cwd=str(tmp_path))
    own.transform = CellTransform(shell)
    with capture_output(display=False) as captured:
        for cell in (
            "%claude demo",
            "%%claude --mode acceptEdits\nhello",
            "%%claude -m gpt\nhello",
            "%%claude\nhello",
            "%claude mode acceptEdits",
            "%claude model gpt",
            "%claude mode bypassPermissions --without-asking",
            "%claude model",
        ):
            shell.run_cell(cell)

    own.close()
    said = captured.stdout + captured.stderr
    assert said.count("/etc/ipython/ipython_config.py allows no other") == 5
    assert "Session main uses claude-a1." in said
