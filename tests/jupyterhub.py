"""A real JupyterHub on loopback, with its proxy: whoever logs in gets a server, and nobody is a user of the system.

The hub is installed into an environment of its own; its proxy, npm's ``configurable-http-proxy``, beside them.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from filelock import FileLock

from tests.browser import ended
from tests.environments import Environment, cache_folder, isolated_variables

__all__ = ["PASSWORD", "hub"]

ENVIRONMENT = Environment(ipykernel="7.4.0", requirements=("jupyterhub<6", "jupyterlab<4.7"))
PROXY = "configurable-http-proxy@4"
PASSWORD = "of the test"  # noqa: S105 - it guards a folder of the test's
TIMEOUT = 90.0
CONFIG = """
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = {password!r}
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r}
c.Spawner.cmd = [{python!r}, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--allow-root"]
c.Spawner.environment = {variables!r}
c.Spawner.http_timeout = c.Spawner.start_timeout = {timeout!r}
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub_port}"
c.ConfigurableHTTPProxy.command = [{node!r}, {proxy!r}]
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api_port}"
"""


@contextmanager
def hub(folder: Path, *, variables: Mapping[str, str]) -> Iterator[str]:
    """Start a hub, and give the address of its login; each person's home is a folder below ``folder/homes``.

    Args:
        folder: an empty folder of the test's own.
        variables: what the single-user servers have in their environment.
    """
    python = ENVIRONMENT.interpreter()
    port, hub_port, api_port = _free_ports(3)
    config = folder / "jupyterhub_config.py"
    config.write_text(
        CONFIG.format(
            password=PASSWORD,
            homes=str(folder / "homes" / "{username}"),
            python=str(python),
            variables=dict(variables),
            timeout=int(TIMEOUT),
            port=port,
            hub_port=hub_port,
            api_port=api_port,
            node=_node(),
            proxy=str(_proxy()),
        ),
        encoding="utf-8",
    )
    process = subprocess.Popen(
        [str(python), "-m", "jupyterhub", "--config", str(config)],
        cwd=folder,
        env=isolated_variables(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    with process, ended(process):
        _wait_until_ready(process)
        yield f"http://127.0.0.1:{port}"


def _wait_until_ready(process: subprocess.Popen[str]) -> None:
    ready = threading.Event()
    log: list[str] = []

    def read() -> None:
        for line in process.stdout or ():
            log.append(line)
            if "JupyterHub is now running" in line:
                ready.set()

    threading.Thread(target=read, daemon=True).start()
    assert ready.wait(TIMEOUT), "the hub did not start:\n" + "".join(log)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [free.getsockname()[1] for free in sockets]


def _node() -> str:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None or sys.platform == "win32":
        pytest.skip("the hub's proxy needs node and npm, and the hub no Windows")

    return node


def _proxy() -> Path:
    """Give the proxy's program, after installing it where it is missing."""
    folder = cache_folder() / PROXY.replace("@", "-")
    program = folder / "node_modules" / ".bin" / "configurable-http-proxy"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not program.exists():
            command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), PROXY]
            done = subprocess.run(command, check=False, capture_output=True, text=True, env=dict(os.environ))
            assert done.returncode == 0, done.stderr

    return program.resolve()
