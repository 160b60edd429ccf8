"""Results are read whatever their shape, and what is long is cut with its size said."""

from __future__ import annotations

import base64

from hypothesis import given, strategies as st

from askwidgets.tool_result import Image, cut_text, parse_result

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 40).decode()

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "source"]), values),
    max_leaves=8,
)


def block(data: object, media_type: object = "image/png") -> dict[str, object]:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def test_text_and_blocks_of_text_are_read() -> None:
    assert parse_result("out").text == "out"
    assert parse_result(None).text == ""
    assert parse_result([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]).text == "a\nb"


def test_an_image_is_taken_only_when_it_is_one() -> None:
    """B48."""
    assert parse_result([block(PIXEL)]).images == (Image(media_type="image/png", data=PIXEL),)

    for bad in [
        block('"><script>'),
        block(PIXEL, "image/svg+xml"),
        block(PIXEL, "image/jpeg"),
        block(7),
        block("AAAA"),
    ]:
        result = parse_result([bad])
        assert result.images == ()
        assert result.text == "[an image that cannot be shown]"


@given(JSON)
def test_any_content_is_read(content: object) -> None:
    parse_result(content)


def test_text_of_ten_kilobytes_stays_and_more_is_cut_with_its_size_said() -> None:
    assert cut_text("x" * 10_000) == ("x" * 10_000, "")
    shown, note = cut_text("start" + "x" * 2_000_000 + "end")
    assert len(shown) < 10_100
    assert shown.startswith("start")
    assert shown.endswith("end")
    assert note == "2.0 MB in all, cut here; the whole is in the turn's tool_uses"
