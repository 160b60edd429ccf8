"""Record what the model's service answers through a proxy on loopback, and replay it without the service."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import final

import httpx
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from typing_extensions import override

from askwidgets.conversation import Conversation, parse_conversation
from askwidgets.errors import RecordingError
from askwidgets.fingerprint import Fingerprint, fingerprint
from askwidgets.loopback import KEY_HEADER, LoopbackServer, error_response
from askwidgets.model_server import reply_response
from askwidgets.recorded import Exchange, Recording, load_recording, save_recording
from askwidgets.redaction import Redaction
from askwidgets.reply import Block, Failure, Reply, ToolUse
from askwidgets.reply_reader import ReplyReader

__all__ = ["RecordingProxy", "Replay"]

_SERVICE = "https://api.anthropic.com"
_CREDENTIALS = ("x-api-key", "authorization", "cookie", "proxy-authorization")
_KEPT_HERE = {"host", "content-length", "connection", "accept-encoding", "transfer-encoding", KEY_HEADER}
_NOT_PASSED_ON = {"content-length", "content-encoding", "connection", "keep-alive", "transfer-encoding", "set-cookie"}


class Replay:
    """Plays a recording to the model server: each request gets what was answered to the same content.

    ::

        with ModelServer(Replay(load_recording("tour.recording.yaml"))) as server:
            options = ClaudeAgentOptions(env=server.env(config_dir), setting_sources=[])
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._mismatches: dict[str, None] = {}

    @property
    def mismatches(self) -> tuple[str, ...]:
        """Every request that the recording has no answer to, in words."""
        return tuple(self._mismatches)

    def respond(self, conversation: Conversation) -> Reply | Failure:
        """Give what was recorded for this content."""
        redaction = Redaction(directory=conversation.directory)
        request = fingerprint(conversation, redaction)
        reply = self._recording.find(request)
        if reply is not None:
            return _here(reply, redaction)

        words = self._recording.mismatch(request)
        self._mismatches[words] = None
        return Failure(status=400, message=words)


def _here(reply: Reply, redaction: Redaction) -> Reply:
    """Give a recorded reply with the directories of this machine."""
    return replace(reply, blocks=tuple(_with(block, redaction, undo=True) for block in reply.blocks))


def _anywhere(reply: Reply, redaction: Redaction) -> Reply:
    """Give a reply as it is recorded: without secrets and directories."""
    return replace(reply, blocks=tuple(_with(block, redaction, undo=False) for block in reply.blocks))


def _with(block: Block, redaction: Redaction, *, undo: bool) -> Block:
    if isinstance(block, ToolUse):
        given = redaction.undone_in_input(block.input) if undo else redaction.applied_to_input(block.input)
        return replace(block, input=given)

    return replace(block, text=redaction.undone(block.text) if undo else redaction.applied(block.text))


