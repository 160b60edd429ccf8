"""Recording before a stand-in for the service, and replaying without it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
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

from askwidgets.errors import RecordingError
from askwidgets.model_server import ModelServer
from askwidgets.recorded import load_recording
from askwidgets.recording import RecordingProxy, Replay
from askwidgets.script import Script, parse_script

QUESTION = (
    '{questions: [{question: "Which store?", header: Store, multiSelect: false, '
    "options: [{label: Redis, description: a}, {label: SQLite, description: b}]}]}"
)
SCRIPT = parse_script(f"""
- when: "*store*"
  steps:
  - think: hm
  - say: Let me ask first.
  - ask: {QUESTION}
  - say: "So: {{last_result}}"
- when: "*where*"
  steps:
  - use: {{tool: Bash, input: {{command: "pwd; echo $PLANTED_TOKEN; date +%FT%T"}}}}
  - say: "Here: {{last_result}}"
- when: "*delegate*"
  steps:
  - together:
    - use: {{tool: Agent, input: {{description: a, prompt: "first look", subagent_type: general-purpose}}}}
    - use: {{tool: Agent, input: {{description: b, prompt: "second look", subagent_type: general-purpose}}}}
  - say: Delegated.
- when: "* look"
  steps:
  - use: {{tool: Bash, input: {{command: pwd}}}}
  - say: "Looked at {{last_result}}"
- when: "hello"
  steps: [{{say: Hello.}}]
