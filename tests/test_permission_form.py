"""The permission form, driven as a browser drives it: by what its fields hold and by clicks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from ipywidgets import Text

from askwidgets.decision_form import DecisionForm
from askwidgets.permission_form import PermissionForm
from askwidgets.permissions import Decision, PermissionRequest, Rule, Suggestion
from askwidgets.widget_tree import tree_widgets
from tests.decisions import button, buttons, field, html, texts
from tests.person import handled
from tests.skipping_loop import run

GIT_STATUS = Suggestion(
    kind="rules", rules=(Rule(tool_name="Bash", content="git status *"),), destination="localSettings"
)
BASH = PermissionRequest(
    tool_name="Bash", input={"command": "git status", "timeout": 5}, suggestions=(GIT_STATUS,), cwd="/work"
)


def decide(request: PermissionRequest, drive: Callable[[PermissionForm], None]) -> Decision:
    """Make a form on a loop, drive it, and give its decision."""

    async def decided() -> Decision:
        form = PermissionForm(request)
        drive(form)
        decision = await form.decision()
        form.close()
        return decision

    return run(decided())


def test_allowing_once_sends_the_input_as_it_was() -> None:
    assert decide(BASH, lambda form: button(form, "Allow once").click()) == Decision(allow=True)


def test_allowing_for_the_session_says_on_the_button_what_it_covers() -> None:
    def drive(form: PermissionForm) -> None:
        assert button(form, "Allow for this session").description == "Allow for this session: Bash(git status *)"
        assert "<b>Allow for this session</b> covers <code>Bash(git status *)</code>" in html(form)
        button(form, "Allow for this session").click()

    assert decide(BASH, drive) == Decision(allow=True, for_session=True)


def test_always_allow_shows_the_rule_and_where_it_is_saved_before_it_is_given() -> None:
    """B67."""

    def drive(form: PermissionForm) -> None:
        assert "<b>Always allow</b> Bash(git status *), saved in .claude/settings.local.json." in html(form)
        button(form, "Always allow").click()

    assert decide(BASH, drive) == Decision(allow=True, suggestions=(GIT_STATUS,), for_session=True)


def test_always_allow_says_when_it_switches_the_mode_instead() -> None:
    """B67."""
    mode = Suggestion(kind="mode", mode="acceptEdits")
    request = PermissionRequest(tool_name="Write", input={"file_path": "a", "content": ""}, suggestions=(mode,))

    def drive(form: PermissionForm) -> None:
        assert "<b>Always allow</b>: switch to the permission mode acceptEdits" in html(form)
        button(form, "Always allow").click()

    assert decide(request, drive) == Decision(allow=True, suggestions=(mode,))


@pytest.mark.parametrize(
    ("request_", "offer_always"),
    [
        (PermissionRequest(tool_name="Bash", input={"command": "ls"}), True),
        (PermissionRequest(tool_name="ExitPlanMode", input={}, suggestions=(GIT_STATUS,)), True),
        (BASH, False),
    ],
)
def test_always_allow_is_not_offered_without_a_suggestion_or_where_it_is_locked(
    request_: PermissionRequest, *, offer_always: bool
) -> None:
    """B67."""
    form = PermissionForm(request_, offer_always=offer_always)
    assert "Always allow" not in texts(form)
    assert "Always allow" not in html(form)


def test_denying_tells_the_model_the_reason() -> None:
    """B58."""

    def drive(form: PermissionForm) -> None:
        field(form, "Reason").set_state({"value": " use git log \n"})
        button(form, "Deny").click()

    decision = decide(BASH, drive)
    assert (decision.allow, decision.interrupt, decision.reason) == (False, False, "use git log")
    assert decision.message.endswith("The user said: use git log")


def test_deny_and_stop_ends_the_turn() -> None:
    decision = decide(BASH, lambda form: button(form, "Deny and stop").click())
    assert (decision.allow, decision.interrupt) == (False, True)
    assert decision.message


def test_an_edited_command_is_allowed_as_edited() -> None:
    def drive(form: PermissionForm) -> None:
        button(form, "Edit first").click()
        field(form, "Changed input").set_state({"value": "git status --short"})
        button(form, "Allow as edited").click()

    decision = decide(BASH, drive)
    assert decision == Decision(allow=True, updated_input={"command": "git status --short", "timeout": 5})
    assert BASH.input["command"] == "git status"


def test_an_edit_that_changes_nothing_is_a_plain_allow() -> None:
    assert decide(BASH, lambda form: button(form, "Allow as edited").click()) == Decision(allow=True)


def test_while_editing_only_the_edit_can_be_allowed() -> None:
    async def edit() -> None:
        form = PermissionForm(BASH)
        assert texts(form) == [
            "Allow once",
            "Allow for this session: Bash(git status *)",
            "Always allow",
            "Edit first",
            "Deny",
            "Deny and stop",
        ]
        button(form, "Edit first").click()
        await handled()
        assert texts(form) == ["Allow as edited", "Leave unchanged", "Deny", "Deny and stop"]
        field(form, "Changed input").set_state({"value": "rm"})
        button(form, "Leave unchanged").click()
        await handled()
        assert "Allow once" in texts(form)
        assert field(form, "Changed input").value == "git status"
        form.close()

    run(edit())


def test_an_edit_that_does_not_fit_is_refused_with_a_message_and_the_form_stays() -> None:
    async def refuse() -> Decision:
        form = PermissionForm(PermissionRequest(tool_name="mcp__a__b", input={"days": 3}))
        button(form, "Edit first").click()
        field(form, "Changed input").set_state({"value": '{"days": "<b>"}'})
        button(form, "Allow as edited").click()
        await handled()
        assert not form.done
        assert "wanted a number" in html(form)
        assert "<b>&#x27;" not in html(form)
        field(form, "Changed input").set_state({"value": '{"days": 4}'})
        button(form, "Allow as edited").click()
        return await form.decision()

    assert run(refuse()).updated_input == {"days": 4}


class Breaking(DecisionForm):
    """A form with a button that fails, and one that works."""

    def __init__(self) -> None:
        super().__init__(BASH)
        self._fill([self._button("Break", lambda: self._break), self._settling("Allow", lambda: Decision(allow=True))])

    def _break(self) -> None:
        raise RuntimeError("<odd>")


def test_a_press_that_fails_is_said_and_the_form_goes_on() -> None:
    """B39."""

    async def press() -> Decision:
        form = Breaking()
        button(form, "Break").click()
        await handled()
        assert "The form could not do that (RuntimeError: &lt;odd&gt;)" in html(form)
        button(form, "Allow").click()
        return await form.decision()

    assert run(press()).allow


def test_the_first_click_wins_and_late_clicks_change_nothing() -> None:
    """B20."""

    async def click_often() -> None:
        form = PermissionForm(BASH)
        for text in ("Allow once", "Allow once", "Deny", "Deny and stop"):
            button(form, text).click()

        late = button(form, "Deny")
        decision = await form.decision()
        await handled()
        late.click()
        await handled()
        assert decision == await form.decision() == Decision(allow=True)
        assert late.disabled
        assert "Allowed" in html(form)
        assert not form.settle(Decision(allow=False))
        form.close()
        late.click()
        await handled()

    run(click_often())


def test_clicks_from_another_thread_wake_the_loop() -> None:
    """B39."""

    async def click_elsewhere() -> Decision:
        form = PermissionForm(BASH)
        waiting = asyncio.create_task(form.decision())
        await handled()
        reason, deny, allow = field(form, "Reason"), button(form, "Deny"), button(form, "Allow once")

        def click() -> None:
            reason.set_state({"value": "no"})
            deny.click()
            allow.click()

        thread = threading.Thread(target=click)
        thread.start()
        decision = await waiting
        thread.join()
        await handled()
        assert "Denied" in html(form)
        form.close()
        return decision

    assert run(click_elsewhere()).reason == "no"


def test_a_command_may_settle_it_from_another_thread() -> None:
    """B21."""

    async def settle_elsewhere() -> Decision:
        form = PermissionForm(BASH)
        thread = threading.Thread(target=form.settle, args=(Decision(allow=True, by="%claude answer"),))
        thread.start()
        decision = await form.decision()
        thread.join()
        await handled()
        assert "by %claude answer" in html(form)
        return decision

    assert run(settle_elsewhere()).by == "%claude answer"


def test_interrupted_it_freezes_and_whoever_waits_is_cancelled() -> None:
    """B27."""

    async def cancel() -> None:
        form = PermissionForm(BASH)
        waiting = asyncio.create_task(form.decision())
        await handled()
        late = button(form, "Allow once")
        assert form.interrupt()
        with pytest.raises(asyncio.CancelledError):
            await waiting

        await handled()
        assert "Interrupted" in html(form)
        assert "nothing was sent" in html(form)
        assert buttons(form) == []
        assert late.disabled
        late.click()
        await handled()
        assert not form.settle(Decision(allow=True))

    run(cancel())


def test_several_forms_are_settled_in_any_order() -> None:
    """B24."""

    async def settle_both() -> list[Decision]:
        first, second = PermissionForm(BASH), PermissionForm(BASH)
        field(first, "Reason").set_state({"value": "draft"})
        button(second, "Allow once").click()
        await second.decision()
        button(first, "Deny").click()
        return [await first.decision(), await second.decision()]

    first, second = run(settle_both())
    assert first.reason == "draft"
    assert second.allow


def test_closing_leaves_no_model_open_before_and_after_the_decision() -> None:
    async def close() -> None:
        for click in (True, False):
            form = PermissionForm(BASH)
            models = list(tree_widgets(form.widget))
            if click:
                button(form, "Allow once").click()
                await form.decision()
                await handled()

            models += tree_widgets(form.widget)
            form.close()
            await handled()
            assert all(model.comm is None for model in models)
            assert form.done

    run(close())


def test_nothing_that_the_model_sends_reaches_the_page_unescaped() -> None:
    """B48."""
    attack = "<img src=x onerror=alert(1)>"
    request = PermissionRequest(
        tool_name=attack,
        input={attack: attack},
        agent_id=attack,
        title=attack,
        description=attack,
        decision_reason=attack,
        blocked_path=attack,
        suggestions=(Suggestion(kind="directories", directories=(attack,), destination=attack),),
    )
    assert "<img" not in html(PermissionForm(request))


def test_hidden_characters_are_shown_named_and_kept_off_the_buttons() -> None:
    request = PermissionRequest(tool_name="Bash", input={"command": "rm -rf / # \u202eefas"})
    form = PermissionForm(request)
    assert "U+202E RIGHT-TO-LEFT OVERRIDE" in html(form).upper()
    assert "\u202e" not in html(form)
    assert not any("\u202e" in f"{widget.description}{widget.tooltip}" for widget in buttons(form))


def test_why_it_is_asked_and_who_asks_stand_in_the_form() -> None:
    """B26."""
    request = PermissionRequest(
        tool_name="Read",
        input={"file_path": "/etc/hosts"},
        agent_id="agt_7",
        decision_reason="outside",
        blocked_path="/etc",
    )
    shown = html(PermissionForm(request))
    for words in ("subagent agt_7", "Asked because: outside", "<code>/etc</code>", 'role="status"'):
        assert words in shown


def test_enter_never_submits() -> None:
    """B16."""
    form = PermissionForm(BASH)
    assert not any(isinstance(widget, Text) for widget in tree_widgets(form.widget))


def test_a_frontend_without_widgets_is_told_what_waits() -> None:
    """B42."""
    assert PermissionForm(BASH)._repr_mimebundle_()["text/plain"] == (
        "Waiting for your answer, in a frontend that shows widgets:\nClaude wants to run a command"
    )
