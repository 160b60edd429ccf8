"""What the first bytes of an image file tell: its type, among those that the Messages API takes, and its size."""

from __future__ import annotations

import struct

__all__ = ["image_size", "image_type"]

_MAGIC = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
    "image/webp": b"RIFF",
}


def image_type(data: bytes) -> str:
    """Give the media type; empty for what is none of these images."""
    media_type = next((kind for kind, magic in _MAGIC.items() if data.startswith(magic)), "")

    return "" if media_type == "image/webp" and data[8:12] != b"WEBP" else media_type


def image_size(data: bytes) -> tuple[int, int] | None:
    """Give width and height in pixels, where the file's head tells them."""
    if data.startswith(_MAGIC["image/png"]) and len(data) >= 24:  # noqa: PLR2004 - the end of the IHDR's size
        width, height = struct.unpack(">II", data[16:24])

        return int(width), int(height)

    if data.startswith(_MAGIC["image/gif"]) and len(data) >= 10:  # noqa: PLR2004 - the end of its screen's size
        width, height = struct.unpack("<HH", data[6:10])

        return int(width), int(height)

    return _jpeg_size(data) if data.startswith(_MAGIC["image/jpeg"]) else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    place = 2

    while place + 9 <= len(data) and data[place] == 0xFF:  # noqa: PLR2004 - every segment starts with it
        marker = data[place + 1]

        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:  # noqa: PLR2004 - the frame headers
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])

            return int(width), int(height)

        place += 2 + int(struct.unpack(">H", data[place + 2 : place + 4])[0])

    return None
