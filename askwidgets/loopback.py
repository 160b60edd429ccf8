"""An HTTP server on loopback, in a thread of its own, that only those who hold its key can use."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable

import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from typing_extensions import Self

__all__ = ["KEY_HEADER", "Endpoint", "LoopbackServer", "error_response", "json_response"]

Endpoint = Callable[[Request], Awaitable[Response]]
"""What answers a request that passed the guard."""

KEY_HEADER = "x-askwidgets-key"
"""Carries the key where ``x-api-key`` carries the person's own credentials."""

_logger = logging.getLogger("askwidgets")
_CLOSE_TIMEOUT = 5.0


class LoopbackServer:
    """Serves one endpoint on 127.0.0.1 at a free port, from ``start`` to ``close``.

    ::

        with LoopbackServer(endpoint, name="model server") as server:
            print(server.url, server.key)
    """

    def __init__(self, endpoint: Endpoint, *, name: str, finish: Callable[[], Awaitable[None]] | None = None) -> None:
        self.key: str = secrets.token_urlsafe(32)
        """The only key that it takes."""
        self._endpoint = endpoint
        self._name = name
        self._finish = finish
        self._socket: socket.socket | None = None
        self._port = 0
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Where it listens, or listened last."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Bind and serve; a second call changes nothing."""
        if self._thread is not None:
            return

        # Listening before the thread runs means that no client can come too early.
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._port = self._socket.getsockname()[1]
        config = uvicorn.Config(
            self._application,
            access_log=False,
            interface="asgi3",
            lifespan="off",
            log_config=None,
            log_level="critical",
            proxy_headers=False,
            server_header=False,
            # Python waits from 3.12 on for connections that are open: also for a response that goes on for ever.
            timeout_graceful_shutdown=0,
            ws="none",
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name=f"askwidgets {self._name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving, also in the middle of a response; a second call changes nothing."""
        if self._server is None or self._thread is None:
            return

        self._server.should_exit = True
        self._thread.join(_CLOSE_TIMEOUT)
        self._server = self._thread = None

    def direct_env(self) -> dict[str, str]:
        """Give the variables with which no proxy of the person's is asked for what is on this machine."""
        direct = ",".join(filter(None, [os.environ.get("NO_PROXY", ""), "127.0.0.1", "localhost"]))
        return {"NO_PROXY": direct, "no_proxy": direct}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        # Not asyncio.run: where nest_asyncio was applied, that one no longer takes what uvicorn gives it.
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(self._serve())
        finally:
            loop.close()

    async def _serve(self) -> None:
        server = self._server

        if server is None or self._socket is None:
            return

        with self._socket as listening:
            await server.serve(sockets=[listening])

        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()

        await asyncio.gather(*rest, return_exceptions=True)

        # A response that was broken off leaves its connection open.
        for connection in list(server.server_state.connections):
            connection.transport.abort()

        if self._finish is not None:
            await self._finish()

        # Transports close one pass of the loop after they are told to.
        await asyncio.sleep(0)
        await asyncio.get_running_loop().shutdown_asyncgens()

    async def _application(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = self._refusal(request) or await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        try:
            return await self._endpoint(request)
        except Exception as error:
            # The message, and so the traceback, may quote the prompt.
            _logger.error("the %s failed (%s); DEBUG logs why", self._name, type(error).__name__)  # noqa: TRY400
            _logger.debug("the %s failed", self._name, exc_info=True)
            return error_response(500, f"the {self._name} failed; see the log named askwidgets")

    def _refusal(self, request: Request) -> Response | None:
        # A page in a browser that was led here by DNS rebinding has the wrong Host, or an Origin.
        if request.headers.get("host") not in {f"127.0.0.1:{self._port}", f"localhost:{self._port}"}:
            return error_response(403, f"this server answers only to 127.0.0.1:{self._port}")

        if "origin" in request.headers:
            return error_response(403, "this server answers no web page")

        if not self._holds_key(request):
            return error_response(401, "this server needs the key that it made")

        return None

    def _holds_key(self, request: Request) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        given = (request.headers.get(KEY_HEADER, ""), request.headers.get("x-api-key", ""), bearer)
        return any(secrets.compare_digest(key.encode(), self.key.encode()) for key in given)


_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def error_response(status: int, message: str) -> Response:
    """Say no as the Messages API does (https://docs.claude.com/en/api/errors)."""
    error = {"type": _ERROR_TYPES.get(status, "api_error"), "message": message}
    return json_response({"type": "error", "error": error}, status=status)


def json_response(value: object, *, status: int = 200) -> Response:
    """Answer in JSON that is plain ASCII, so that half a surrogate pair in model text breaks nothing."""
    return Response(json.dumps(value), status, media_type="application/json")
