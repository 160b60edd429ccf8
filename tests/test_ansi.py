"""Tests for askwidgets.ansi: the colors of terminal output."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from askwidgets.ansi import printed_runs
from tests.payloads import untrusted_text


def style_of(codes: str) -> dict[str, str]:
    return dict(next(style for _, style in printed_runs(f"\x1b[{codes}mx")))


def contrast(color: str, page: str) -> float:
    def luminance(value: str) -> float:
        channels = [int(value[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    dark, light = sorted([luminance(color), luminance(page)])
    return light / dark


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("1", {"font-weight": "bold"}),
        ("2;3;4", {"opacity": ".7", "font-style": "italic", "text-decoration": "underline"}),
        ("7", {"background": "#8884"}),
        ("1;22", {}),
        ("4;24;3;23;9;29;7;27;31;39;41;49", {}),
        ("31;0", {}),
        ("31;", {}),
        ("", {}),
        ("30", {}),
        ("97", {}),
        ("44", {"background": "#0000ee40"}),
        ("104", {"background": "#5c5cff40"}),
        ("48;5;196", {"background": "#ff000040"}),
        ("48;5;244", {"background": "#80808040"}),
        ("48;2;1;2;3", {"background": "#01020340"}),
        ("48:2::1:2:3", {"background": "#01020340"}),
        ("48:2:1:2:3", {"background": "#01020340"}),
        ("48;2;999;0;0", {"background": "#ff000040"}),
        ("8", {}),
        ("5;73;1234567890123", {}),
        ("38", {"color": "#7c7c7c"}),
    ],
)
def test_a_color_sequence_sets_the_style_of_what_follows(codes: str, style: dict[str, str]) -> None:
    assert style_of(codes) == style


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_every_foreground_reads_on_light_and_on_dark_pages(color: tuple[int, int, int]) -> None:
    shown = style_of(f"38;2;{color[0]};{color[1]};{color[2]}")["color"]

    assert contrast(shown, "#ffffff") >= 3.9
    assert contrast(shown, "#111111") >= 3.9


@pytest.mark.parametrize("number", [*range(1, 7), *range(8, 15), *range(16, 256)])
def test_every_numbered_foreground_is_a_color(number: int) -> None:
    assert contrast(style_of(f"38;5;{number}")["color"], "#ffffff") >= 3.9


def test_runs_keep_their_style_until_it_changes() -> None:
    assert list(printed_runs("a\x1b[1mb\x1b[2Kc\x1b[0md")) == [
        ("a", {}),
        ("b", {"font-weight": "bold"}),
        ("c", {"font-weight": "bold"}),
        ("d", {}),
    ]


@pytest.mark.parametrize(
    ("text", "left"), [("10%\r20%\r\n", "20%\n"), ("a\rb", "b"), ("a\r", "a"), ("\r\r", ""), ("a\n\rb", "a\nb")]
)
def test_a_carriage_return_overwrites_its_line(text: str, left: str) -> None:
    assert "".join(run for run, _ in printed_runs(text)) == left


@given(untrusted_text())
def test_any_output_gives_css_of_known_names_and_plain_values(text: str) -> None:
    for _, style in printed_runs(text):
        assert set(style) <= {"background", "color", "font-style", "font-weight", "opacity", "text-decoration"}
        assert all(value.strip("#.-").isalnum() or value == "line-through" for value in style.values())
