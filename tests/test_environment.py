"""What the environment says of a run that nobody watches."""

from __future__ import annotations

import pytest

from askwidgets.environment import Environment, read_environment


def test_nothing_set_says_nothing() -> None:
    assert read_environment({"HOME": "/home/ada"}) == Environment()


def test_what_is_set_is_read() -> None:
    variables = {"ASKWIDGETS_ANSWERS": "a.yaml", "ASKWIDGETS_REPLAY": "r.yaml", "ASKWIDGETS_UNATTENDED": "1"}

    assert read_environment(variables) == Environment(answers="a.yaml", replay="r.yaml", unattended=True)


@pytest.mark.parametrize("value", ["", "0", "false", "No", " off "])
def test_a_no_is_a_no(value: str) -> None:
    assert not read_environment({"ASKWIDGETS_UNATTENDED": value}).unattended