""")
PLANTED = "planted-8d1f2c-secret"


async def _session(env: Mapping[str, str], home: Path, prompts: list[str], pick: int) -> list[str]:
    async def answer(name: str, given: dict[str, object], _: ToolPermissionContext) -> PermissionResult:
        questions = given.get("questions")
        if name != "AskUserQuestion" or not isinstance(questions, list):
            return PermissionResultAllow()

        answers = {question["question"]: question["options"][pick]["label"] for question in questions}
        return PermissionResultAllow(updated_input={**given, "answers": answers})

    options = ClaudeAgentOptions(cwd=home, env=dict(env), setting_sources=[], can_use_tool=answer)
    texts = []
    async with ClaudeSDKClient(options) as client:
        for prompt in prompts:
            await client.query(prompt)
            said: list[str] = []
            async for message in client.receive_response():
                if isinstance(message, AssistantMessage):
                    said.extend(block.text for block in message.content if isinstance(block, TextBlock))
                elif isinstance(message, ResultMessage) and message.is_error:
                    said.append("(an error)")

            texts.append("\n".join(said))

    return texts


def _recorded(
    service: ModelServer, path: Path, home: Path, prompts: list[str], *, pick: int = 1, missing: bool = False
) -> list[str]:
    home.mkdir(exist_ok=True)
    with RecordingProxy(path, missing=missing, service=service.url) as proxy:
        return asyncio.run(_session({**service.env(home / "config"), **proxy.env()}, home, prompts, pick))


def _replayed(path: Path, home: Path, prompts: list[str], *, pick: int = 1) -> tuple[list[str], tuple[str, ...]]:
    home.mkdir(exist_ok=True)
    with ModelServer(Replay(load_recording(path))) as server:
        return asyncio.run(_session(server.env(home / "config"), home, prompts, pick)), server.mismatches


@pytest.mark.agent
def test_what_was_recorded_replays_in_another_place_and_holds_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED_TOKEN", PLANTED)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"x-account: {PLANTED}")
    path = tmp_path / "tour.recording.yaml"
    prompts = ["which store?", f"where are we? My key is sk-ant-{'a' * 24}"]
    with ModelServer(SCRIPT) as service:
        recorded = _recorded(service, path, tmp_path / "here", prompts)
        secrets = [PLANTED, service.key, "sk-ant-", "device_id", str(tmp_path)]
        secrets += [result for body in service.requests for result in _private(body)]

    replayed, mismatches = _replayed(path, tmp_path / "elsewhere", prompts)

    assert mismatches == ()
    assert replayed[0] == recorded[0]
    assert '"Which store?"="SQLite"' in replayed[0]
    assert str(tmp_path / "here") in recorded[1]
    assert str(tmp_path / "elsewhere") in replayed[1]
    text = path.read_text(encoding="utf-8")
    assert [secret for secret in secrets if secret in text] == []
    assert "<secret>" in text
    assert "toolu_" not in text


def _private(body: Mapping[str, object]) -> list[str]:
    metadata = body["metadata"]
    assert isinstance(metadata, dict)
    user = json.loads(metadata["user_id"])
    return [user["device_id"], user["session_id"]]


@pytest.mark.agent
def test_another_answer_fails_with_what_was_expected_and_what_came(tmp_path: Path) -> None:
    path = tmp_path / "tour.recording.yaml"
    with ModelServer(SCRIPT) as service:
        _recorded(service, path, tmp_path / "here", ["which store?"])

    texts, mismatches = _replayed(path, tmp_path / "here", ["which store?", "goodbye"], pick=0)

    expected, came = '"Which store?"="SQLite"', '"Which store?"="Redis"'
    assert len(mismatches) == 2
    assert mismatches[0].index(expected) < mismatches[0].index("what came was") < mismatches[0].index(came)
    assert f"Record again with `%claude record {path}`" in mismatches[0]
    assert "Expected the prompt 'which store?'; what came was 'goodbye'." in mismatches[1]
    assert all("(an error)" in text and "has no answer here" in text for text in texts)


@pytest.mark.agent
def test_recording_what_is_missing_asks_for_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "tour.recording.yaml"
    with ModelServer(SCRIPT) as service:
        _recorded(service, path, tmp_path / "here", ["which store?"])
        before = path.read_text(encoding="utf-8")
        asked = len(service.requests)
        texts = _recorded(service, path, tmp_path / "here", ["which store?", "hello"], missing=True)

        assert len(service.requests) == asked + 1
        assert texts[1] == "Hello."

    after = path.read_text(encoding="utf-8")
    assert after.startswith(before)
    assert _replayed(path, tmp_path / "here", ["which store?", "hello"]) == (texts, ())


@pytest.mark.agent
def test_subagents_at_the_same_time_replay(tmp_path: Path) -> None:
    path = tmp_path / "tour.recording.yaml"
    with ModelServer(SCRIPT) as service:
        texts = _recorded(service, path, tmp_path / "here", ["please delegate", "hello"])

    prompts = {exchange.request.prompt for exchange in load_recording(path).exchanges}

    assert prompts == {"please delegate", "first look", "second look", "hello"}
    assert texts[0].startswith("Delegated.")
    assert _replayed(path, tmp_path / "elsewhere", ["please delegate", "hello"])[1] == ()


@pytest.mark.agent
def test_recording_twice_gives_the_same_file(tmp_path: Path) -> None:
    files = []
    for name in ("a", "b"):
        with ModelServer(SCRIPT) as service:
            path = tmp_path / f"{name}.yaml"
            _recorded(service, path, tmp_path / name, ["which store?", "hello"])
            files.append(path.read_text(encoding="utf-8"))

    assert files[0] == files[1]


def _post(
    proxy: RecordingProxy, headers: Mapping[str, str], *, prompt: str = "hello", stream: bool = True
) -> tuple[int, str]:
    body = {
        "messages": [{"role": "user", "content": prompt}],
        "tools": [{"name": "Bash"}],
        "model": "m",
        "stream": stream,
    }
    connection = HTTPConnection(proxy.url.removeprefix("http://"), timeout=10)
    try:
        connection.request("POST", "/v1/messages?beta=true", body=json.dumps(body), headers=dict(headers))
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def _headers(proxy: RecordingProxy, service: ModelServer) -> dict[str, str]:
    return {"x-askwidgets-key": proxy.key, "x-api-key": service.key}


def _hello() -> Script:
    return parse_script('- {when: "*", steps: [{say: Hello.}]}')


def test_the_proxy_is_guarded_and_its_key_stays_here(tmp_path: Path) -> None:
    with (
        ModelServer(_hello()) as service,
        RecordingProxy(tmp_path / "r.yaml", service=service.url) as proxy,
    ):
        assert _post(proxy, {"x-api-key": service.key})[0] == 401
        assert _post(proxy, {**_headers(proxy, service), "Origin": "https://evil.example"})[0] == 403
        assert _post(proxy, {**_headers(proxy, service), "Host": "evil.example"})[0] == 403
        # The service takes this key too, so it would let this in, had the proxy passed its own on.
        assert _post(proxy, {"x-askwidgets-key": proxy.key})[0] == 401
        assert service.requests == ()
        assert proxy.recording.exchanges == ()


def test_plain_and_streamed_replies_record_alike(tmp_path: Path) -> None:
    texts = []
    for stream in (True, False):
        path = tmp_path / f"{stream}.yaml"
        with ModelServer(SCRIPT) as service, RecordingProxy(path, service=service.url) as proxy:
            status, _ = _post(proxy, _headers(proxy, service), prompt="which store?", stream=stream)
            assert status == 200

        texts.append(path.read_text(encoding="utf-8"))

    assert texts[0] == texts[1]


def test_a_refusal_passes_and_leaves_the_old_recording(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text("old", encoding="utf-8")
    with (
        ModelServer(parse_script("- - fail: {status: 529, message: Busy.}")) as service,
        RecordingProxy(path, service=service.url) as proxy,
    ):
        status, text = _post(proxy, _headers(proxy, service))

    assert (status, json.loads(text)["error"]["message"]) == (529, "Busy.")
    assert path.read_text(encoding="utf-8") == "old"


def test_a_service_that_is_away_is_said(tmp_path: Path) -> None:
    with ModelServer(_hello()) as service:
        url = service.url

    with RecordingProxy(tmp_path / "r.yaml", service=url) as proxy:
        status, text = _post(proxy, {"x-askwidgets-key": proxy.key})

    assert status == 502
    assert "cannot be reached through the recording proxy" in text


def test_a_disk_that_takes_nothing_costs_no_reply_and_is_said_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "missing folder" / "r.yaml"
    with ModelServer(_hello()) as service:
        proxy = RecordingProxy(path, service=service.url)
        proxy.start()
        assert "Hello." in _post(proxy, _headers(proxy, service))[1]
        assert "cannot be written" in proxy.warning()
        with pytest.raises(RecordingError, match="cannot be written"):
            proxy.close()

        proxy.close()


def test_a_broken_recording_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text("- - say: a", encoding="utf-8")

    with pytest.raises(RecordingError, match="is no recording of version 1"):
        RecordingProxy(path, missing=True)
