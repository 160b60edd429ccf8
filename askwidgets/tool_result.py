"""What a tool gave back: its text, cut where it is long, and its images."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass

from askwidgets.image_format import image_type

__all__ = ["Image", "ToolResult", "cut_text", "parse_result"]

LONGEST = 10_000
LARGEST_IMAGE = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image in a result, known to be one."""

    media_type: str
    data: str
    """In base64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What one tool use gave back."""

    text: str = ""
    images: tuple[Image, ...] = ()
    is_error: bool = False


def parse_result(content: object, *, is_error: bool = False) -> ToolResult:
    """Read the content of a tool result: text, or blocks of text and images."""
    if content is None or isinstance(content, str):
        return ToolResult(text=content or "", is_error=is_error)

    texts: list[str] = []
    images: list[Image] = []

    for block in content if isinstance(content, list) else [content]:
        image = _parse_image(block)

        if image is not None:
            images.append(image)
        else:
            texts.append(_block_text(block))

    return ToolResult(text="\n".join(texts), images=tuple(images), is_error=is_error)


def cut_text(text: str, longest: int = LONGEST) -> tuple[str, str]:
    """Give a text short enough to stay in a notebook, and a note of what was left out, if anything was."""
    if len(text) <= longest:
        return text, ""

    tail = longest // 5
    shown = f"{text[: longest - tail]}\n…\n{text[-tail:]}"

    return shown, f"{_size(text)} in all, cut here; the whole is in the turn's tool_uses"


def _size(text: str) -> str:
    kilobytes = len(text.encode(errors="replace")) / 1000

    return f"{kilobytes:.0f} kB" if kilobytes < 1000 else f"{kilobytes / 1000:.1f} MB"  # noqa: PLR2004


def _block_text(block: object) -> str:
    if isinstance(block, Mapping):
        text = block.get("text")

        if isinstance(text, str):
            return text

        if block.get("type") == "image":
            return "[an image that cannot be shown]"

    return json.dumps(block, ensure_ascii=False, indent=2, default=str)


def _parse_image(block: object) -> Image | None:
    source = block.get("source", block) if isinstance(block, Mapping) and block.get("type") == "image" else None

    if not isinstance(source, Mapping):
        return None

    data = source.get("data")
    media_type = source.get("media_type", source.get("mimeType"))

    if not isinstance(data, str) or not isinstance(media_type, str) or len(data) > LARGEST_IMAGE:
        return None

    try:
        decoded = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None

    return Image(media_type=media_type, data=data) if media_type and image_type(decoded) == media_type else None