@final
class RecordingProxy(LoopbackServer):
    """Stands before the model's service and writes down what it answers.

    ::

        with RecordingProxy("tour.recording.yaml", missing=True) as proxy:
            options = ClaudeAgentOptions(env=proxy.env())

    The old file stays until the service has answered for the first time.
    """

    def __init__(self, path: Path | str, *, missing: bool = False, service: str | None = None) -> None:
        """Prepare to record to ``path``.

        Args:
            path: The recording's file.
            missing: Play what the file holds already, and record only what is new.
            service: Where the service is; by default what ``ANTHROPIC_BASE_URL`` says, or Anthropic's own.

        Raises:
            RecordingError: ``missing``, and what is in the file is no recording.
        """
        super().__init__(self._respond, name="recording proxy", finish=self._close_client)
        self._path = Path(path)
        self._missing = missing
        self._service = (service or os.environ.get("ANTHROPIC_BASE_URL") or _SERVICE).rstrip("/")
        self._recording = Recording(source=str(path))
        if missing and self._path.exists():
            self._recording = load_recording(path)

        self._places: dict[tuple[str, str], int] = {}
        self._unwritten: RecordingError | None = None
        self._client: httpx.AsyncClient | None = None

    @property
    def recording(self) -> Recording:
        """What was recorded so far."""
        return self._recording

    @override
    def close(self) -> None:
        """Stop serving.

        Raises:
            RecordingError: What was recorded last could not be written.
        """
        super().close()
        try:
            self.save()
        finally:
            self._unwritten = None

    def save(self) -> None:
        """Write what could not be written before.

        Raises:
            RecordingError: It still cannot be; it is kept, and recording goes on.
        """
        if self._unwritten is not None:
            save_recording(self._recording, self._path)
            self._unwritten = None

    def warning(self) -> str:
        """Say why what was recorded last is not written; empty where it is."""
        return "" if self._unwritten is None else str(self._unwritten)

    def env(self) -> dict[str, str]:
        """Give the environment with which the CLI goes through here, signed in as it is."""
        headers = [os.environ.get("ANTHROPIC_CUSTOM_HEADERS", ""), f"{KEY_HEADER}: {self.key}"]
        return {
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_CUSTOM_HEADERS": "\n".join(filter(None, headers)),
            **self.direct_env(),
        }

    async def _close_client(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _respond(self, request: Request) -> Response:
        body = await request.body()
        fields = _conversation_fields(request, body)
        if fields is None:
            return await self._forward(request, body, None)

        conversation = parse_conversation(fields)
        given = [request.headers.get(name, "").removeprefix("Bearer ") for name in _CREDENTIALS]
        redaction = Redaction(directory=conversation.directory, secrets=[*given, self.key])
        asked = fingerprint(conversation, redaction)
        known = self._recording.find(asked) if self._missing else None
        if known is not None:
            return reply_response(_here(known, redaction), conversation, stream=fields.get("stream") is True)

        # Where it stands in the file follows from when it was asked, not from when it was answered.
        self._places.setdefault((asked.request, asked.before), len(self._places))
        return await self._forward(request, body, (asked, redaction))

    async def _forward(self, request: Request, body: bytes, asked: tuple[Fingerprint, Redaction] | None) -> Response:
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=None)  # noqa: S113 - how long to wait is the CLI's to say

        query = f"?{request.url.query}" if request.url.query else ""
        headers = [(name, value) for name, value in request.headers.items() if name not in _KEPT_HERE]
        passed_on = self._client.build_request(
            request.method, f"{self._service}{request.url.path}{query}", headers=headers, content=body
        )
        passed_on.headers["accept-encoding"] = "identity"
        try:
            response = await self._client.send(passed_on, stream=True)
        except httpx.HTTPError as error:
            return error_response(502, f"the service cannot be reached through the recording proxy ({error})")

        headers_back = {name: value for name, value in response.headers.items() if name not in _NOT_PASSED_ON}
        answered = asked if response.status_code == httpx.codes.OK else None
        return StreamingResponse(self._relayed(response, answered), response.status_code, headers_back)

    async def _relayed(
        self, response: httpx.Response, asked: tuple[Fingerprint, Redaction] | None
    ) -> AsyncIterator[bytes]:
        reader = ReplyReader(plain="json" in response.headers.get("content-type", ""))
        try:
            async for chunk in response.aiter_bytes():
                reader.feed(chunk)
                # Before the last chunk goes out: the client may hang up as soon as it has it.
                if reader.reply is not None:
                    self._keep(asked, reader.reply)
                    asked = None

                yield chunk

            reader.finish()
            if reader.reply is not None:
                self._keep(asked, reader.reply)
        finally:
            await response.aclose()

    def _keep(self, asked: tuple[Fingerprint, Redaction] | None, reply: Reply) -> None:
        if asked is None:
            return

        request, redaction = asked
        known = {(exchange.request.request, exchange.request.before) for exchange in self._recording.exchanges}
        if (request.request, request.before) in known:
            return

        exchanges = [*self._recording.exchanges, Exchange(request=request, reply=_anywhere(reply, redaction))]
        exchanges.sort(key=lambda exchange: self._place(exchange.request))
        self._recording = replace(self._recording, exchanges=tuple(exchanges))
        try:
            save_recording(self._recording, self._path)
        except RecordingError as error:
            self._unwritten = error
        else:
            self._unwritten = None

    def _place(self, request: Fingerprint) -> int:
        # What the file held already stays in front.
        return self._places.get((request.request, request.before), -1)


def _conversation_fields(request: Request, body: bytes) -> Mapping[str, object] | None:
    if request.method != "POST" or request.url.path != "/v1/messages":
        return None

    try:
        fields = json.loads(body)
    except ValueError:
        return None

    return fields if isinstance(fields, dict) and fields.get("tools") else None
