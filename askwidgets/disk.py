"""The disk that holds the CLI's files: the CLI goes on without a word where it takes nothing more."""

from __future__ import annotations

import shutil

from askwidgets.session_options import SessionOptions, config_directory

__all__ = ["full_disk_text"]

_LEAST = 16 * 1024
"""Bytes that one entry of a conversation may well have."""


def full_disk_text(options: SessionOptions) -> str:
    """Say that the conversation is not kept, where that is so; empty where it is."""
    directory = config_directory(options)

    try:
        place = next(place for place in (directory, *directory.parents) if place.exists())
        is_full = shutil.disk_usage(place).free < _LEAST
    except (OSError, StopIteration):
        return ""

    if not is_full:
        return ""

    return (
        f"The disk that holds {directory} is full. The conversation goes on, but it is not kept whole: "
        "it cannot be resumed as it was. Make room there."
    )
