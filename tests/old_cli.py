"""Older Claude Code CLIs, fetched from the npm registry on first use and kept.

They live beside the environments of ``tests/environments.py``.
"""

from __future__ import annotations

import platform
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from tests.environments import cache_folder

__all__ = ["old_cli", "without_callback"]

_MACHINES = {"aarch64": "arm64", "amd64": "x64", "x86_64": "x64"}
_LAUNCH = """
import os, sys
words = sys.argv[1:]
if "--permission-prompt-tool" in words:
    place = words.index("--permission-prompt-tool")
    del words[place : place + 2]
os.execv(words[0], words)
"""


def old_cli(version: str) -> Path:
    """Give the program of that version, after fetching it where it is missing."""
    folder = cache_folder() / f"claude-{version}"
    program = folder / "package/claude"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "ready").exists():
            machine = platform.machine().lower()
            package = f"@anthropic-ai/claude-code-{sys.platform}-{_MACHINES.get(machine, machine)}@{version}"
            pack = ["npm", "pack", "--silent", package]
            packed = subprocess.run(pack, cwd=folder, check=True, capture_output=True, text=True, timeout=300)
            archive = folder / packed.stdout.split()[-1]
            shutil.unpack_archive(archive, folder, "gztar")
            archive.unlink()
            program.chmod(0o755)
            (folder / "ready").touch()

    return program


def without_callback(cli: Path, folder: Path) -> Path:
    """Write a program that starts ``cli`` as a host does that asks nobody: without a permission callback."""
    script = folder / "without_callback.py"
    script.write_text(_LAUNCH)
    program = folder / "without_callback"
    program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, str(script), str(cli)])} "$@"\n')
    program.chmod(0o755)

    return program
