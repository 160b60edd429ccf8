"""The status line says what goes on, to eyes and to screen readers, and leaves nothing behind."""

from __future__ import annotations

import pytest
from claude_agent_sdk.types import RateLimitInfo

from askwidgets.status_line import StatusLine, rate_limit_text, retry_text
from tests.recorded_outputs import RecordedOutputs


def test_it_announces_what_goes_on_and_counts_the_seconds_beside_it() -> None:
    """B61."""
    outputs = RecordedOutputs()
    now = [10.0]
    line = StatusLine(outputs, lambda: now[0])
    line.told = "Waiting for <your> answer"
    now[0] = 75.0
    line.draw()
    assert '<span role="status"><b>Waiting for &lt;your&gt; answer</b></span>' in outputs.html
    assert "--ask-since:-65s" in outputs.html
    assert outputs.bundles[0]["text/plain"] == "Waiting for <your> answer"


def test_it_is_sent_only_when_its_words_change() -> None:
    """B47."""
    outputs = RecordedOutputs()
    line = StatusLine(outputs, lambda: 0.0)

    for activity in ("Writing", "Writing", "Running Bash"):
        line.activity = activity
        line.draw()

    assert [bundle["text/plain"] for bundle in outputs.sent] == ["Writing", "Running Bash"]


def test_what_the_cell_says_stands_before_what_the_messages_tell() -> None:
    line = StatusLine(RecordedOutputs(), lambda: 0.0)
    line.told, line.activity = "Waiting for your answer", "Writing"
    assert line.text == "Waiting for your answer"
    line.told = ""
    assert line.text == "Writing"


def test_nothing_is_left_once_it_is_cleared() -> None:
    """B46."""
    outputs = RecordedOutputs()
    line = StatusLine(outputs, lambda: 0.0)
    line.draw()
    line.clear()
    assert outputs.bundles == [{"text/html": '<div role="status"></div>', "text/plain": ""}]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            {"attempt": 3, "max_retries": 10, "retry_delay_ms": 2392, "error_status": 529, "error": "overloaded"},
            "Retrying, attempt 3 of 10: overloaded, HTTP 529, next try in 2 s",
        ),
        (
            {"attempt": 1, "max_retries": 10, "retry_delay_ms": 600, "error_status": None, "error": "unknown"},
            "Retrying, attempt 1 of 10: no connection, next try in 1 s",
        ),
        ({}, "Retrying, attempt ? of ?: no connection"),
    ],
)
def test_a_retry_is_told_with_its_attempt_and_cause(data: dict[str, object], text: str) -> None:
    assert retry_text(data) == text


@pytest.mark.parametrize(
    ("info", "text"),
    [
        (RateLimitInfo("rejected", rate_limit_type="five_hour"), "The rate limit is reached (five hour)"),
        (RateLimitInfo("allowed_warning", utilization=0.9), "Near the rate limit: 90% used"),
        (RateLimitInfo("allowed_warning"), "Near the rate limit"),
    ],
)
def test_a_limit_is_told_in_words(info: RateLimitInfo, text: str) -> None:
    assert rate_limit_text(info) == text


def test_what_waits_is_told_for_pages_that_cannot_show_its_form() -> None:
    outputs = RecordedOutputs()
    line = StatusLine(outputs, lambda: 0.0)
    line.told, line.asked = "Waiting for your answer", "Which <b>store?"
    line.draw()
    assert '<div class="ask-asked" dir="auto">Asked: Which &lt;b&gt;store?</div>' in outputs.html

    line.asked = ""
    line.draw()
    assert "Asked" not in outputs.html
