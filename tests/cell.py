"""A cell as its frontend has it: what was sent to the kernel and the outputs that came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["VIEW", "Cell"]

VIEW = "application/vnd.jupyter.widget-view+json"
"""The MIME type of a widget on show."""


@dataclass(slots=True, kw_only=True)
class Cell:
    """An execute request and what came of it."""

    code: str
    message_id: str
    outputs: list[dict[str, Any]] = field(default_factory=list)
    """In nbformat's shape, with updates by display id already made; ``display_id`` stands under ``transient``."""
    stdin_prompts: list[str] = field(default_factory=list)
    """What ``input()`` asked so far."""
    reply: dict[str, Any] | None = None
    """The content of the execute reply."""
    idle: bool = False
    clear_on_output: bool = False

    @property
    def finished(self) -> bool:
        """Both the reply and the idle status are here."""
        return self.idle and self.reply is not None

    @property
    def status(self) -> str:
        """``ok``, ``error``, ``aborted``, or empty while it runs."""
        return "" if self.reply is None else str(self.reply["status"])

    @property
    def text(self) -> str:
        """All streams, plain texts and errors, in order."""
        return "\n".join(_plain_text(output) for output in self.outputs)

    @property
    def html(self) -> str:
        """The ``text/html`` of all outputs, in order."""
        return "\n".join(str(output["data"]["text/html"]) for output in self.outputs if _has(output, "text/html"))

    @property
    def view_ids(self) -> list[str]:
        """The ids of the widgets on show."""
        return [output["data"][VIEW]["model_id"] for output in self.outputs if _has(output, VIEW)]

    def take(self, kind: str, content: dict[str, Any]) -> None:
        """Take in a message that has this cell as its parent."""
        if kind == "execute_reply":
            self.reply = content
        elif kind == "input_request":
            self.stdin_prompts.append(content["prompt"])
        elif kind == "status":
            self.idle = content["execution_state"] == "idle"
        elif kind == "clear_output":
            self.clear_on_output = content["wait"]
            if not content["wait"]:
                self.outputs.clear()
        elif kind in {"stream", "display_data", "execute_result", "error"}:
            if self.clear_on_output:
                self.outputs.clear()
                self.clear_on_output = False

            _append_output(self.outputs, {"output_type": kind, **content})


def _append_output(outputs: list[dict[str, Any]], output: dict[str, Any]) -> None:
    """Append as a notebook does: text of one stream in a row is one output."""
    last = outputs[-1] if outputs else {}
    if output["output_type"] == "stream" == last.get("output_type") and output["name"] == last["name"]:
        last["text"] += output["text"]
    else:
        outputs.append(output)


def _plain_text(output: Mapping[str, Any]) -> str:
    if output["output_type"] == "stream":
        return str(output["text"])
    if output["output_type"] == "error":
        return "\n".join(output["traceback"])
    return str(output["data"].get("text/plain", ""))


def _has(output: Mapping[str, Any], mime_type: str) -> bool:
    return mime_type in output.get("data", {})
