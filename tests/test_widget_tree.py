"""Closing a form closes all of it: children, layouts, styles."""

from __future__ import annotations

import ipywidgets as widgets

from askwidgets.widget_tree import close_widgets, tree_widgets


def test_every_widget_of_a_tree_is_walked_once_parents_first() -> None:
    button = widgets.Button()
    box = widgets.VBox([button, widgets.HBox([button])])
    walked = list(tree_widgets(box))
    assert walked[0] is box
    assert walked.count(button) == 1
    assert button.layout in walked
    assert button.style in walked


def test_closing_a_tree_leaves_no_model_open() -> None:
    form = widgets.VBox([widgets.Button(), widgets.Textarea(), widgets.HTML(), widgets.Accordion([widgets.Text()])])
    models = list(tree_widgets(form))
    assert all(model.comm is not None for model in models)
    close_widgets(form)
    assert all(model.comm is None for model in models)


def test_closing_twice_raises_nothing() -> None:
    form = widgets.VBox([widgets.Button()])
    close_widgets(form)
    close_widgets(form)
