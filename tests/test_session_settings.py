"""What was typed is put over the defaults, within the limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from askwidgets.arguments import TurnArguments, parse_arguments
from askwidgets.errors import OptionError
from askwidgets.limits import Limit, Limits
from askwidgets.model_source import DemoSource
from askwidgets.session_options import SessionOptions, config_directory
from askwidgets.session_settings import new_session_options


@dataclass
class Settings:
    """The defaults of a person."""

    model: str = ""
    effort: str = ""
    mode: str = "default"
    cwd: str = ""
    cli_path: str = ""
    connect_timeout: float = 0.0
    setting_sources: Sequence[str] = ("user", "project")
    max_turns: int = 0
    max_budget_usd: float = 0.0
    session_store: str = ""
    file_checkpoints: bool = False
    limits: Limits = field(default_factory=Limits)


def options(line: str = "", settings: Settings | None = None, *, may_bypass: bool = False) -> SessionOptions:
    return new_session_options(parse_arguments(line), settings or Settings(), None, may_bypass=may_bypass)


def test_what_was_typed_goes_before_the_defaults() -> None:
    given = options("-m one --tools Read,Grep --max-turns 3", Settings(model="two", effort="low", max_turns=9))
    assert (given["model"], given["effort"], given["max_turns"]) == ("one", "low", 3)
    assert given["tools"] == ["Read", "Grep"]
    assert given["setting_sources"] == ["user", "project"]
    assert "cwd" not in given


def test_the_first_model_that_is_allowed_is_the_default() -> None:
    limits = Limits([Limit(source="x", models=["a*", "a1", "b"])])
    assert options(settings=Settings(limits=limits))["model"] == "a1"
    assert options("-m a2", Settings(limits=limits))["model"] == "a2"


@pytest.mark.parametrize(
    ("line", "settings"), [("--mode bypassPermissions", Settings()), ("", Settings(mode="bypassPermissions"))]
)
def test_bypass_is_refused_until_its_word_was_given(line: str, settings: Settings) -> None:
    """B29."""
    with pytest.raises(OptionError, match="mode bypassPermissions --without-asking"):
        options(line, settings)

    assert options(line, settings, may_bypass=True)["mode"] == "bypassPermissions"


def test_the_demo_has_a_directory_of_its_own_where_plans_are_looked_for() -> None:
    """B68."""
    demo = DemoSource()
    given = new_session_options(TurnArguments(), Settings(), demo, may_bypass=False)
    demo.close()
    assert config_directory(given) == Path(demo.env()["CLAUDE_CONFIG_DIR"])
    assert given["setting_sources"] == []
