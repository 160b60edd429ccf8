"""What the installed SDK and CLI make of each way of answering: the sentence that the model reads.

All that is sent elsewhere rests on these rows. One that fails names what the CLI has changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest
from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    PermissionResult,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    ToolPermissionContext,
)

from askwidgets.cli import ENVIRONMENT
from tests.agent import scripted_model

pytestmark = [pytest.mark.agent, pytest.mark.anyio]

Input = Mapping[str, object]

STORE, CHECKS, BINS = "Which store?", "Which checks?", "How many bins?"
ASKED: Mapping[str, Input] = {
    STORE: {
        "question": STORE,
        "header": "Store",
        "multiSelect": False,
        "options": [
            {"label": "Redis", "description": "in memory", "preview": "import redis"},
            {"label": "SQLite", "description": "one file", "preview": "import sqlite3"},
        ],
    },
    CHECKS: {
        "question": CHECKS,
        "header": "CI",
        "multiSelect": True,
        "options": [{"label": "lint", "description": "a"}, {"label": "types, strict", "description": "b"}],
    },
    BINS: {"question": BINS, "header": "Bins", "kind": "number", "min": 1, "max": 100, "unit": "bins"},
}
ANSWERED, SAID = "^Your questions have been answered: ", "^The user answered: (?s:.*)Read the answers carefully"
NOTHING = "^The user did not answer the questions"
REFUSED = "^<tool_use_error>.*failed schema validation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the contract."""

    sent: str
    """What is sent, in words."""
    reads: str
    """A pattern of what the model reads."""
    give: Callable[[Input], PermissionResult]
    asked: Sequence[str] = (STORE,)
    never: str = ""
    """A pattern of what the model must not read."""


def with_(**fields: object) -> Callable[[Input], PermissionResult]:
    """Allow, with these fields beside the input's own."""
    return lambda given: PermissionResultAllow(updated_input={**given, **fields})


def fail(_given: Input) -> PermissionResult:
    """Raise, as a callback should never."""
    message = "out of luck"
    raise LookupError(message)


def answers(**more: object) -> Callable[[Input], PermissionResult]:
    """Allow, with an answer to the question about the store and further fields."""
    return with_(answers={STORE: "SQLite"}, **more)


ROWS = (
    Row(sent="exact labels by question text", reads=f'{ANSWERED}"Which store\\?"="SQLite"', give=answers()),
    Row(sent="a plain allow", reads=NOTHING, give=lambda _: PermissionResultAllow()),
    Row(sent="the input without answers", reads=NOTHING, give=with_()),
    Row(sent="no answers", reads=NOTHING, give=with_(answers={})),
    Row(sent="an empty answer", reads=NOTHING, give=with_(answers={STORE: ""})),
    Row(sent="answers by header", reads=NOTHING, give=with_(answers={"Store": "SQLite"})),
    Row(sent="one answer of two", reads=ANSWERED, give=answers(), asked=(STORE, BINS), never=BINS),
    Row(
        sent="labels of a multi-select, one JSON-quoted",
        reads=f"{ANSWERED}.*types, strict",
        give=with_(answers={CHECKS: '"types, strict", lint'}),
        asked=(CHECKS,),
    ),
    Row(
        sent="labels of a multi-select, joined bare",
        reads=SAID,
        give=with_(answers={CHECKS: "types, strict, lint"}),
        asked=(CHECKS,),
    ),
    Row(
        sent="labels of a multi-select as an array",
        reads='="lint,types, strict"',
        give=with_(answers={CHECKS: ["lint", "types, strict"]}),
        asked=(CHECKS,),
    ),
    Row(sent="own words to a single-select", reads=SAID, give=with_(answers={STORE: "a file per day"})),
    Row(
        sent="the preview of what is picked",
        reads='="SQLite" selected preview:\nimport sqlite3',
        give=answers(annotations={STORE: {"preview": "import sqlite3"}}),
    ),
    Row(sent="a note", reads='="SQLite" notes: soon', give=answers(annotations={STORE: {"notes": "soon"}})),
    Row(
        sent="a note alone",
        reads=r"=\(no option selected\) notes: soon",
        give=with_(answers={}, annotations={STORE: {"notes": "soon"}}),
    ),
    Row(
        sent="a skipped question beside an answer",
        reads=ANSWERED,
        give=answers(annotations={BINS: {"unanswered": "skipped"}}),
        asked=(STORE, BINS),
        never="skipped",
    ),
    Row(sent="a response alone", reads="^The user responded: Why", give=with_(response="Why")),
    Row(sent="a response and answers", reads="^The user responded: Why", give=answers(response="Why"), never="SQLite"),
    Row(sent="a blank response", reads=ANSWERED, give=answers(response=" ")),
    Row(
        sent="answers and the wish for more questions",
        reads='^The user asked for more questions .*So far they answered: .*SQLite.*They also wrote: "Why"',
        give=answers(response="Why", followUp=True),
    ),
    Row(sent="a number in its bounds", reads=f"{ANSWERED}.*30", give=with_(answers={BINS: "30"}), asked=(BINS,)),
    Row(sent="a number with its unit", reads=SAID, give=with_(answers={BINS: "30 bins"}), asked=(BINS,)),
    Row(sent="a number out of its bounds", reads=SAID, give=with_(answers={BINS: "300"}), asked=(BINS,)),
    Row(sent="an answer that is no text", reads=REFUSED, give=with_(answers={STORE: 5})),
    Row(sent="an annotation that is no object", reads=REFUSED, give=answers(annotations={STORE: "soon"})),
    Row(
        sent="answers without the questions",
        reads=REFUSED,
        give=lambda _: PermissionResultAllow(updated_input={"answers": {STORE: "SQLite"}}),
    ),
    Row(sent="afkTimeoutMs", reads="did not accept the report", give=answers(afkTimeoutMs=1000), never=ANSWERED),
    Row(
        sent="an unknown annotation and an answer to what was not asked",
        reads=ANSWERED,
        give=with_(answers={STORE: "SQLite", "Why?": "stray"}, annotations={STORE: {"mood": "stray"}}),
        never="stray",
    ),
    Row(sent="a denial", reads="^Not now\\.$", give=lambda _: PermissionResultDeny(message="Not now.")),
    Row(sent="nothing: the callback raises", reads="^Tool permission request failed: .*out of luck", give=fail),
)
"""Section by section what a host can send, and what comes of it."""


