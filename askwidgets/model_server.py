"""The scripted model: a Messages API on loopback, so that the real CLI runs without an account."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from askwidgets.conversation import Conversation, ToolResult, parse_conversation
from askwidgets.loopback import LoopbackServer, error_response, json_response
from askwidgets.reply import Failure, Player, Reply, Text, reply_events, reply_message
from askwidgets.script import Script
from askwidgets.script_player import ScriptPlayer

__all__ = ["ModelServer", "reply_response"]

_CHUNK = 16_384
"""How many characters are sent at once where no pace is to be kept."""
_KEPT = 32
"""Requests: a kernel may run the scripted model for days, and each body is a quarter of a megabyte or more."""


@final
class ModelServer(LoopbackServer):
    """Answers for the model what a script, or another player, gives.

    ::

        with ModelServer(load_script("tour.yaml")) as server:
            options = ClaudeAgentOptions(env=server.env(config_dir), setting_sources=[])
    """

    def __init__(self, script: Script | Player, *, pace: float = 0.0) -> None:
        super().__init__(self._respond, name="model server")
        self._player: Player = ScriptPlayer(script) if isinstance(script, Script) else script
        self._pace = pace
        self._requests: deque[Mapping[str, object]] = deque(maxlen=_KEPT)
        self._changed = threading.Condition()

    @property
    def requests(self) -> tuple[Mapping[str, object], ...]:
        """The bodies of the conversations' latest requests, in the order in which they came."""
        with self._changed:
            return tuple(self._requests)

    @property
    def mismatches(self) -> tuple[str, ...]:
        """What came otherwise than expected, in words."""
        return self._player.mismatches

    def env(self, config_dir: Path | str) -> dict[str, str]:
        """Give the environment with which the CLI talks to this server and leaves the person's settings alone."""
        return {
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": self.key,
            "ANTHROPIC_AUTH_TOKEN": "",
            "ANTHROPIC_CUSTOM_HEADERS": "",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_OAUTH_TOKEN": "",
            "CLAUDE_CODE_USE_BEDROCK": "",
            "CLAUDE_CODE_USE_FOUNDRY": "",
            "CLAUDE_CODE_USE_VERTEX": "",
            "CLAUDE_CONFIG_DIR": str(config_dir),
            **self.direct_env(),
        }

    def tool_results(self) -> tuple[str, ...]:
        """Give what the model read from tools in those requests, in order; what later ones repeat counts once."""
        results: dict[ToolResult, None] = {}
        for body in self.requests:
            results |= dict.fromkeys(parse_conversation(body).all_tool_results)

        return tuple(result.text for result in results)

    def wait_for(self, predicate: Callable[[ModelServer], bool], timeout: float) -> None:
        """Wait until a request has made the predicate true.

        Raises:
            TimeoutError: It did not within ``timeout`` seconds.
        """
        deadline = time.monotonic() + timeout
        with self._changed:
            while not predicate(self):
                rest = deadline - time.monotonic()
                if rest <= 0:
                    raise TimeoutError(timeout)

                self._changed.wait(min(rest, 0.05))

    async def _respond(self, request: Request) -> Response:
        # The CLI looks first whether anybody is there, with HEAD.
        if request.method != "POST":
            return Response()

        try:
            body = json.loads(await request.body())
        except ValueError:
            body = None

        if not isinstance(body, dict):
            return error_response(400, "the body is no JSON object")

        if request.url.path.endswith("/count_tokens"):
            return json_response({"input_tokens": 10})

        if request.url.path != "/v1/messages":
            return json_response({})

        return self._reply(body)

    def _reply(self, body: Mapping[str, object]) -> Response:
        conversation = parse_conversation(body)
        reply: Reply | Failure = Reply(blocks=(Text(text="Scripted"),))
        # Without tools it is side work, such as a title for the conversation.
        if body.get("tools"):
            with self._changed:
                self._requests.append(body)
                reply = self._player.respond(conversation)
                self._changed.notify_all()

        return reply_response(reply, conversation, stream=body.get("stream") is True, pace=self._pace)


def reply_response(reply: Reply | Failure, conversation: Conversation, *, stream: bool, pace: float = 0.0) -> Response:
    """Give a reply as the Messages API does; deltas without a pace of their own keep ``pace``, in seconds."""
    if isinstance(reply, Failure):
        return error_response(reply.status, reply.message)

    if not stream:
        return json_response(reply_message(reply, conversation))

    return StreamingResponse(_streamed(reply, conversation, pace), media_type="text/event-stream")


async def _streamed(reply: Reply, conversation: Conversation, default_pace: float) -> AsyncIterator[str]:
    chunk: list[str] = []
    size = 0
    for event, pace in reply_events(reply, conversation):
        chunk.append(event)
        size += len(event)
        seconds = default_pace if pace is None else pace
        if seconds or size >= _CHUNK:
            yield "".join(chunk)
            chunk.clear()
            size = 0
            await asyncio.sleep(seconds)

    yield "".join(chunk)
