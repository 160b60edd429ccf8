"""The widgets of one form, made so that few models travel: layouts and styles are shared.

Each model is a ``comm_open`` message of its own, and a widget left alone brings two more (its layout
and its style). What a widget looks like is said by CSS classes instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import ipywidgets as widgets

from askwidgets.hidden import reveal

__all__ = ["OWN_ANSWER", "Parts"]

OWN_ANSWER = "Your own answer"
"""What the field for one's own words says while it is empty."""


class Parts:
    """Makes widgets that share one layout, and one style per kind of widget.

    ::

        parts = Parts()
        submit = parts.button("Submit answers", "submit")  # has the CSS class ask-submit
    """

    def __init__(self) -> None:
        self._layout = widgets.Layout()
        self._styles: dict[type[widgets.Widget], widgets.Style] = {}
        self._made: list[widgets.Widget] = []

    def close(self) -> None:
        """Close all that was made, in view or not, with the layout and the styles."""
        for widget in (*self._made, *self._styles.values(), self._layout):
            widget.close()

    def box(self, children: Sequence[widgets.Widget], *names: str) -> widgets.Box:
        """Put ``children`` into a box."""
        box = widgets.VBox(children, layout=self._layout, _dom_classes=_classes(names))
        self._made.append(box)
        return box

    def button(
        self, text: str, *names: str, tooltip: str | None = None, tabbable: bool | None = None
    ) -> widgets.Button:
        """Make a button; Tab passes over one with ``tabbable=False``."""
        return self._styled(widgets.Button, names, description=text, tooltip=tooltip, tabbable=tabbable)

    def html(self, value: str, *names: str) -> widgets.HTML:
        """Show HTML that is safe already."""
        return self._styled(widgets.HTML, names, value=value)

    def toggle(self, text: str, *names: str, tooltip: str) -> widgets.ToggleButton:
        """Make a button that stays pressed."""
        return self._styled(widgets.ToggleButton, names, description=text, tooltip=tooltip)

    def checkbox(self, text: str, *names: str) -> widgets.Checkbox:
        """Make a checkbox that is named ``text``."""
        return self._styled(widgets.Checkbox, names, description=text, indent=False)

    def radios(self, texts: Sequence[str], *names: str) -> widgets.RadioButtons:
        """Make one radio button per text, none of them chosen."""
        return self._styled(
            widgets.RadioButtons,
            names,
            options=[(reveal(text)[0], place) for place, text in enumerate(texts)],
            index=None,
        )

    def textarea(self, value: str, *names: str, label: str, placeholder: str) -> widgets.Textarea:
        """Make a field of several lines, in which Enter is only a line break; ``label`` is for screen readers."""
        return self._styled(widgets.Textarea, names, value=value, description=label, placeholder=placeholder, rows=1)

    def own_words(self, name: str) -> widgets.Textarea:
        """Make the field for one's own words to the question called ``name``."""
        return self.textarea("", "other", label=f"{OWN_ANSWER}: {name}", placeholder=OWN_ANSWER)

    def text(self, value: str, *names: str, label: str, placeholder: str) -> widgets.Text:
        """Make a field of one line; ``label`` is for screen readers."""
        return self._styled(widgets.Text, names, value=value, description=label, placeholder=placeholder)

    def slider(self, *names: str, label: str, minimum: float, maximum: float, step: float) -> widgets.FloatSlider:
        """Make a slider without a value beside it."""
        return self._styled(
            widgets.FloatSlider,
            names,
            value=minimum,
            min=minimum,
            max=maximum,
            step=step,
            description=label,
            readout=False,
        )

    def _styled(self, kind: type[widgets.Widget], names: Sequence[str], **traits: object) -> widgets.Widget:
        if kind in self._styles:
            traits["style"] = self._styles[kind]

        texts = {name: _shown(name, trait) for name, trait in traits.items() if isinstance(trait, str)}
        if kind is widgets.Checkbox:
            # Only now: what keeps it from being typeset is itself a character that would be written out.
            texts["description"] = _not_typeset(texts["description"])

        widget = kind(layout=self._layout, _dom_classes=_classes(names), **{**traits, **texts})
        self._styles.setdefault(kind, widget.style)
        self._made.append(widget)
        return widget


def _shown(trait: str, text: str) -> str:
    """Write out what cannot be seen; what a person may edit only loses what no message can carry."""
    return text.encode(errors="replace").decode() if trait == "value" else reveal(text)[0]


def _not_typeset(text: str) -> str:
    """Keep JupyterLab from typesetting a checkbox: ``$5 to $10`` is no mathematics, and no one sees this text."""
    dollars = text.replace("$", "\N{FULLWIDTH DOLLAR SIGN}") if text.count("$") > 1 else text
    return re.sub(r"\\(?=[(\[]|begin)", lambda _: "\\\N{WORD JOINER}", dollars)


def _classes(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"ask-{name}" for name in names)
