"""Images for the model: figures, pictures and image bytes, scaled to what the Messages API takes.

Limits: https://docs.claude.com/en/docs/build-with-claude/vision. No library is imported here unless the value
is one of its own: what made a figure is loaded already.
"""

from __future__ import annotations

import base64
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from askwidgets.image_format import image_size, image_type

__all__ = ["Picture", "parse_picture", "picture_of"]

LONGEST_EDGE = 1568
"""Pixels; the service scales down what is larger, and bills for no more."""
_LARGEST_EDGE = 8000
_MOST_BYTES = 3_700_000
"""5 MB in base64, which is what one image may have."""
_DPI = 110.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image that the model can be shown."""

    media_type: str
    data: bytes

    @property
    def base64(self) -> str:
        """The image as text."""
        return base64.b64encode(self.data).decode("ascii")

    def block(self) -> dict[str, object]:
        """Give the content block of the Messages API."""
        return {"type": "image", "source": {"type": "base64", "media_type": self.media_type, "data": self.base64}}

    def mcp_block(self) -> dict[str, object]:
        """Give the content block of an MCP tool result."""
        return {"type": "image", "data": self.base64, "mimeType": self.media_type}


def picture_of(value: object) -> Picture | None:
    """Draw a figure or a picture; ``None`` for what is neither, or cannot be drawn."""
    if isinstance(value, (bytes, bytearray)):
        return parse_picture(bytes(value))

    data = _image_bytes(value)

    return None if data is None else parse_picture(data)


def parse_picture(data: bytes) -> Picture | None:
    """Take an image file's bytes, scaled down where that is needed; ``None`` for what is no image, or too large."""
    media_type = image_type(data)

    if not media_type:
        return None

    size = image_size(data)

    if (size is None or max(size) <= LONGEST_EDGE) and len(data) <= _MOST_BYTES:
        return Picture(media_type=media_type, data=data)

    scaled = _scaled(data)

    if scaled is not None:
        return scaled

    fits = size is not None and max(size) <= _LARGEST_EDGE and len(data) <= _MOST_BYTES

    return Picture(media_type=media_type, data=data) if fits else None


def _image_bytes(value: object) -> bytes | None:
    """Let the library that the value comes from draw it."""
    for base in type(value).__mro__:
        drawer = _DRAWERS.get(f"{base.__module__.partition('.')[0]}.{base.__name__}")

        if drawer is not None:
            try:
                return drawer(value)
            except Exception:  # noqa: BLE001 - a figure that cannot be drawn is described in words
                return None

    return None


def _matplotlib(figure: Any) -> bytes:  # noqa: ANN401 - its library ships no types, and is not ours to import
    inches = max(*figure.get_size_inches(), 1e-3)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=min(_DPI, LONGEST_EDGE / inches), bbox_inches="tight")

    return file.getvalue()


def _matplotlib_axes(axes: Any) -> bytes:  # noqa: ANN401 - see above
    return _matplotlib(axes.get_figure())


def _plotly(figure: Any) -> bytes:  # noqa: ANN401 - see above
    # Raises where kaleido is not installed.
    return bytes(figure.to_image(format="png", width=1000, height=700))


def _pillow(image: Any) -> bytes:  # noqa: ANN401 - see above
    small = image.copy()
    small.thumbnail((LONGEST_EDGE, LONGEST_EDGE))
    file = io.BytesIO()
    small.convert("RGBA" if "A" in small.getbands() or small.mode == "P" else "RGB").save(file, format="PNG")

    return file.getvalue()


def _ipython(image: Any) -> bytes | None:  # noqa: ANN401 - see above
    return image.data if isinstance(image.data, bytes) else None


_DRAWERS: dict[str, Callable[[Any], bytes | None]] = {
    "IPython.Image": _ipython,
    "PIL.Image": _pillow,
    "matplotlib.Axes": _matplotlib_axes,
    "matplotlib.Figure": _matplotlib,
    "plotly.BaseFigure": _plotly,
}
"""By the library and the class that it draws."""


def _scaled(data: bytes) -> Picture | None:
    pillow: Any = sys.modules.get("PIL.Image")

    if pillow is None:
        return None

    try:
        with pillow.open(io.BytesIO(data)) as image:
            image.thumbnail((LONGEST_EDGE, LONGEST_EDGE))
            png = _pillow(image)

            if len(png) <= _MOST_BYTES:
                return Picture(media_type="image/png", data=png)

            file = io.BytesIO()
            image.convert("RGB").save(file, format="JPEG", quality=85)
    except Exception:  # noqa: BLE001 - of broken and of enormous images Pillow raises errors of many kinds
        return None

    return Picture(media_type="image/jpeg", data=file.getvalue())
