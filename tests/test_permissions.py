"""Permission requests as they come from the SDK, and permission updates both ways."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from claude_agent_sdk import PermissionUpdate, ToolPermissionContext
from claude_agent_sdk.types import PermissionRuleValue
from hypothesis import given, strategies as st

from askwidgets.permissions import (
    Decision,
    PermissionRequest,
    Rule,
    Suggestion,
    denial,
    lasting_suggestions,
    parse_suggestion,
    permission_request,
    permission_updates,
    suggestion_text,
    wire_suggestion,
)

DESTINATIONS = st.sampled_from(["session", "localSettings", "projectSettings", "userSettings"])
RULES = st.builds(Rule, tool_name=st.text(min_size=1), content=st.none() | st.text(min_size=1))
SUGGESTIONS = st.one_of(
    st.builds(
        Suggestion,
        kind=st.just("rules"),
        rules=st.lists(RULES, min_size=1).map(tuple),
        behavior=st.sampled_from(["allow", "deny", "ask"]),
        destination=DESTINATIONS,
    ),
    st.builds(
        Suggestion, kind=st.just("mode"), mode=st.sampled_from(["acceptEdits", "plan"]), destination=DESTINATIONS
    ),
    st.builds(
        Suggestion,
        kind=st.just("directories"),
        directories=st.lists(st.text(min_size=1), min_size=1).map(tuple),
        destination=DESTINATIONS,
    ),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
GIT_STATUS = Suggestion(
    kind="rules", rules=(Rule(tool_name="Bash", content="git status *"),), destination="localSettings"
)


def request(**fields: object) -> PermissionRequest:
    return PermissionRequest(**{"tool_name": "Bash", "input": {"command": "git status"}, **fields})  # type: ignore[arg-type]


@given(SUGGESTIONS)
def test_a_suggestion_survives_the_wire(suggestion: Suggestion) -> None:
    assert parse_suggestion(wire_suggestion(suggestion)) == suggestion


@given(SUGGESTIONS)
def test_the_sdk_sends_a_suggestion_back_as_it_is(suggestion: Suggestion) -> None:
    wire = wire_suggestion(suggestion)
    assert PermissionUpdate.from_dict(wire).to_dict() == wire


@given(SUGGESTIONS)
def test_a_request_reads_the_sdk_objects_as_it_reads_the_wire(suggestion: Suggestion) -> None:
    context = ToolPermissionContext(suggestions=[PermissionUpdate.from_dict(wire_suggestion(suggestion))])
    assert permission_request("Bash", {}, context).suggestions == (suggestion,)


@given(st.dictionaries(st.sampled_from(["type", "rules", "behavior", "mode", "directories", "destination"]), JSON))
def test_whatever_comes_as_an_update_raises_nothing(update: dict[str, object]) -> None:
    suggestion = parse_suggestion(update)
    assert suggestion is None or suggestion_text(suggestion)


@pytest.mark.parametrize(
    "update",
    [
        {"type": "removeRules", "rules": [{"toolName": "Bash"}], "behavior": "allow"},
        {"type": "replaceRules", "rules": [{"toolName": "Bash"}], "behavior": "allow"},
        {"type": "removeDirectories", "directories": ["/srv"]},
        {"type": "addRules", "rules": [], "behavior": "allow"},
        {"type": "addRules", "rules": [{"toolName": "Read"}, {"ruleContent": "ls"}], "behavior": "allow"},
        {"type": "addRules", "rules": [{"toolName": "Read"}]},
        {"type": "setMode"},
        {},
    ],
)
def test_an_update_that_adds_nothing_certain_is_left_out(update: dict[str, object]) -> None:
    assert parse_suggestion(update) is None


def test_an_empty_rule_content_covers_the_whole_tool() -> None:
    update = PermissionUpdate(
        type="addRules", rules=[PermissionRuleValue(tool_name="Read", rule_content="")], behavior="allow"
    )
    request = permission_request("Read", {}, ToolPermissionContext(suggestions=[update]))
    assert [str(rule) for rule in request.suggestions[0].rules] == ["Read"]


def test_a_request_carries_all_that_the_context_tells() -> None:
    request = PermissionRequest(
        tool_name="Bash",
        input={"command": "ls"},
        tool_use_id="toolu_1",
        agent_id="agt_7",
        title="Claude wants to list files",
        display_name="Bash",
        description="ls",
        decision_reason="a hook asked",
        blocked_path="/etc",
        cwd="/work",
        config_directory="/config",
    )
    names = ("tool_use_id", "agent_id", "title", "display_name", "description", "decision_reason", "blocked_path")
    context = ToolPermissionContext(**{name: getattr(request, name) for name in names})
    assert permission_request("Bash", {"command": "ls"}, context, cwd="/work", config_directory="/config") == request


def test_a_context_of_another_version_leaves_what_it_lacks_empty() -> None:
    @dataclass
    class OldContext:
        suggestions: list[object] = field(default_factory=lambda: [None, 3, {"type": "setMode", "mode": "plan"}])
        title: object = None

    request = permission_request("Bash", {}, OldContext())
    assert request == PermissionRequest(tool_name="Bash", input={}, suggestions=(Suggestion(kind="mode", mode="plan"),))


@pytest.mark.parametrize(
    ("suggestion", "text"),
    [
        (GIT_STATUS, "Always allow Bash(git status *), saved in .claude/settings.local.json"),
        (
            Suggestion(kind="rules", rules=tuple(Rule(tool_name=name) for name in ("Read", "Glob", "Grep"))),
            "Always allow Read, Glob and Grep, until this session ends",
        ),
        (Suggestion(kind="mode", mode="plan"), "Switch to the permission mode plan, until this session ends"),
        (
            Suggestion(kind="directories", directories=("/srv",), destination="userSettings"),
            "Always allow access to /srv, saved in your own ~/.claude/settings.json, for every project",
        ),
        (
            Suggestion(kind="rules", rules=(Rule(tool_name="Bash"),), behavior="deny", destination="elsewhere"),
            "Always deny Bash, kept in elsewhere",
        ),
    ],
)
def test_a_suggestion_is_said_in_words_with_the_place_where_it_is_kept(suggestion: Suggestion, text: str) -> None:
    assert suggestion_text(suggestion) == text


def test_always_allow_gives_rules_alone_where_the_cli_suggests_more() -> None:
    """B67."""
    other = Suggestion(kind="rules", rules=(Rule(tool_name="Bash", content="git log *"),), destination="localSettings")
    wide = Suggestion(kind="directories", directories=("/",)), Suggestion(kind="mode", mode="acceptEdits")
    lasting = lasting_suggestions(request(suggestions=(GIT_STATUS, *wide, other)))
    assert [suggestion_text(suggestion) for suggestion in lasting] == [
        "Always allow Bash(git status *) and Bash(git log *), saved in .claude/settings.local.json"
    ]
    assert lasting_suggestions(request(suggestions=wide)) == wide


@pytest.mark.parametrize("tool_name", ["AskUserQuestion", "ExitPlanMode"])
def test_nothing_lasting_is_offered_for_what_always_asks(tool_name: str) -> None:
    """B67."""
    rule = Suggestion(kind="rules", rules=(Rule(tool_name=tool_name),))
    assert lasting_suggestions(request(tool_name=tool_name, suggestions=(GIT_STATUS, rule))) == ()
    assert lasting_suggestions(request(suggestions=(rule,))) == ()


def test_a_suggestion_to_deny_is_not_offered_as_always_allow() -> None:
    deny = Suggestion(kind="rules", rules=(Rule(tool_name="Bash"),), behavior="deny")
    assert lasting_suggestions(request(suggestions=(deny,))) == ()


def test_the_updates_of_a_decision_end_with_its_mode() -> None:
    decision = Decision(allow=True, suggestions=(GIT_STATUS,), mode="acceptEdits")
    assert permission_updates(decision) == [
        wire_suggestion(GIT_STATUS),
        {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
    ]
    assert permission_updates(Decision(allow=False, suggestions=(GIT_STATUS,), mode="plan")) == []


def test_a_denial_names_the_tool_and_quotes_the_reason() -> None:
    """B58."""
    assert denial(request(), "use ls") == "The user denied this use of Bash; it was not run. The user said: use ls"
    assert "gave no reason" in denial(request())
    assert "stopped the turn" in denial(request(), interrupt=True)


def test_the_denial_of_a_plan_is_the_remarks_alone() -> None:
    """B30."""
    assert denial(request(tool_name="ExitPlanMode"), "split step 2") == "split step 2"
    assert "keep planning" in denial(request(tool_name="ExitPlanMode"))
