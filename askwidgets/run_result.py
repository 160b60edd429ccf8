"""What code run for the agent leaves: rich outputs in the cell, and text and images for the model."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from askwidgets.display import CellOutputs, Output
from askwidgets.hidden import ESCAPE_SEQUENCE
from askwidgets.kernel_run import CodeRun, Shown
from askwidgets.picture import Picture, parse_picture

__all__ = ["RunOutputs", "run_content"]

MOST_BYTES = 20_000
"""Of text that the model gets."""
_MOST_PICTURES = 10
_WORDS = ("text/markdown", "text/latex", "text/plain")


class RunOutputs:
    """Shows in the cell what is more than text; the text stands in the tool's row."""

    def __init__(self, outputs: CellOutputs) -> None:
        self._outputs = outputs
        self._shown: dict[str, Output] = {}

    def show(self, shown: Shown) -> None:
        """Show it, or replace what it is an update of."""
        if shown.is_update and shown.display_id in self._shown:
            self._shown[shown.display_id].update(shown.data)
        elif not shown.is_update and shown.data.keys() - {"text/plain"}:
            output = self._outputs.show(shown.data)

            if shown.display_id:
                self._shown[shown.display_id] = output


def run_content(run: CodeRun) -> dict[str, object]:
    """Give the result of the tool: text first, then images."""
    texts = ["".join(run.text)]
    pictures: list[Picture] = []

    for shown in run.shown:
        picture = _picture(shown.data)

        if picture is None:
            texts.append(_words(shown.data))
        elif len(pictures) < _MOST_PICTURES:
            pictures.append(picture)
            texts.append(f"[image {len(pictures)} below]")
        else:
            texts.append("[an image more than can be shown]")

    texts.append(ESCAPE_SEQUENCE.sub("", run.error))
    text = "\n".join(part.rstrip("\n") for part in texts if part.strip())
    told = _cut_bytes(text, MOST_BYTES) or "It ran, and gave no output."

    return {
        "content": [{"type": "text", "text": told}, *(picture.mcp_block() for picture in pictures)],
        "is_error": bool(run.error),
    }


def _picture(data: Mapping[str, object]) -> Picture | None:
    for kind in ("image/png", "image/jpeg", "image/gif", "image/webp"):
        image = data.get(kind)

        try:
            decoded = image if isinstance(image, bytes) else base64.b64decode(image if isinstance(image, str) else "")
        except (binascii.Error, ValueError):
            continue

        picture = parse_picture(decoded)

        if picture is not None:
            return picture

    return None


def _words(data: Mapping[str, object]) -> str:
    """Give an output as text; plain text last, since it may be no more than a class and an address."""
    plain = data.get("text/plain")

    if isinstance(plain, str) and plain and not plain.startswith("<"):
        return plain

    words = next((data[kind] for kind in _WORDS if isinstance(data.get(kind), str) and data[kind]), "")
    others = [kind for kind in data if kind not in _WORDS]

    return str(words) or f"[output of kind {', '.join(others)}, shown in the notebook]"


def _cut_bytes(text: str, most: int) -> str:
    encoded = text.encode("utf-8", "replace")

    if len(encoded) <= most:
        return text

    tail = most // 5
    first, last = (part.decode("utf-8", "ignore") for part in (encoded[: most - tail], encoded[-tail:]))

    return f"{first}\n[… cut: {len(encoded) / 1000:,.0f} kB in all …]\n{last}"
