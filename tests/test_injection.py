"""Every payload in every place where text of a model or a tool is drawn: it shows as text, and is no command."""

from __future__ import annotations

import re

import pytest

from askwidgets.hidden import plain
from tests.payloads import ALL, active_parts
from tests.places import ERRORS, PLACES

SHORT = [payload for payload in ALL if len(payload) < 1_000]
OURS = re.compile(r"<(?:meter|progress)>|(?:role|tabindex|open|aria-[a-z]+|max|min|high|value)=")
"""Elements and attributes that do nothing, and that only we write."""
BARS = re.compile(r"<(?:svg|rect)>|(?:width|height|fill)=")
"""What the plot of a session's usage is drawn with."""


def harmful(html: str, ours: re.Pattern[str] = OURS) -> list[str]:
    """Give what of the HTML could do something."""
    return [part for part in active_parts(html) if not OURS.match(part) and not ours.match(part)]


@pytest.mark.parametrize("place", PLACES)
def test_an_output_holds_nothing_that_acts_and_its_text_commands_no_terminal(place: str) -> None:
    """B48."""
    found = set()

    for payload in SHORT:
        for bundle in PLACES[place](payload):
            html, text = str(bundle.get("text/html", "")), str(bundle.get("text/plain", ""))
            found |= {(payload, part) for part in harmful(html, BARS if place == "turn" else OURS)}
            found |= {(payload, text)} if plain(text) != text else set()

    assert {item for item in found if not item[1].startswith("<style>")} == set()


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_commands_no_terminal_and_can_be_sent(error: str) -> None:
    """B48."""
    for payload in ALL:
        made = ERRORS[error](payload)
        told = "\n".join(made._render_traceback_())
        assert plain(told) == told
        assert told.replace("script ://", "script://") == f"{type(made).__name__}: {made}"
        assert "javascript://" not in told
        assert str(made).encode().decode() == str(made)
