"""The scripted model, as the real CLI and a bare client meet it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    PermissionResult,
    PermissionResultAllow,
    ResultMessage,
    TextBlock,
    ToolPermissionContext,
)

from askwidgets.conversation import parse_conversation
from askwidgets.model_server import ModelServer
from askwidgets.reply import Failure, Reply
from askwidgets.script import parse_script

CanUseTool = Callable[[str, dict[str, object], ToolPermissionContext], Awaitable[PermissionResult]]

STORE = (
    '{questions: [{question: "Which store?", header: Store, multiSelect: false, '
    "options: [{label: Redis, description: a}, {label: SQLite, description: b}]}]}"
)
PORT = (
    '{questions: [{question: "Which port?", header: Port, multiSelect: false, '
    'options: [{label: "80", description: a}, {label: "443", description: b}]}]}'
)


async def _answer(_: str, given: dict[str, object], __: ToolPermissionContext) -> PermissionResult:
    questions = given.get("questions")
    assert isinstance(questions, list)
    answers = {question["question"]: question["options"][1]["label"] for question in questions}
    return PermissionResultAllow(updated_input={**given, "answers": answers})


def _client(
    server: ModelServer, home: Path, *, resume: str | None = None, can_use_tool: CanUseTool = _answer
) -> AbstractAsyncContextManager[ClaudeSDKClient]:
    options = ClaudeAgentOptions(
        cwd=home, env=server.env(home / "config"), setting_sources=[], can_use_tool=can_use_tool, resume=resume
    )
    return ClaudeSDKClient(options)


async def _turn(client: ClaudeSDKClient, prompt: str) -> tuple[str, ResultMessage]:
    await client.query(prompt)
    return await _rest(client)


async def _rest(client: ClaudeSDKClient) -> tuple[str, ResultMessage]:
    texts: list[str] = []
    async for message in client.receive_response():
        if isinstance(message, AssistantMessage):
            texts.extend(block.text for block in message.content if isinstance(block, TextBlock))
        elif isinstance(message, ResultMessage):
            return "\n".join(texts), message

    raise AssertionError(texts)


def _has_heard(prompt: str) -> Callable[[ModelServer], bool]:
    return lambda server: any(parse_conversation(body).prompt == prompt for body in server.requests)


@pytest.mark.agent
def test_questions_are_asked_through_the_real_cli_and_their_answers_reach_the_model(tmp_path: Path) -> None:
    script = parse_script(f"""
- - think: hm
  - say: Let me ask first.
  - ask: {STORE}
  - expect: Your questions have been answered
  - say: "So: {{last_result}}"
- - together: [{{ask: {STORE}}}, {{ask: {PORT}}}]
  - say: Both.
- - ask: {STORE}
  - expect: "Redis"
  - say: never
""")

    async def main(server: ModelServer) -> list[str]:
        async with _client(server, tmp_path) as client:
            return [(await _turn(client, prompt))[0] for prompt in ("one", "two", "three", "four")]

    with ModelServer(script) as server:
        texts = asyncio.run(main(server))

    read = 'Your questions have been answered: "Which store?"="SQLite".'
    assert texts[0].startswith(f"Let me ask first.\nSo: {read}")
    assert texts[1] == "Both."
    assert texts[2].startswith("<script>, line 10: expected 'Redis' in the tool result; what came was")
    assert "the script <script> has no turn 4 for the prompt 'four'" in texts[3]
    assert server.mismatches == (texts[2],)
    first, second, port, third = server.tool_results()
    assert first == second == third
    assert first.startswith(read)
    assert '"Which port?"="443"' in port


@pytest.mark.agent
def test_two_questions_together_wait_at_the_same_time(tmp_path: Path) -> None:
    waiting: list[str] = []
    both = asyncio.Event()

    async def answer(name: str, given: dict[str, object], context: ToolPermissionContext) -> PermissionResult:
        waiting.append(str(context.tool_use_id))
        if len(waiting) > 1:
            both.set()

        await asyncio.wait_for(both.wait(), 20)
        return await _answer(name, given, context)

    async def main(server: ModelServer) -> str:
        async with _client(server, tmp_path, can_use_tool=answer) as client:
            return (await _turn(client, "go"))[0]

    with ModelServer(parse_script(f"- [{{together: [{{ask: {STORE}}}, {{ask: {PORT}}}]}}, {{say: ok}}]")) as server:
        assert asyncio.run(main(server)) == "ok"
        assert len(set(waiting)) == 2


@pytest.mark.agent
def test_after_an_interrupt_or_a_failure_the_next_prompt_plays_its_own_turn(tmp_path: Path) -> None:
    script = parse_script(f"""
