"""The pages of ``%claude help TOPIC`` tell of what there is."""

from __future__ import annotations

import ipywidgets as widgets
import pytest
import yaml

from askwidgets.answers import Answers
from askwidgets.errors import OptionError
from askwidgets.form import QuestionForm
from askwidgets.help_pages import TOPICS, help_page
from askwidgets.rerun_form import RUN, SHOW
from askwidgets.widget_tree import tree_widgets
from tests.person import STORE, TITLE, asked


def test_the_page_of_the_form_names_each_way_out_of_it() -> None:
    form = QuestionForm(asked(STORE, TITLE))
    buttons = {widget.description for widget in tree_widgets(form.widget) if isinstance(widget, widgets.Button)}
    form.close()
    ways_out = buttons - {"Back to the questions", "Store", "Question 2", "2 of 2"}
    assert ways_out - {"1 of 2"} == {"Submit answers", "Reply in my own words", "Ask me more", "Discuss instead"}
    page = help_page("form")
    assert not [way for way in (*ways_out, "Skip", "arrow keys", "Space") if way.replace("of 2", "of 4") not in page]


def test_the_page_of_reruns_names_each_way_and_each_button() -> None:
    page = help_page("rerun")
    words = [RUN, SHOW, 'rerun = "run"', 'rerun = "ask"', 'rerun = "reuse"']

    assert [word for word in words if word not in page] == []


def test_the_page_of_answers_shows_a_file_as_it_may_be() -> None:
    page = help_page("answers")
    example = "".join(line[2:] for line in page.splitlines(keepends=True) if line.startswith("  "))
    entries = yaml.load(example, yaml.BaseLoader)  # noqa: S506 - it makes text, lists and mappings only
    answers = Answers(entries)

    assert entries.keys() - {*answers.unused} == {"allow", "deny", "plan"}
    assert answers.permissions.plan == "approve"
    assert len(page.splitlines()) < 30


def test_a_topic_without_a_page_is_said_with_those_that_have_one() -> None:
    with pytest.raises(OptionError, match="one of " + ", ".join(TOPICS)):
        help_page("dancing")
