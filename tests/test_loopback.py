"""The guard of a loopback server, and its life."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from textwrap import dedent

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from askwidgets.loopback import KEY_HEADER, LoopbackServer


async def _hello(request: Request) -> Response:
    if request.url.path == "/fault":
        raise ValueError(request.url.path)

    return PlainTextResponse("hello")


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(_hello, name="test") as server:
        yield server


def _get(server: LoopbackServer, headers: dict[str, str], path: str = "/") -> tuple[int, str]:
    connection = HTTPConnection(server.url.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def test_the_key_is_taken_in_each_of_its_three_headers(server: LoopbackServer) -> None:
    for headers in ({"x-api-key": server.key}, {"Authorization": f"Bearer {server.key}"}, {KEY_HEADER: server.key}):
        assert _get(server, headers) == (200, "hello")


@pytest.mark.parametrize("headers", [{}, {"x-api-key": ""}, {"x-api-key": "guess"}, {"Authorization": "Bearer "}])
def test_without_the_key_nothing_is_said(server: LoopbackServer, headers: dict[str, str]) -> None:
    status, text = _get(server, headers)

    assert status == 401
    assert "hello" not in text
    assert server.key not in text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", ""])
def test_another_host_is_refused_also_with_the_key(server: LoopbackServer, host: str) -> None:
    assert _get(server, {"x-api-key": server.key, "Host": host})[0] == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
def test_a_web_page_is_refused_also_with_the_key(server: LoopbackServer, origin: str) -> None:
    assert _get(server, {"x-api-key": server.key, "Origin": origin})[0] == 403


def test_localhost_is_the_same_host(server: LoopbackServer) -> None:
    port = server.url.rpartition(":")[2]

    assert _get(server, {"x-api-key": server.key, "Host": f"localhost:{port}"})[0] == 200


def test_keys_differ_between_servers(server: LoopbackServer) -> None:
    with LoopbackServer(_hello, name="other") as other:
        assert other.key != server.key
        assert _get(other, {"x-api-key": server.key})[0] == 401


def test_only_loopback_is_bound(server: LoopbackServer) -> None:
    port = int(server.url.rpartition(":")[2])
    # Were it bound to every address, this second binding of the port would fail.
    with socket.socket() as other:
        other.bind(("127.0.0.2", port))

        assert other.getsockname()[1] == port


def test_a_fault_is_a_500_and_in_the_log(server: LoopbackServer, caplog: pytest.LogCaptureFixture) -> None:
    status, text = _get(server, {"x-api-key": server.key}, "/fault")

    assert status == 500
    assert "see the log" in text
    assert [record.name for record in caplog.records] == ["askwidgets"]


def test_close_frees_the_port_and_ends_the_thread(server: LoopbackServer) -> None:
    port = int(server.url.rpartition(":")[2])
    server.start()
    server.close()
    server.close()

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)

    assert "askwidgets test" not in [thread.name for thread in threading.enumerate()]


def test_close_ends_a_response_that_would_go_on_for_ever() -> None:
    async def endless(_: Request) -> Response:
        async def parts() -> object:
            while True:
                yield "."
                await asyncio.sleep(60)

        return StreamingResponse(parts())  # type: ignore[arg-type] # an async generator is what it takes

    with LoopbackServer(endless, name="endless") as server:
        connection = HTTPConnection(server.url.removeprefix("http://"), timeout=5)
        connection.request("GET", "/", headers={"x-api-key": server.key})
        response = connection.getresponse()
        assert response.read(1) == b"."
        server.close()
        with pytest.raises((HTTPException, ConnectionError)):
            response.read()

        connection.close()


def test_it_serves_where_nest_asyncio_was_applied() -> None:
    code = """
        import nest_asyncio
        nest_asyncio.apply()
        import urllib.request
        from starlette.responses import PlainTextResponse
        from askwidgets.loopback import LoopbackServer

        async def hello(_):
            return PlainTextResponse("hello")

        with LoopbackServer(hello, name="test") as server:
            request = urllib.request.Request(server.url, headers={"x-api-key": server.key})
            with urllib.request.urlopen(request, timeout=5) as response:
                print(response.read())
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, timeout=30, check=False)

    assert (done.stdout, done.stderr) == ("b'hello'\n", "")
