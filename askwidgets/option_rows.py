"""The options of a question as rows: a radio button or a checkbox, and over it what the option says.

The text of a native button is plain text on one style; a row shows the label with its bold words and
code, and under it what the option means. So each row stands twice in one cell of a grid: as text to
see, hidden from screen readers, and as the button's own label, which is invisible, lies on top, takes
the clicks and gives the button its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from askwidgets.hidden import plain
from askwidgets.markup import inline_markdown_html
from askwidgets.questions import Option

__all__ = ["OTHER", "option_name", "row_rules", "rows_html"]

OTHER = "Other"
"""The row for one's own words, below the options."""

_RECOMMENDED = re.compile(r"\(recommended\)\s*\Z", re.IGNORECASE)


def option_name(option: Option) -> str:
    """Name an option in plain text, as a screen reader says it."""
    return plain(f"{option.label}\n{option.description}" if option.description.strip() else option.label)


def rows_html(options: Sequence[Option]) -> str:
    """Show the options, and a row for one's own words."""
    rows = [_row_html(option) for option in options]
    return "".join([*rows, f'<div class="ask-row" aria-hidden="true"><div class="ask-label">{OTHER}</div></div>'])


def row_rules(count: int) -> str:
    """Give the CSS that lays the first ``count`` buttons over their rows, and shows the preview of one of them."""
    return "".join(_RULES.format(place) for place in range(1, count + 1))


_RULES = """\
.ask-options :is(.ask-row, .widget-radio-box > label, .widget-checkbox):nth-child({0}) {{ grid-row: {0} }}
.ask-questions .ask-one:has(label:nth-child({0}) > input:checked):not(:has(input[type="radio"]:focus-visible))
  .ask-preview:nth-child({0}),
.ask-questions .ask-one:has(label:nth-child({0}) > input[type="radio"]:focus-visible)
  .ask-preview:nth-child({0}) {{ visibility: visible }}
"""


def _row_html(option: Option) -> str:
    names = "ask-row ask-recommended" if _RECOMMENDED.search(option.label) else "ask-row"
    html = f'<div class="ask-label" dir="auto">{inline_markdown_html(option.label)}</div>'
    if option.description.strip():
        html += f'<div class="ask-meaning" dir="auto">{inline_markdown_html(option.description)}</div>'

    return f'<div class="{names}" aria-hidden="true">{html}</div>'