- - fail: {{status: 400, message: Not now.}}
- - say: Second.
- - pace: 0.2
  - say: {"slow " * 200}
- - say: Fourth.
- - ask: {STORE}
- - say: Sixth.
""")
    asked = asyncio.Event()

    async def wait(_: str, __: dict[str, object], ___: ToolPermissionContext) -> PermissionResult:
        asked.set()
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    async def main(server: ModelServer) -> list[str]:
        async with _client(server, tmp_path, can_use_tool=wait) as client:
            texts = [(await _turn(client, prompt))[0] for prompt in ("one", "two")]
            await client.query("three")
            await asyncio.to_thread(server.wait_for, _has_heard("three"), 20)
            await client.interrupt()
            await _rest(client)
            texts.append((await _turn(client, "four"))[0])
            await client.query("five")
            await asyncio.wait_for(asked.wait(), 20)
            await client.interrupt()
            await _rest(client)
            texts.append((await _turn(client, "six"))[0])
            return texts

    with ModelServer(script) as server:
        failed, *others = asyncio.run(main(server))

    assert "Not now." in failed
    assert others == ["Second.", "Fourth.", "Sixth."]


@pytest.mark.agent
def test_two_sessions_at_once_and_a_resumed_one_each_stand_where_they_are(tmp_path: Path) -> None:
    script = parse_script("- - say: One.\n- - say: Two.\n- - say: Three.")

    async def session(
        server: ModelServer, home: Path, prompts: int, resume: str | None = None
    ) -> tuple[list[str], str]:
        texts = []
        async with _client(server, home, resume=resume) as client:
            for _ in range(prompts):
                text, result = await _turn(client, "go on")
                texts.append(text)

        return texts, result.session_id

    async def main(server: ModelServer) -> list[list[str]]:
        (first, name), (second, _) = await asyncio.gather(
            session(server, tmp_path / "a", 2), session(server, tmp_path / "b", 1)
        )
        third, _ = await session(server, tmp_path / "a", 1, name)
        return [first, second, third]

    for name in ("a", "b"):
        (tmp_path / name).mkdir()

    with ModelServer(script) as server:
        assert asyncio.run(main(server)) == [["One.", "Two."], ["One."], ["Three."]]


@pytest.mark.agent
def test_the_persons_own_sign_in_never_reaches_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "HTTP_PROXY", "CLAUDE_CODE_USE_BEDROCK"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    async def main(server: ModelServer) -> str:
        async with _client(server, tmp_path) as client:
            return (await _turn(client, "go"))[0]

    with ModelServer(parse_script("- - say: Hello.")) as server:
        assert asyncio.run(main(server)) == "Hello."


def _ask(
    server: ModelServer, body: object, *, method: str = "POST", path: str = "/v1/messages?beta=true"
) -> tuple[int, str]:
    connection = HTTPConnection(server.url.removeprefix("http://"), timeout=10)
    try:
        connection.request(method, path, body=json.dumps(body), headers={"x-api-key": server.key})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def _body(**more: object) -> Mapping[str, object]:
    return {"messages": [{"role": "user", "content": "go"}], "tools": [{"name": "Bash"}], "model": "m", **more}


def test_a_long_reply_is_streamed_fast() -> None:
    script = parse_script(f"- - say: {'about ' * 25_000}")
    with ModelServer(script) as server:
        start = time.monotonic()
        _, text = _ask(server, _body(stream=True))
        seconds = time.monotonic() - start

    assert text.count("content_block_delta\n") == 25_000
    assert seconds < 5


def test_deltas_keep_the_pace() -> None:
    with ModelServer(parse_script("- - say: a b c d e f g h i j"), pace=0.01) as server:
        start = time.monotonic()
        _ask(server, _body(stream=True))

        assert time.monotonic() - start >= 0.1


def test_without_streaming_the_message_is_plain() -> None:
    with ModelServer(parse_script("- - say: Hello.")) as server:
        message = json.loads(_ask(server, _body())[1])

    assert message["content"] == [{"type": "text", "text": "Hello."}]
    assert message["model"] == "m"


@pytest.mark.parametrize("stream", [True, False])
def test_half_a_surrogate_pair_breaks_nothing(stream: bool) -> None:  # noqa: FBT001 - pytest gives it
    with ModelServer(parse_script('- - say: "\\ud800"')) as server:
        assert "\\ud800" in _ask(server, _body(stream=stream))[1]
        over = [{"role": "user", "content": "one\n"}, {"role": "user", "content": "\ud800"}]
        assert _ask(server, _body(messages=over))[0] == 400


def test_side_work_is_answered_and_not_kept() -> None:
    with ModelServer(parse_script("- - fail: {status: 500}")) as server:
        assert json.loads(_ask(server, _body(tools=[]))[1])["content"][0]["type"] == "text"
        assert json.loads(_ask(server, _body(), path="/v1/messages/count_tokens")[1]) == {"input_tokens": 10}
        assert _ask(server, None, method="HEAD", path="/") == (200, "")
        assert _ask(server, None, method="GET", path="/v1/models")[0] == 200
        assert _ask(server, _body(), path="/api/event_logging/batch") == (200, "{}")
        assert server.requests == ()


def test_only_the_latest_requests_are_kept() -> None:
    with ModelServer(parse_script("- when: '*'\n  steps: [{say: a}]")) as server:
        for number in range(40):
            _ask(server, _body(messages=[{"role": "user", "content": f"prompt {number}"}]))

        prompts = [parse_conversation(body).prompt for body in server.requests]

    assert prompts == [f"prompt {number}" for number in range(8, 40)]


def test_a_body_that_is_no_object_is_refused() -> None:
    with ModelServer(parse_script("- - say: a")) as server:
        assert _ask(server, ["a"])[0] == 400


def test_a_failure_comes_with_its_status_and_type() -> None:
    with ModelServer(parse_script("- - fail: {status: 529, message: Busy.}")) as server:
        status, text = _ask(server, _body(stream=True))

    assert status == 529
    assert json.loads(text) == {"type": "error", "error": {"type": "overloaded_error", "message": "Busy."}}


def test_waiting_ends_with_the_request_or_in_time() -> None:
    with ModelServer(parse_script("- - say: a")) as server:
        with pytest.raises(TimeoutError):
            server.wait_for(lambda server: bool(server.requests), 0.05)

        _ask(server, _body())
        server.wait_for(lambda server: bool(server.requests), 0)


def test_another_player_can_take_the_scripts_place() -> None:
    class Silent:
        mismatches = ("always",)

        def respond(self, _: object) -> Reply | Failure:
            return Failure(status=403, message="nothing")

    with ModelServer(Silent()) as server:
        assert _ask(server, _body())[0] == 403
        assert server.mismatches == ("always",)


def test_the_package_does_not_load_the_server() -> None:
    code = "import askwidgets, sys; print([name for name in ('uvicorn', 'starlette') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == "[]\n"
