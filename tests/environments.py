"""Virtual environments with the kernels that the tests run on, made on first use and kept.

They live under ``ASKWIDGETS_TEST_CACHE`` (``~/.cache/askwidgets-tests``), one per Python, kernel and content
of ``pyproject.toml``, with the repository installed editable. Test processes that want the same one at the
same time wait for each other.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import uv
from filelock import FileLock

__all__ = ["REPOSITORY", "Environment", "cache_folder", "isolated_variables", "python_program"]

REPOSITORY = Path(__file__).resolve().parents[1]
RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A Python, a kernel and what else must be in a virtual environment."""

    ipykernel: str
    """The exact version."""
    python: str = RUNNING
    """As in ``3.12``; by default the one that runs the tests."""
    requirements: tuple[str, ...] = ()
    """Further requirements, as pip takes them."""

    def __str__(self) -> str:
        return "-".join([f"ipykernel{self.ipykernel}", f"python{self.python}", *self.requirements])

    def interpreter(self) -> Path:
        """Give the path of its Python program, after making the environment where it is missing."""
        folder = cache_folder() / f"{self}-{self._key()}".replace("==", "").replace("/", "_").replace("<", "below")
        program = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        ready = folder / "ready"
        if ready.exists():
            return program

        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{folder}.lock"):
            if not ready.exists():
                self._make(folder, program)
                ready.touch()

        return program

    def _key(self) -> str:
        parts = [str(REPOSITORY).encode(), (REPOSITORY / "pyproject.toml").read_bytes(), repr(self).encode()]
        return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]

    def _make(self, folder: Path, program: Path) -> None:
        python = python_program(self.python)
        wanted = ["--editable", str(REPOSITORY), f"ipykernel=={self.ipykernel}", *self.requirements]
        shutil.rmtree(folder, ignore_errors=True)
        _run(python, "-m", "venv", str(folder))
        install = [uv.find_uv_bin(), "pip", "install", "--system-certs", "--python", str(program), *wanted]
        if subprocess.run(install, check=False, capture_output=True).returncode != 0:
            # uv is quick, but knows nothing of where pip is told to look.
            _run(str(program), "-m", "pip", "install", *wanted)


def python_program(version: str) -> str:
    """Find a Python of that version on this machine, pyenv's included.

    Raises:
        LookupError: there is none.
    """
    if version == RUNNING:
        return sys.executable

    pyenv = shutil.which("pyenv")
    roots = [Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))]
    if pyenv is not None:
        roots.append(Path(pyenv).resolve().parents[1])

    found = [str(path) for root in roots for path in sorted(root.glob(f"versions/{version}.*/bin/python"))]
    on_path = shutil.which(f"python{version}")
    for program in [*reversed(found), *([on_path] if on_path else [])]:
        if subprocess.run([program, "-c", ""], check=False, capture_output=True).returncode == 0:
            return program

    message = f"no Python {version} on this machine"
    raise LookupError(message)


def isolated_variables(folder: Path) -> dict[str, str]:
    """Give this machine's environment variables without a person's account and settings: all homes in ``folder``."""
    homes = {
        "HOME": "home",
        "CLAUDE_CONFIG_DIR": "claude",
        "IPYTHONDIR": "ipython",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "MPLCONFIGDIR": "matplotlib",
    }
    dropped = ("ANTHROPIC_", "CLAUDE", "JPY_", "JUPYTER", "PYTEST_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    for home in homes.values():
        (folder / home).mkdir(parents=True, exist_ok=True)

    return kept | {name: str(folder / home) for name, home in homes.items()}


def cache_folder() -> Path:
    """Give where environments, and other programs that tests need, are kept."""
    return Path(os.environ.get("ASKWIDGETS_TEST_CACHE", Path.home() / ".cache" / "askwidgets-tests"))


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)} failed:\n{done.stderr}"
