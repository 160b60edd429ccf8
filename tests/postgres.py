"""A PostgreSQL server of a test's own, on loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["postgres", "postgres_programs"]


def postgres_programs() -> Path | None:
    """Find the folder with the server's programs, where Debian or the path has them."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    on_path = shutil.which("initdb")

    return found[-1] if found else Path(on_path).parent if on_path else None


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server with an empty database, and give its URL."""
    programs = postgres_programs()
    assert programs is not None, "PostgreSQL is not installed"

    with tempfile.TemporaryDirectory(prefix="askwidgets-postgres-") as name, socket.socket() as free:
        folder = Path(name)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        user = _user(folder)
        _run(user, programs / "initdb", "-D", f"{folder}/data", "-U", "tester", "--auth=trust", "--no-sync")
        free.close()
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c fsync=off"
        _run(user, programs / "pg_ctl", "-D", f"{folder}/data", "-l", f"{folder}/log", "-w", "-o", options, "start")

        try:
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"
        finally:
            _run(user, programs / "pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop")


def _user(folder: Path) -> str | None:
    """Give the user to run as: the server refuses to run as root."""
    if os.geteuid() != 0:
        return None

    owner = pwd.getpwnam("postgres")
    os.chown(folder, owner.pw_uid, owner.pw_gid)

    return owner.pw_name


def _run(user: str | None, *command: str | Path) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        user=user,
        cwd="/",
        timeout=60,
    )
    assert done.returncode == 0, done.stdout.decode()
