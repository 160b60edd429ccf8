"""The colors of terminal output, as runs of text with their CSS.

Knows the SGR sequences of ECMA-48 with the 256 and the 24-bit colors of xterm
(https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). Foregrounds are brought to a lightness that
reads on light and on dark pages, backgrounds become tints, and concealed text is shown: output cannot
hide itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from askwidgets.hidden import ESCAPE_SEQUENCE

__all__ = ["printed_runs"]

_COLOR_SEQUENCE = re.compile(r"(?:\x1b\[|\x9b)([0-9;:]*)m")
_LIGHTNESS = (0.185, 0.21)
"""Relative luminance that has a contrast of 4 to both white and JupyterLab's dark gray."""

_SWITCHED_ON = {
    1: ("font-weight", "bold"),
    2: ("opacity", ".7"),
    3: ("font-style", "italic"),
    4: ("text-decoration", "underline"),
    7: ("background", "#8884"),
    9: ("text-decoration", "line-through"),
}
_SWITCHED_OFF = {
    22: ("font-weight", "opacity"),
    23: ("font-style",),
    24: ("text-decoration",),
    27: ("background",),
    29: ("text-decoration",),
    39: ("color",),
    49: ("background",),
}
_BASIC = (0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5)
_BRIGHT = (0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF)
_NEUTRAL = {0, 7, 15}
"""Black and white: left in the color of the page."""


def printed_runs(text: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Give the text that stays on a terminal, run by run, with the CSS declarations of each."""
    printed = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    style: dict[str, str] = {}
    start = 0
    for sequence in ESCAPE_SEQUENCE.finditer(printed):
        if sequence.start() > start:
            yield printed[start : sequence.start()], dict(style)

        start = sequence.end()
        codes = _COLOR_SEQUENCE.fullmatch(sequence[0])
        if codes:
            _restyle(style, codes[1])

    if start < len(printed):
        yield printed[start:], dict(style)


def _restyle(style: dict[str, str], parameters: str) -> None:
    """Apply the parameters of one SGR sequence, in order; unknown ones do nothing."""
    # ISO 8613-6 writes the color space, often empty, between ``38:2:`` and the three values.
    separated = re.sub(r"([34]8:2):\d*:(?=\d+:\d+:\d+)", r"\1:", parameters).replace(":", ";")
    codes = iter([int(code[:4] or 0) for code in separated.split(";")])
    for code in codes:
        if code == 0:
            style.clear()
        elif code in _SWITCHED_ON:
            name, value = _SWITCHED_ON[code]
            style[name] = value
        elif code in {38, 48}:
            _set_color(style, code == 38, _extended(codes))  # noqa: PLR2004 -- the code itself
        elif code % 10 < len(_BASIC) and code // 10 in {3, 4, 9, 10}:
            _set_color(style, code // 10 in {3, 9}, _numbered(code % 10 + (8 if code > 49 else 0)))  # noqa: PLR2004

        for name in _SWITCHED_OFF.get(code, ()):
            style.pop(name, None)


def _extended(codes: Iterator[int]) -> int | None:
    """Read what follows 38 or 48: ``5;n`` or ``2;r;g;b``."""
    space = next(codes, 0)
    if space == 5:  # noqa: PLR2004 -- the code itself
        return _numbered(next(codes, 0))

    red, green, blue = (min(next(codes, 0), 255) for _ in range(3)) if space == 2 else (0, 0, 0)  # noqa: PLR2004
    return red << 16 | green << 8 | blue


def _numbered(number: int) -> int | None:
    """Look up one of the 256 colors; ``None`` stands for the color of the page."""
    if number in _NEUTRAL or number > 255:  # noqa: PLR2004 -- the palette's size
        return None

    if number < len(_BASIC) + len(_BRIGHT):
        return (*_BASIC, *_BRIGHT)[number]

    if number >= 232:  # noqa: PLR2004 -- where the grays begin
        return (8 + 10 * (number - 232)) * 0x010101

    levels = (0, 95, 135, 175, 215, 255)
    red, green, blue = levels[(number - 16) // 36], levels[(number - 16) // 6 % 6], levels[(number - 16) % 6]
    return red << 16 | green << 8 | blue


def _set_color(style: dict[str, str], foreground: bool, color: int | None) -> None:  # noqa: FBT001
    name = "color" if foreground else "background"
    if color is None:
        style.pop(name, None)
    else:
        style[name] = _readable(color) if foreground else f"#{color:06x}40"


def _readable(color: int) -> str:
    """Bring a color to a lightness that reads on any page, by mixing in black or white."""
    channels = [float(color >> 16), float(color >> 8 & 255), float(color & 255)]
    darkest, lightest = _LIGHTNESS
    for _ in range(64):
        luminance = _luminance(channels)
        if darkest <= luminance <= lightest:
            break

        channels = [
            channel * 0.95 if luminance > lightest else channel + (255 - channel) * 0.05 for channel in channels
        ]

    red, green, blue = (round(channel) for channel in channels)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _luminance(channels: list[float]) -> float:
    """Compute the relative luminance of https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 -- the definition's
        for c in (channel / 255 for channel in channels)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
