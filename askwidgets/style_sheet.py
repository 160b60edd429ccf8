"""The rules of the style sheet that a finished cell needs, so that a notebook does not save the others with each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askwidgets.display import Bundle, CellOutputs, Output

__all__ = ["StyledOutputs", "names_in", "needed_rules"]

_RULE = re.compile(r"([^{}]+)(\{[^{}]*\})")
_NO_NAME = re.compile(r"\[[^\]]*\]|:not\([^)]*\)|::?[\w-]+")
_NAME = re.compile(r"[\w-]+")
_DRAWN_NAME = re.compile(r'<([a-z][a-z0-9]*)|\bclass="([^"]*)"')


class _StyledOutput:
    def __init__(self, output: Output, bundle: Bundle) -> None:
        self._output = output
        self.html = bundle.get("text/html")

    def update(self, bundle: Bundle, /) -> None:
        """Replace what stands there."""
        self.html = bundle.get("text/html")
        self._output.update(bundle)


class StyledOutputs:
    """Passes outputs on, and knows which elements and classes stand in them."""

    def __init__(self, outputs: CellOutputs) -> None:
        self._outputs = outputs
        self._shown: list[_StyledOutput] = []

    def show(self, bundle: Bundle, /) -> Output:
        """Append an output to the cell."""
        output = _StyledOutput(self._outputs.show(bundle), bundle)
        self._shown.append(output)

        return output

    def names(self) -> frozenset[str]:
        """Give the elements and classes of all HTML that stands there now."""
        return frozenset(name for output in self._shown for name in names_in(output.html))


def needed_rules(css: str, names: frozenset[str]) -> str:
    """Leave out the rules for elements and classes that do not occur; a minified style sheet without ``@`` rules."""
    return "".join(
        selectors + body
        for selectors, body in _RULE.findall(css)
        if any(names.issuperset(_NAME.findall(_NO_NAME.sub("", selector))) for selector in selectors.split(","))
    )


def names_in(html: object) -> Iterator[str]:
    """Give the elements and classes of HTML, each as often as it occurs; nothing of what is no text."""
    if isinstance(html, str):
        for element, classes in _DRAWN_NAME.findall(html):
            yield from classes.split() if classes else (element,)
