"""Images of every source, within what the service takes."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib

import matplotlib as mpl
import pytest
from IPython.display import Image as ShownImage
from matplotlib.figure import Figure
from PIL import Image

from askwidgets.image_format import image_size
from askwidgets.picture import LONGEST_EDGE, parse_picture, picture_of

mpl.use("agg")


def encoded(width: int, height: int, kind: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height)).save(file, format=kind)

    return file.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF"])
def test_the_size_is_read_from_the_file(kind: str) -> None:
    assert image_size(encoded(30, 20, kind)) == (30, 20)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_small_image_files_are_taken_as_they_are(kind: str) -> None:
    data = encoded(30, 20, kind)
    picture = picture_of(data)

    assert picture is not None
    assert (picture.data, picture.media_type) == (data, f"image/{kind.lower()}")


@pytest.mark.matrix
@pytest.mark.timeout(300)
def test_a_plotly_figure_is_drawn_where_kaleido_is_installed() -> None:
    """In a process of its own, since kaleido leaves a browser and threads behind it."""
    code = (
        "import plotly.graph_objects as go; from askwidgets.picture import picture_of;"
        " picture = picture_of(go.Figure(go.Scatter(y=[1, 3, 2]))); print(picture.media_type)"
    )
    drawn = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert drawn.stdout.strip() == "image/png", drawn.stderr


@pytest.mark.parametrize("data", [b"", b"text", b"RIFF1234WAVE", b"\x89PNG\r\n\x1a\n"[:4]])
def test_what_is_no_image_is_none(data: bytes) -> None:
    assert parse_picture(data) is None


def test_a_large_image_is_scaled_down() -> None:
    picture = picture_of(encoded(4000, 1000, "PNG"))

    assert picture is not None
    assert image_size(picture.data) == (LONGEST_EDGE, LONGEST_EDGE // 4)


def test_figures_pictures_and_axes_are_drawn() -> None:
    figure = Figure(figsize=(40, 10))
    axes = figure.subplots()
    axes.plot([1, 3, 2])

    for value in (figure, axes, Image.new("P", (3000, 20)), ShownImage(data=encoded(30, 20, "PNG"))):
        picture = picture_of(value)

        assert picture is not None
        assert picture.media_type == "image/png"
        assert max(image_size(picture.data) or (9999,)) <= LONGEST_EDGE + 40


def test_blocks_are_those_of_the_messages_api_and_of_mcp() -> None:
    picture = picture_of(encoded(1, 1, "GIF"))

    assert picture is not None
    assert picture.block()["source"] == {"type": "base64", "media_type": "image/gif", "data": picture.base64}
    assert picture.mcp_block() == {"type": "image", "mimeType": "image/gif", "data": picture.base64}


def test_describing_values_imports_no_library_of_theirs() -> None:
    code = (
        "import sys; from askwidgets.description import describe, summarize\n"
        "[(describe(value), summarize(value)) for value in (1, 'a', [1], {}, len, sys, b'x')]\n"
        "print([name for name in ('pandas', 'polars', 'pyarrow', 'matplotlib', 'plotly', 'PIL', 'numpy')"
        " if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert printed.strip() == "[]"


def test_an_image_that_claims_to_be_enormous_or_is_broken_is_none() -> None:
    header = struct.pack(">I4sIIBBBBB", 13, b"IHDR", 60_000, 60_000, 8, 2, 0, 0, 0)
    checked = header + struct.pack(">I", zlib.crc32(header[4:]))
    enormous = b"\x89PNG\r\n\x1a\n" + checked

    assert image_size(enormous) == (60_000, 60_000)
    assert parse_picture(enormous) is None
    assert parse_picture(enormous + b"\0" * 5_000) is None
