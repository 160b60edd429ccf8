"""Which questions of a turn are to be asked once more."""

from __future__ import annotations

import pytest
import yaml

from askwidgets.past_question import unheard_question
from askwidgets.turn import ToolUse, Turn
from tests.agent import QUESTION


@pytest.mark.parametrize(
    ("result", "is_unheard"),
    [
        ("Answer questions?", True),
        ("Permission to use AskUserQuestion has been denied because Claude Code is running in don't ask mode.", True),
        (
            "<tool_use_error>InputValidationError: AskUserQuestion failed due to the following issue</tool_use_error>",
            False,
        ),
    ],
)
def test_a_call_that_the_model_has_to_mend_is_not_asked_late(result: str, is_unheard: bool) -> None:  # noqa: FBT001
    use = ToolUse(id="1", name="AskUserQuestion", input=yaml.safe_load(QUESTION), result=result, is_error=True)

    assert (unheard_question(Turn(prompt="ask", tool_uses=(use,))) is not None) is is_unheard
