"""A stand-in for the CLI that speaks just enough of its protocol, and then misbehaves.

``faulty_cli.py FOLDER "FAULT FAULT ..." ARGUMENTS``: the first start has the first fault, and so on; what is started
after the last is the real CLI. Only the standard library is used: it starts in place of a program.

The protocol: https://github.com/anthropics/claude-agent-sdk-python, lines of JSON both ways.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

SESSION = "5e55104e-0000-4000-8000-000000000000"
TEXT = "Half of the ans"
QUESTION = {
    "questions": [
        {
            "question": "Which store should hold sessions?",
            "header": "Store",
            "multiSelect": False,
            "options": [{"label": "Redis", "description": "in memory"}, {"label": "SQLite", "description": "one file"}],
        }
    ]
}


def send(message: Mapping[str, object]) -> None:
    """Write one message."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def raw(data: bytes) -> None:
    """Write what is no message."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def wait() -> None:
    """Read on without an answer until the host is gone, or kills."""
    while sys.stdin.readline():
        pass


def say() -> None:
    """Begin a turn with half of an answer."""
    send({"type": "system", "subtype": "init", "session_id": SESSION, "cwd": "/", "model": "stand-in", "tools": []})
    assistant({"type": "text", "text": TEXT})


def assistant(block: Mapping[str, object]) -> None:
    """Send one block of the agent's message."""
    message = {"id": "m", "type": "message", "role": "assistant", "model": "stand-in", "content": [block]}
    send({"type": "assistant", "session_id": SESSION, "parent_tool_use_id": None, "uuid": "u", "message": message})


def ask() -> None:
    """Ask a question, by the tool and by its permission request."""
    say()
    assistant({"type": "tool_use", "id": "toolu_1", "name": "AskUserQuestion", "input": QUESTION})
    request = {"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": QUESTION, "tool_use_id": "toolu_1"}
    send({"type": "control_request", "request_id": "r1", "request": request})


def finish(text: str = "Done.") -> None:
    """End the turn."""
    send(
        {
            "type": "result",
            "subtype": "success",
            "is_error": False,
            "duration_ms": 1,
            "duration_api_ms": 1,
            "num_turns": 1,
            "session_id": SESSION,
            "total_cost_usd": 0.0,
            "usage": {},
            "result": text,
        }
    )


def fail_with(text: str) -> None:
    """End as the CLI does when it cannot go on."""
    sys.stderr.write(text + "\n")
    sys.exit(1)


def large(size: int) -> None:
    """Send one tool result of that size."""
    assistant({"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "/large.txt"}})
    block = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "x" * size}
    message = {"role": "user", "content": [block]}
    send({"type": "user", "session_id": SESSION, "parent_tool_use_id": None, "uuid": "v", "message": message})


def split() -> None:
    """Send a message in two pieces, the cut inside a character."""
    block = {"type": "text", "text": "Größe"}
    message = {"id": "n", "type": "message", "role": "assistant", "model": "stand-in", "content": [block]}
    sent = {"type": "assistant", "session_id": SESSION, "parent_tool_use_id": None, "uuid": "w", "message": message}
    data = json.dumps(sent, ensure_ascii=False).encode() + b"\n"
    place = data.index("ß".encode()) + 1
    raw(data[:place])
    time.sleep(0.2)
    raw(data[place:])


def misbehave(fault: str) -> None:
    """Do, in place of a turn, what the fault names."""
    if fault == "exit-asking":
        ask()
        time.sleep(1)
        fail_with("out of luck")

    say()

    if fault in CORRUPT:
        raw(CORRUPT[fault])
        wait()
    elif fault in {"exit", "leak"}:
        fail_with("out of luck" if fault == "exit" else f"my environment: {dict(os.environ)}")
    elif fault == "half-line":
        raw(b'{"type": "assistant", "mess')
        sys.exit(0)
    elif fault in ODD:
        ODD[fault]()

    finish()


ODD: Mapping[str, Callable[[], None]] = {
    "closed-stdin": lambda: os.close(0),
    "deaf": wait,
    "large": lambda: large(16 * 1024 * 1024),
    "noise": lambda: raw(b"Debugger attached.\n"),
    "split": split,
    "too-large": lambda: large(65 * 1024 * 1024),
    "unknown": lambda: send({"type": "news", "text": "?"}),
}
"""After these the turn ends as usual."""
CORRUPT = {"bad-utf8": b'{"type": "assist\xff\xfe"}\n', "bad-json": b'{"type": "assistant", "message"\n'}


def main() -> None:
    """Misbehave once, as the count of starts so far says."""
    folder, faults, *arguments = sys.argv[1:]
    starts = Path(folder, "starts")
    count = len(starts.read_text()) if starts.exists() else 0
    starts.write_text("x" * (count + 1))
    names = faults.split()

    if count >= len(names):
        spec = importlib.util.find_spec("claude_agent_sdk")
        assert spec is not None
        assert spec.submodule_search_locations
        real = str(Path(next(iter(spec.submodule_search_locations)), "_bundled", "claude"))
        os.execv(real, [real, *arguments])  # noqa: S606 - the real CLI takes the place of this

    serve(names[count])


def serve(fault: str) -> None:
    """Answer what the host asks, until the prompt comes."""
    if fault == "refuse":
        fail_with("no space left on device")

    if fault == "stuck":
        sys.stderr.write("MCP server 'wiki': connecting\n")
        sys.stderr.flush()

    while line := sys.stdin.readline():
        message = json.loads(line)

        if fault == "stuck":
            continue

        if message["type"] == "control_request":
            response = {"subtype": "success", "request_id": message["request_id"], "response": {}}
            send({"type": "control_response", "response": response})
        elif message["type"] == "user":
            misbehave(fault)

            while fault == "closed-stdin" and os.getppid() != 1:
                time.sleep(0.1)


if __name__ == "__main__":
    main()
