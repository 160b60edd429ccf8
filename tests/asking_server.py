"""An MCP server over standard input and output: ``add`` adds, ``greet`` first asks the person (elicitation).

https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#stdio
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["QUESTION", "configure", "main"]

QUESTION = "Who is <b>there</b>?"
_SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
_ASKED = "asked"
"""The id of the server's own request."""


def configure(folder: Path) -> None:
    """Let the project in this folder have the server, as ``asker``."""
    server = {"command": sys.executable, "args": [__file__]}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"asker": server}}))


def main() -> None:
    """Serve until the client is gone."""
    greeting: object = None

    for line in sys.stdin:
        message = json.loads(line)
        method, message_id = message.get("method"), message.get("id")
        parameters = message.get("params", {})

        if method == "initialize":
            _result(
                message_id,
                {
                    "protocolVersion": parameters["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "asker", "version": "1"},
                },
            )
        elif method == "tools/list":
            _result(
                message_id, {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("add", "greet")]}
            )
        elif method == "tools/call" and parameters["name"] == "greet":
            greeting = message_id
            _send(
                {
                    "id": _ASKED,
                    "method": "elicitation/create",
                    "params": {"message": QUESTION, "requestedSchema": _SCHEMA},
                }
            )
        elif method == "tools/call":
            _said(message_id, str(sum(parameters["arguments"].values())))
        elif message_id == _ASKED:
            _said(greeting, f"They said: {message['result']['action']}")


def _said(message_id: object, text: str) -> None:
    _result(message_id, {"content": [{"type": "text", "text": text}]})


def _result(message_id: object, result: Mapping[str, object]) -> None:
    _send({"id": message_id, "result": result})


def _send(message: Mapping[str, object]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)  # noqa: T201 - its standard output is the wire


if __name__ == "__main__":
    main()