async def test_the_model_reads_of_each_way_of_answering_what_is_built_upon(tmp_path: Path) -> None:
    left = iter(ROWS)

    async def can_use_tool(_name: str, given: dict[str, object], _: ToolPermissionContext) -> PermissionResult:
        return next(left).give(given)

    turns = [[{"ask": {"questions": [ASKED[name] for name in row.asked]}}, {"say": "ok"}] for row in ROWS]
    ends = []

    with scripted_model(json.dumps(turns)) as server:
        env = {**ENVIRONMENT, **server.env(tmp_path / "config"), "HOME": str(tmp_path)}
        options = ClaudeAgentOptions(cwd=tmp_path, env=env, setting_sources=[], can_use_tool=can_use_tool)

        async with ClaudeSDKClient(options) as client:
            for _ in ROWS:
                await client.query("go on")
                ends += [message async for message in client.receive_response() if isinstance(message, ResultMessage)]

        readings = server.tool_results()

    assert [end.is_error for end in ends] == [False] * len(ROWS)
    assert next(left, None) is None
    changed = [
        f"{row.sent}: the model now reads {read!r}, wanted {row.reads!r} without {row.never!r}"
        for row, read in zip(ROWS, readings, strict=True)
        if not re.search(row.reads, read) or (row.never and re.search(row.never, read))
    ]
    assert changed == [], f"with claude-agent-sdk {version('claude-agent-sdk')}"


async def test_a_denial_that_interrupts_ends_the_turn_and_not_the_session(tmp_path: Path) -> None:
    async def can_use_tool(_name: str, _given: dict[str, object], _: ToolPermissionContext) -> PermissionResult:
        return PermissionResultDeny(message="Stop.", interrupt=True)

    turns = [[{"ask": {"questions": [ASKED[STORE]]}}, {"say": "ok"}], [{"say": "Hello."}]]
    ends = []

    with scripted_model(json.dumps(turns)) as server:
        env = {**ENVIRONMENT, **server.env(tmp_path / "config"), "HOME": str(tmp_path)}
        options = ClaudeAgentOptions(cwd=tmp_path, env=env, setting_sources=[], can_use_tool=can_use_tool)

        async with ClaudeSDKClient(options) as client:
            for prompt in ("ask", "greet"):
                await client.query(prompt)
                ends += [message async for message in client.receive_response() if isinstance(message, ResultMessage)]

    assert [end.subtype for end in ends] == ["error_during_execution", "success"]
