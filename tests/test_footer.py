"""The footer tells what differs from run to run only where it is wanted."""

from __future__ import annotations

from dataclasses import replace

from askwidgets.footer import Footer

FULL = Footer(
    model="claude-test-1",
    session="plots",
    session_id="0b5d",
    duration=4.321,
    usage={"input_tokens": 10, "cache_read_input_tokens": 1200, "output_tokens": 34},
    cost_usd=0.0123,
    context=0.42,
)


def test_times_costs_and_ids_can_be_left_out() -> None:
    """B46."""
    assert FULL.bundle() == {
        "text/html": '<div class="ask-footer"><small>claude-test-1 · session plots</small></div>',
        "text/plain": "claude-test-1 · session plots",
    }


def test_all_is_told_where_it_is_wanted() -> None:
    bundle = replace(FULL, show_costs=True).bundle()
    assert bundle is not None
    told = str(bundle["text/html"]).replace("<span>$</span>", "$")
    assert (
        "claude-test-1 · session plots · 4.3 s · 1,210 tokens in (1,200 from cache), 34 out · $0.0123 · --resume 0b5d"
        " · context 42%"
    ) in told
    assert '<meter high="0.8" value="0.42">' in str(bundle["text/html"])


def test_the_text_is_the_same_with_and_without_times_costs_and_ids() -> None:
    """B46."""
    bundle = replace(FULL, show_costs=True).bundle()
    assert bundle is not None
    assert bundle["text/plain"] == "claude-test-1 · session plots"


def test_a_cost_that_says_nothing_is_left_out() -> None:
    for cost in (None, 0.0):
        bundle = replace(FULL, show_costs=True, cost_usd=cost).bundle()
        assert "$" not in str(bundle)


def test_nothing_to_tell_gives_no_output() -> None:
    assert Footer().bundle() is None


def test_a_note_is_told_and_escaped() -> None:
    """B48."""
    bundle = Footer(note="Interrupted <b>").bundle()
    assert bundle is not None
    assert "<b>Interrupted &lt;b&gt;</b>" in str(bundle["text/html"])
    assert bundle["text/plain"] == "Interrupted <b>"
