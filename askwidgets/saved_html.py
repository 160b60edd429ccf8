"""HTML of ours that comes back from a notebook's file, which anybody may have written: cleaned before it is shown.

The frontend trusts what a kernel shows, and a file from elsewhere it does not.
"""

from __future__ import annotations

import re

import nh3

from askwidgets.highlighting import LOOKS
from askwidgets.plain_json import encodable

__all__ = ["saved_html"]

_TAGS = (
    "a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins li meter ol p pre progress s small"
    " span strong sub summary sup table tbody td th thead tr u ul"
)
_STYLES = "border-left margin opacity overflow-wrap padding padding-left text-align white-space"
_ABSOLUTE = re.compile(r"https?://|mailto:", re.IGNORECASE)
_PLAIN_STYLE = re.compile(r"[\w\s#%.,:;-]*")


def _harmless(_tag: str, name: str, value: str) -> str | None:
    if name == "href":
        # A relative one would open a page of the Jupyter server itself.
        return value if _ABSOLUTE.match(value) else None

    if name == "class":
        # No look of the page's own, such as that of its dialogs.
        return " ".join(word for word in value.split() if word.startswith("ask-")) or None

    return value if name != "style" or _PLAIN_STYLE.fullmatch(value) else None


_ALLOWED = nh3.Cleaner(
    tags=LOOKS.union(_TAGS.split()),
    clean_content_tags={"script", "style"},
    attributes={
        "*": {"aria-label", "class", "dir", "role", "style", "title"},
        "a": {"href"},
        "details": {"open"},
        "meter": {"high", "low", "max", "min", "value"},
        "ol": {"start"},
        "progress": {"max", "value"},
        "td": {"colspan", "rowspan"},
        "th": {"colspan", "rowspan"},
    },
    attribute_filter=_harmless,
    filter_style_properties=set(_STYLES.split()),
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer",
)


def saved_html(html: str) -> str:
    """Keep of the HTML what a transcript or a receipt consists of."""
    return _ALLOWED.clean(encodable(html))
