"""A kernel on another machine, as far as one machine can show it: behind a Jupyter Kernel Gateway."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
import websocket

from tests.agent import QUESTION
from tests.browser import ended
from tests.environments import Environment, isolated_variables

pytestmark = [pytest.mark.kernel, pytest.mark.matrix, pytest.mark.timeout(240)]

T = TypeVar("T")
TIMEOUT = 90.0
SCRIPT = f"""
- - ask: {QUESTION}
  - say: "The model read: {{last_result}}"
"""


@contextmanager
def gateway(folder: Path) -> Iterator[str]:
    """Start a gateway, and give the address that it serves at."""
    program = Environment(ipykernel="7.4.0", requirements=("jupyter_kernel_gateway<4",)).interpreter()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    process = subprocess.Popen(
        [str(program.parent / "jupyter-kernelgateway"), f"--KernelGatewayApp.port={port}"],
        cwd=folder,
        env=isolated_variables(folder),
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    with process, ended(process):
        started = threading.Event()

        def read() -> None:
            for line in process.stderr or ():
                if f"at http://127.0.0.1:{port}" in line:
                    started.set()

        threading.Thread(target=read, daemon=True).start()
        assert started.wait(TIMEOUT), "the gateway did not start"
        yield f"http://127.0.0.1:{port}"


class RemoteKernel:
    """A frontend that has nothing but the websocket."""

    def __init__(self, address: str) -> None:
        request = urllib.request.Request(f"{address}/api/kernels", data=b"{}", method="POST")  # noqa: S310 - loopback
        with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:  # noqa: S310
            kernel_id = json.load(reply)["id"]

        self._session = uuid.uuid4().hex
        self._socket = websocket.create_connection(
            f"{address.replace('http', 'ws')}/api/kernels/{kernel_id}/channels", timeout=TIMEOUT
        )
        self._socket.settimeout(1)
        self.widgets: dict[str, dict[str, Any]] = {}
        """The states of the models, by comm id."""
        self.outputs: list[str] = []
        """All that cells have shown, as JSON."""

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def execute(self, code: str) -> None:
        """Send a cell."""
        self._send("execute_request", {"code": code, "silent": False, "allow_stdin": True, "stop_on_error": True})

    def send_comm(self, comm_id: str, data: dict[str, object]) -> None:
        """Send a comm message."""
        self._send("comm_msg", {"comm_id": comm_id, "data": data})

    def wait_for(self, found: Callable[[], T], what: str) -> T:
        """Take in messages until something is found."""
        deadline = time.monotonic() + TIMEOUT
        while not (value := found()):
            assert time.monotonic() < deadline, f"waited {TIMEOUT:g} s for {what}: {self.outputs}"
            self._receive()

        return value

    def widget(self, **state: object) -> Callable[[], str]:
        """Look for the model with this state."""
        wanted = state.items()
        return lambda: next((comm for comm, found in self.widgets.items() if wanted <= _hashable(found).items()), "")

    def _send(self, kind: str, content: dict[str, object]) -> None:
        header = {
            "msg_id": uuid.uuid4().hex,
            "msg_type": kind,
            "session": self._session,
            "username": "",
            "version": "5.3",
        }
        message = {"channel": "shell", "header": header, "parent_header": {}, "metadata": {}, "content": content}
        self._socket.send(json.dumps(message))

    def _receive(self) -> None:
        try:
            message = json.loads(self._socket.recv())
        except websocket.WebSocketTimeoutException:
            return

        kind, content = message["msg_type"], message["content"]
        if kind == "comm_open":
            self.widgets[content["comm_id"]] = dict(content["data"].get("state", {}))
        elif kind == "comm_msg" and content["data"].get("method") == "update":
            self.widgets[content["comm_id"]].update(content["data"]["state"])
        elif kind in {"stream", "display_data", "update_display_data", "error"}:
            self.outputs.append(json.dumps(content))


def _hashable(state: dict[str, Any]) -> dict[str, object]:
    return {name: value for name, value in state.items() if isinstance(value, str | bool | int | None)}


def test_a_question_is_answered_over_the_gateways_websocket(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text(SCRIPT)

    with gateway(tmp_path) as address, contextlib.closing(RemoteKernel(address)) as kernel:
        kernel.execute("%load_ext askwidgets\n%claude demo script.yaml")
        kernel.execute("%%claude --into turn\nPlease ask me.")
        kernel.execute("print('The next cell has', turn.answers)")
        radios = kernel.wait_for(kernel.widget(_model_name="RadioButtonsModel"), "the options")
        kernel.send_comm(radios, {"method": "update", "state": {"index": 1}, "buffer_paths": []})
        submit = kernel.wait_for(kernel.widget(description="Submit answers", disabled=False), "the button")
        kernel.send_comm(submit, {"method": "custom", "content": {"event": "click"}})

        wanted = "The next cell has {'Which store should hold sessions?': 'SQLite'}"
        kernel.wait_for(lambda: any(wanted in output for output in kernel.outputs), "the next cell")
        assert any("Answered" in output for output in kernel.outputs)
