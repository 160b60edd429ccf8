"""The scripted model: a Messages API on loopback, so that the real CLI runs without an account."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response, StreamingResponse

from askwidgets.conversation import (
    Conversation,
    Failure,
    Player,
    Reply,
    Text,
    Thinking,
    TokenCount,
    ToolUse,
    parse_conversation,
    reply_events,
    reply_message,
)
from askwidgets.loopback import LoopbackServer, error_response
from askwidgets.script import Expect, Fail, Pace, Say, Script, Step, Think, Together, Turn, Usage, Use

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from starlette.requests import Request

    from askwidgets.conversation import Block

__all__ = ["ModelServer", "ScriptPlayer"]

_CHUNK = 16_384
_NOTHING_LEFT = "Done."


class ScriptPlayer:
    """Plays a script: where it stands follows from the conversation alone."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._in_order = [turn for turn in script.turns if turn.when is None]
        self._failures: Counter[tuple[str, int, int, int]] = Counter()
        self._mismatches: dict[str, None] = {}

    @property
    def mismatches(self) -> tuple[str, ...]:
        """Every ``expect`` that did not hold, in words."""
        return tuple(self._mismatches)

    def respond(self, conversation: Conversation) -> Reply | Failure:
        """Give the message of the script that belongs here."""
        turn = self._turn(conversation)
        if turn is None:
            return Failure(status=400, message=self._no_turn(conversation))

        groups = turn.groups()
        group = groups[conversation.replies] if conversation.replies < len(groups) else ()
        failure = self._failure(group, turn, conversation)
        if failure is not None:
            return failure

        mismatch = self._mismatch(group, conversation)
        if mismatch:
            return Reply(blocks=(Text(text=mismatch),))

        before = [step for earlier in groups[: conversation.replies] for step in earlier]
        return _reply(group, conversation, pace=_last_pace(before))

    def _turn(self, conversation: Conversation) -> Turn | None:
        for turn in self._script.turns:
            if turn.when is not None and fnmatchcase(conversation.prompt, _pattern(turn.when)):
                return turn

        place = sum(not self._fits_any(prompt) for prompt in conversation.prompts)
        return self._in_order[place - 1] if 1 <= place <= len(self._in_order) else None

    def _fits_any(self, prompt: str) -> bool:
        return any(turn.when is not None and fnmatchcase(prompt, _pattern(turn.when)) for turn in self._script.turns)

    def _no_turn(self, conversation: Conversation) -> str:
        prompt = conversation.prompt
        shown = prompt if len(prompt) <= 200 else f"{prompt[:200]}..."
        return (
            f"the script {self._script.source} has no turn {len(conversation.prompts)} for the prompt {shown!r}; "
            f"it has {len(self._in_order)} in order, and no pattern of a turn with 'when' fits. Add a turn to it."
        )

    def _failure(self, group: Sequence[Step], turn: Turn, conversation: Conversation) -> Failure | None:
        for index, step in enumerate(group):
            if isinstance(step, Fail):
                place = (conversation.session_id, turn.line, len(conversation.prompts), 1000 * conversation.replies + index)
                self._failures[place] += 1
                if step.times is None or self._failures[place] <= step.times:
                    return Failure(status=step.status, message=step.message)

        return None

    def _mismatch(self, group: Sequence[Step], conversation: Conversation) -> str:
        came = "\n".join(result.text for result in conversation.tool_results)
        for step in group:
            if isinstance(step, Expect) and step.text not in came:
                what = f"what came was {came!r}" if conversation.tool_results else "no tool result came"
                mismatch = f"{self._script.source}, line {step.line}: expected {step.text!r} in the tool result; {what}."
                self._mismatches[mismatch] = None
                return mismatch

        return ""


def _pattern(when: str) -> str:
    # Only the star is special.
    return when.replace("[", "[[]").replace("?", "[?]")


def _last_pace(steps: Sequence[Step]) -> float | None:
    paces = [step.seconds for step in steps if isinstance(step, Pace)]
    return paces[-1] if paces else None


