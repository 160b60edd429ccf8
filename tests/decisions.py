"""What a person finds in a form that ends in a decision: its buttons, its fields, and what it shows.

::

    field(form, "Reason").set_state({"value": "use git log"})
    button(form, "Deny").click()
"""

from __future__ import annotations

from ipywidgets import HTML, Button, Textarea

from askwidgets.decision_form import DecisionForm
from askwidgets.widget_tree import tree_widgets

__all__ = ["button", "buttons", "field", "html", "texts"]


def button(form: DecisionForm, text: str) -> Button:
    """Find the button whose text starts so."""
    return next(widget for widget in buttons(form) if widget.description.startswith(text))


def buttons(form: DecisionForm) -> list[Button]:
    return [widget for widget in tree_widgets(form.widget) if isinstance(widget, Button)]


def texts(form: DecisionForm) -> list[str]:
    """Give what the visible buttons say."""
    hidden = {
        id(below)
        for widget in tree_widgets(form.widget)
        if "ask-hidden" in getattr(widget, "_dom_classes", ())
        for below in tree_widgets(widget)
    }
    return [widget.description for widget in buttons(form) if id(widget) not in hidden]


def field(form: DecisionForm, label: str) -> Textarea:
    return next(
        widget for widget in tree_widgets(form.widget) if isinstance(widget, Textarea) and widget.description == label
    )


def html(form: DecisionForm) -> str:
    """Give all HTML that the form shows, without its style sheet."""
    values = (str(widget.value) for widget in tree_widgets(form.widget) if isinstance(widget, HTML))
    return "\n".join(value for value in values if not value.startswith("<style>"))
