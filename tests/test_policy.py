"""Permissions given beforehand, by rules in the CLI's syntax."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, strategies as st

from askwidgets.answers import Answers
from askwidgets.errors import OptionError
from askwidgets.permissions import Decision, PermissionRequest, Rule
from askwidgets.policy import Policy, parse_rule, rule_covers, rule_text

pytestmark = pytest.mark.anyio


async def decided(policy: Policy, tool_name: str, cwd: str = "/work", **tool_input: object) -> Decision:
    request = PermissionRequest(tool_name=tool_name, input=tool_input, cwd=cwd)
    decision = await policy(request)
    assert not decision.allow or policy.covers(request)
    return decision


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Read", Rule(tool_name="Read")),
        ("Bash(git status*)", Rule(tool_name="Bash", content="git status*")),
        (" Bash(echo (a)) ", Rule(tool_name="Bash", content="echo (a)")),
        (r"Bash(echo \(a\))", Rule(tool_name="Bash", content="echo (a)")),
        (r"Bash(echo \\n)", Rule(tool_name="Bash", content=r"echo \n")),
        ("Bash()", Rule(tool_name="Bash")),
        ("Bash(*)", Rule(tool_name="Bash")),
        ("mcp__db__*", Rule(tool_name="mcp__db__*")),
    ],
)
def test_a_rule_is_a_tool_and_what(text: str, rule: Rule) -> None:
    assert parse_rule(text) == rule


@given(st.text("\\()ab ", min_size=1).map(lambda content: Rule(tool_name="Bash", content=content)))
def test_a_rule_that_is_written_is_read_as_it_was(rule: Rule) -> None:
    assert parse_rule(rule_text(rule)) == rule


@pytest.mark.parametrize("text", ["", "(git)", "Bash(git", "Bash git", "Bash(git) x"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match=r"rule is .*wanted a tool"):
        parse_rule(text)


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Bash", "rm -rf x"),
        ("Bash(git status*)", "git status -s"),
        ("Bash(git status)", "git status"),
        ("Bash(git log:*)", "git log"),
        ("Bash(git log:*)", "git log -3"),
        ("Bash(git log *)", "git log -3"),
        ("Bash(* --version)", "node --version"),
        ("Bash(git *)", "git add . && git commit -m 'a; b' 2>&1"),
        ("Bash(ls *.py > out.txt)", "ls *.py > out.txt"),
    ],
)
def test_a_command_is_covered(rule: str, command: str) -> None:
    assert rule_covers(parse_rule(rule), "Bash", {"command": command})


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Bash(git status*)", "git stash"),
        ("Bash(git status)", "git status -s"),
        ("Bash(git log:*)", "git logs"),
        ("Bash(ls *)", "lsof"),
        ("Bash(git status*)", "git status && rm x"),
        ("Bash(git status*)", "git status; rm x"),
        ("Bash(git status*)", "git status\nrm x"),
        ("Bash(git status*)", "git status $(rm x)"),
        ("Bash(git status*)", "git status > file"),
        ("Bash(git status*)", "git status # '\nrm x\n'"),
        ("Read", "cat x"),
        ("Bash(git*)", ""),
    ],
)
def test_a_command_that_runs_something_else_is_not_covered(rule: str, command: str) -> None:
    assert not rule_covers(parse_rule(rule), "Bash", {"command": command})


@pytest.mark.parametrize(
    ("rule", "tool_name", "path"),
    [
        ("Read(src/**)", "Read", "/work/src/a/b.py"),
        ("Read(src/**)", "Read", "src/a.py"),
        ("Read(./src)", "Read", "/work/src/a.py"),
        ("Read(/src/*.py)", "Read", "/work/src/a.py"),
        ("Read(*.py)", "Read", "/work/src/deep/a.py"),
        ("Read(.env)", "Grep", "/work/a/.env"),
        ("Read(//etc/**)", "Read", "/etc/hosts"),
        ("Read(~/notes/**)", "Read", "~/notes/a.md"),
        ("Edit(docs/**/*.md)", "Write", "/work/docs/a.md"),
        ("Edit(*.ipynb)", "NotebookEdit", "/work/a.ipynb"),
        ("Read(**)", "Glob", ""),
    ],
)
def test_a_path_is_covered(rule: str, tool_name: str, path: str) -> None:
    field = {"Grep": "path", "Glob": "path", "NotebookEdit": "notebook_path"}.get(tool_name, "file_path")

    assert rule_covers(parse_rule(rule), tool_name, {field: path}, cwd="/work")


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("Read(src/**)", "/work/src/../secret"),
        ("Read(src/**)", "/work/source/a.py"),
        ("Read(src/*.py)", "/work/src/deep/a.py"),
        ("Read(/src/**)", "/src/a.py"),
        ("Read(*.py)", "/elsewhere/a.py"),
        ("Read(~/notes/**)", "/work/notes/a.md"),
        ("Edit(src/**)", "/work/src/a.py"),
    ],
)
def test_a_path_outside_is_not_covered(rule: str, path: str) -> None:
    assert not rule_covers(parse_rule(rule), "Read", {"file_path": path}, cwd="/work")


def test_a_link_does_not_lead_out_of_what_is_covered(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "secret").write_text("s")
    (tmp_path / "src" / "link").symlink_to(tmp_path / "secret")
    rule = parse_rule("Read(src/**)")

    assert rule_covers(rule, "Read", {"file_path": "src/own"}, cwd=str(tmp_path))
    assert not rule_covers(rule, "Read", {"file_path": "src/link"}, cwd=str(tmp_path))


async def test_a_link_to_what_is_denied_is_denied(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("s")
    (tmp_path / "link").symlink_to(tmp_path / ".env")
    policy = Policy(allow=["Read"], deny=["Read(.env)"])

    assert not (await decided(policy, "Read", cwd=str(tmp_path), file_path="link")).allow
    assert (await decided(policy, "Read", cwd=str(tmp_path), file_path="other")).allow


def test_a_glob_that_leads_elsewhere_is_not_covered() -> None:
    assert not rule_covers(parse_rule("Read(src/**)"), "Glob", {"path": "src", "pattern": "../../*"}, cwd="/work")
    assert not rule_covers(parse_rule("Read(src/**)"), "Glob", {"path": "src", "pattern": "/etc/*"}, cwd="/work")
    assert rule_covers(parse_rule("Read(src/**)"), "Glob", {"path": "src", "pattern": "*.py"}, cwd="/work")


@pytest.mark.parametrize(
    ("rule", "tool_name", "tool_input", "is_covered"),
    [
        ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://Example.com/a"}, True),
        ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.com.evil.org/"}, False),
        ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://[broken"}, False),
        ("WebFetch(domain:*.example.com)", "WebFetch", {"url": "https://docs.example.com/"}, True),
        ("mcp__db", "mcp__db__query", {}, True),
        ("mcp__db__*", "mcp__db__query", {}, True),
        ("mcp__db", "mcp__dbase__query", {}, False),
        ("Agent(Explore)", "Agent", {"subagent_type": "Explore"}, True),
        ("Agent(Explore)", "Agent", {"subagent_type": "Plan"}, False),
        ("Unknown(thing)", "Unknown", {"thing": "thing"}, False),
        ("*", "Unknown", {}, True),
    ],
)
def test_other_tools_are_covered_by_name(
    rule: str,
    tool_name: str,
    tool_input: dict[str, object],
    is_covered: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert rule_covers(parse_rule(rule), tool_name, tool_input) is is_covered


async def test_what_a_rule_allows_is_allowed_by_script() -> None:
    policy = Policy(allow=["Read", "Bash(git status*)", Rule(tool_name="Bash", content="wc *")])

    assert await decided(policy, "Bash", command="git status -s | wc -l") == Decision(allow=True, by="script")


async def test_a_rule_that_denies_goes_first_and_is_named() -> None:
    decision = await decided(Policy(allow=["Bash"], deny=["Bash(rm *)"]), "Bash", command="A=1 rm -rf x")

    assert not decision.allow
    assert "Bash(rm *)" in decision.message


@pytest.mark.parametrize("command", ["ls; rm x", "echo $(rm x)", "(rm x)", "true && rm x", "echo `rm x`"])
async def test_any_part_of_a_command_can_be_denied(command: str) -> None:
    assert not (await decided(Policy(allow=["Bash"], deny=["Bash(rm *)"]), "Bash", command=command)).allow


@pytest.mark.parametrize(
    ("tool_name", "tool_input"),
    [
        ("Bash", {"command": "git push"}),
        ("Bash", {"command": "ls *.py > out.txt && wc out.txt"}),
        ("Bash", {"command": "cat <<'EOF'\n(a)\nEOF"}),
        ("Write", {"file_path": "/elsewhere/a.py"}),
        ("Edit", {"file_path": "src/a.py"}),
        ("WebSearch", {"query": "x"}),
    ],
)
async def test_the_message_of_what_no_rule_covers_holds_the_rule_that_would(
    tool_name: str, tool_input: dict[str, object]
) -> None:
    request = PermissionRequest(tool_name=tool_name, input=tool_input, cwd="/work")
    denied = await Policy()(request)
    assert not denied.allow
    assert not Policy().covers(request)

    rules = Answers({"allow": yaml.safe_load(denied.message.split("Add to the answers: allow: ")[1])}).permissions
    assert (await rules(request)).allow


async def test_a_plan_is_approved_or_sent_back_with_words() -> None:
    assert (await decided(Policy(plan="approve"), "ExitPlanMode", plan="1. Do")).allow
    sent_back = await decided(Policy(keep_planning="split step 2"), "ExitPlanMode", plan="1. Do")

    assert sent_back == Decision(allow=False, message="split step 2", by="script")


async def test_a_plan_that_nobody_decides_says_how_to() -> None:
    policy = Policy(allow=["*"])

    assert "plan: approve" in (await decided(policy, "ExitPlanMode", plan="1. Do")).message
    assert not policy.covers(PermissionRequest(tool_name="ExitPlanMode", input={}))


def test_another_word_for_a_plan_is_refused() -> None:
    with pytest.raises(OptionError, match="plan is 'yes'"):
        Policy(plan="yes")