def _reply(group: Sequence[Step], conversation: Conversation, *, pace: float | None) -> Reply:
    blocks: list[Block] = []
    usage = TokenCount()
    for step in group:
        if isinstance(step, Say):
            last = conversation.tool_results[-1].text if conversation.tool_results else ""
            blocks.append(Text(text=step.text.replace("{last_result}", last), pace=pace))
        elif isinstance(step, Think):
            blocks.append(Thinking(text=step.text, pace=pace))
        elif isinstance(step, (Use, Together)):
            uses = step.uses if isinstance(step, Together) else (step,)
            blocks.extend(ToolUse(tool=use.tool, input=use.input, pace=pace) for use in uses)
        elif isinstance(step, Pace):
            pace = step.seconds
        elif isinstance(step, Usage):
            usage = TokenCount(
                input_tokens=step.input_tokens,
                output_tokens=step.output_tokens,
                cache_read_input_tokens=step.cache_read_input_tokens,
            )

    if not any(isinstance(block, (Text, ToolUse)) for block in blocks):
        # The CLI prompts again after a message that shows nothing.
        blocks.append(Text(text=_NOTHING_LEFT, pace=pace))

    return Reply(blocks=tuple(blocks), usage=usage)


class ModelServer:
    """Answers for the model what a script, or another player, gives.

    ::

        with ModelServer(load_script("tour.yaml")) as server:
            options = ClaudeAgentOptions(env=server.env(config_dir), setting_sources=[])
    """

    def __init__(self, script: Script | Player, *, pace: float = 0.0) -> None:
        self._player: Player = ScriptPlayer(script) if isinstance(script, Script) else script
        self._pace = pace
        self._server = LoopbackServer(self._endpoint, name="model server")
        self._requests: list[Mapping[str, object]] = []
        self._changed = threading.Condition()

    @property
    def url(self) -> str:
        """What ``ANTHROPIC_BASE_URL`` is to name."""
        return self._server.url

    @property
    def key(self) -> str:
        """The only key that it takes."""
        return self._server.key

    @property
    def requests(self) -> tuple[Mapping[str, object], ...]:
        """The bodies of the conversations' requests, in the order in which they came."""
        with self._changed:
            return tuple(self._requests)

    @property
    def mismatches(self) -> tuple[str, ...]:
        """What came otherwise than expected, in words."""
        return tuple(getattr(self._player, "mismatches", ()))

    def start(self) -> None:
        """Bind and serve."""
        self._server.start()

    def close(self) -> None:
        """Stop serving, also in the middle of a reply."""
        self._server.close()

    def __enter__(self) -> ModelServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def env(self, config_dir: Path | str) -> dict[str, str]:
        """Give the environment with which the CLI talks to this server and leaves the person's settings alone."""
        direct = ",".join(filter(None, [os.environ.get("NO_PROXY", ""), "127.0.0.1", "localhost"]))
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
            "NO_PROXY": direct,
            "no_proxy": direct,
        }

    def tool_results(self) -> tuple[str, ...]:
        """Give what the model read from tools, in order, each tool use once."""
        results: dict[str, str] = {}
        for body in self.requests:
            for message in parse_conversation(body).all_tool_results:
                results.setdefault(message.tool_use_id, message.text)

        return tuple(results.values())

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
                    raise TimeoutError(f"not within {timeout} s; {len(self._requests)} requests came")

                self._changed.wait(min(rest, 0.05))

    async def _endpoint(self, request: Request) -> Response:
        if request.method != "POST":
            return Response()

        try:
            body = json.loads(await request.body())
        except ValueError:
            body = None

        if not isinstance(body, dict):
            return error_response(400, "the body is no JSON object")

        if request.url.path.endswith("/count_tokens"):
            return JSONResponse({"input_tokens": 10})

        if request.url.path != "/v1/messages":
            return JSONResponse({})

        return self._answer(body)

    def _answer(self, body: Mapping[str, object]) -> Response:
        conversation = parse_conversation(body)
        reply: Reply | Failure = Reply(blocks=(Text(text="Scripted"),))
        if body.get("tools"):
            with self._changed:
                self._requests.append(body)
                reply = self._player.respond(conversation)
                self._changed.notify_all()

        if isinstance(reply, Failure):
            return error_response(reply.status, reply.message)

        if not body.get("stream"):
            return JSONResponse(reply_message(reply, conversation))

        return StreamingResponse(self._stream(reply, conversation), media_type="text/event-stream")

    async def _stream(self, reply: Reply, conversation: Conversation) -> AsyncIterator[str]:
        chunk: list[str] = []
        size = 0
        for event, pace in reply_events(reply, conversation):
            chunk.append(event)
            size += len(event)
            seconds = self._pace if pace is None else pace
            if seconds or size >= _CHUNK:
                yield "".join(chunk)
                chunk.clear()
                size = 0
                await asyncio.sleep(seconds)

        yield "".join(chunk)
