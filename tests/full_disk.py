"""A small disk of its own that a test can fill, where the system lets it mount one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

__all__ = ["SmallDisk", "small_disk"]

_SIZE = "1m"
_BLOCK = b"x" * 4096


class SmallDisk:
    """A disk in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Leave no byte free."""
        with self._filler.open("ab", buffering=0) as file:
            for piece in (_BLOCK, b"x"):
                with suppress(OSError):
                    while True:
                        file.write(piece)

    def make_room(self) -> None:
        """Free what was filled."""
        self._filler.unlink()


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """Mount it at ``folder``; skips the test where that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)]

    if not sys.platform.startswith("linux") or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("no disk can be mounted here")

    try:
        yield SmallDisk(folder)
    finally:
        # A process of the test may still be ending in it.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
