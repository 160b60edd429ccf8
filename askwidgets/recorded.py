"""The file of a recording: what the model's service answered, in YAML that stays stable under diff."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import yaml

from askwidgets.errors import RecordingError
from askwidgets.fingerprint import Fingerprint
from askwidgets.reply import Block, Reply, Text, Thinking, TokenCount, ToolUse
from askwidgets.yaml_node import yaml_node

__all__ = ["Exchange", "Recording", "load_recording", "save_recording"]

_HEAD = "# What the model answered; made by `%claude record`, played by `%claude replay`. Holds no keys.\n"
_VERSION = 1
_WIDTH = 100
_UNUSUAL = re.compile(
    "[^\\t\\n\\x20-\\x7e\\xa0-\\u2027\\u202f-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request, reduced, and what was answered."""

    request: Fingerprint
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What one notebook's sessions asked the service, and its answers."""

    exchanges: tuple[Exchange, ...] = ()
    """In the order in which they were asked."""
    source: str = "<recording>"
    """The file, for errors."""

    def find(self, request: Fingerprint) -> Reply | None:
        """Give the answer to a request with the same content; with the same past, too, where there is one."""
        alike = [exchange for exchange in self.exchanges if exchange.request.request == request.request]
        same = [exchange for exchange in alike if exchange.request.before == request.before]
        return next((exchange.reply for exchange in (*same, *alike, *self._notices(request))), None)

    def _notices(self, request: Fingerprint) -> list[Exchange]:
        """Give what was answered to notices: when one comes, the agents at work decide, so any will do."""
        notices = [exchange for exchange in self.exchanges if request.is_notice and exchange.request.is_notice]
        return sorted(notices, key=lambda exchange: exchange.request.prompt != request.prompt)

    def mismatch(self, request: Fingerprint) -> str:
        """Say in words what was expected instead of a request that was not found, and what to do."""
        return (
            f"the recording {self.source} has no answer here. {self._difference(request)}\n"
            f"Record again with `%claude record {self.source}`; with `--missing` behind it only what is new."
        )

    def _difference(self, request: Fingerprint) -> str:
        there = [exchange.request for exchange in self.exchanges if exchange.request.prompt == request.prompt]
        if not there:
            known = dict.fromkeys(exchange.request.prompt for exchange in self.exchanges)
            return f"Expected the prompt {_nearest(request.prompt, list(known))}; what came was {request.prompt!r}."

        came = _in_words(request.results)
        expected = [_in_words(other.results) for other in there if other.step == request.step]
        if not expected:
            return f"Expected nothing after step {max(other.step for other in there)}; what came was {came}."

        if came in expected:
            return f"What came looks as expected ({came}), but what was before it in the turn, or its rest, differs."

        return f"In the turn {request.prompt!r}, expected {_closest(came, expected)}; what came was {came}."


def _in_words(results: Sequence[str]) -> str:
    if not results:
        return "no tool result"

    return "the tool result " + " and ".join(map(repr, results))


def _closest(text: str, others: Sequence[str]) -> str:
    return max(others, key=lambda other: SequenceMatcher(None, text, other).ratio())


def _nearest(prompt: str, known: Sequence[str]) -> str:
    return repr(_closest(prompt, known)) if known else "of no turn (it is empty)"


def load_recording(path: Path | str) -> Recording:
    """Read a recording.

    Raises:
        RecordingError: It cannot be read, or is no recording.
    """
    try:
        loader = yaml.SafeLoader(Path(path).read_text(encoding="utf-8"))
        node = yaml_node(loader)
        data = None if node is None else loader.construct_document(node)
    except RecursionError:
        raise RecordingError.unusable(str(path), "is nested too deeply; record again") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordingError.unusable(str(path), f"cannot be read ({reason}); wanted a recording") from error
    except yaml.YAMLError as error:
        line = error.problem_mark.line + 1 if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark else None
        problem = getattr(error, "problem", None) or error
        raise RecordingError.unusable(str(path), f"is no YAML: {problem}", line) from error

    entries = data.get("exchanges") if isinstance(data, dict) and data.get("version") == _VERSION else None
    if not isinstance(entries, list):
        raise RecordingError.unusable(str(path), f"is no recording of version {_VERSION}; record again")

    try:
        return Recording(exchanges=tuple(map(_parse_exchange, entries)), source=str(path))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        problem = f"holds an exchange that does not fit ({error!r}); record again"
        raise RecordingError.unusable(str(path), problem) from error


def _parse_exchange(entry: Mapping[str, object]) -> Exchange:
    results, reply, usage = entry.get("results", []), entry["reply"], entry.get("usage", {})
    if not isinstance(results, list) or not isinstance(reply, list) or not isinstance(usage, dict):
        raise TypeError(entry)

    request = Fingerprint(
        request=str(entry["request"]),
        before=str(entry["before"]),
        prompt=str(entry["prompt"]),
        step=int(str(entry["step"])),
        results=tuple(map(str, results)),
    )
    blocks = tuple(_parse_block(block) for block in reply)
    return Exchange(request=request, reply=Reply(blocks=blocks, usage=TokenCount(**usage)))


def _parse_block(block: Mapping[str, object]) -> Block:
    if "say" in block:
        return Text(text=str(block["say"]))

    if "think" in block:
        return Thinking(text=str(block["think"]))

    use = block["use"]
    if not isinstance(use, dict) or not isinstance(use["input"], dict):
        raise TypeError(block)

    return ToolUse(tool=str(use["tool"]), input=use["input"])


def save_recording(recording: Recording, path: Path | str) -> None:
    """Write a recording in one go, so that a full disk leaves the old one.

    Raises:
        RecordingError: It cannot be written.
    """
    path = Path(path)
    data = {"version": _VERSION, "exchanges": [_exchange_fields(exchange) for exchange in recording.exchanges]}
    text = _HEAD + yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_WIDTH)
    try:
        _replace(path, text)
    except OSError as error:
        raise RecordingError.unwritten(str(path), error.strerror or str(error)) from error


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

        Path(name).replace(path)
    except OSError:
        with suppress(OSError):
            Path(name).unlink()

        raise


def _exchange_fields(exchange: Exchange) -> dict[str, object]:
    request, usage = exchange.request, exchange.reply.usage
    fields: dict[str, object] = {"prompt": request.prompt, "step": request.step}
    if request.results:
        fields["results"] = list(request.results)

    return {
        **fields,
        "request": request.request,
        "before": request.before,
        "reply": [_block_fields(block) for block in exchange.reply.blocks],
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read_input_tokens": usage.cache_read_input_tokens,
        },
    }


def _block_fields(block: Block) -> dict[str, object]:
    if isinstance(block, ToolUse):
        return {"use": {"tool": block.tool, "input": dict(block.input)}}

    return {"think" if isinstance(block, Thinking) else "say": block.text}


class _Dumper(yaml.SafeDumper):
    """Writes text of several lines as lines, so that a diff shows what changed."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - every entry stands for itself
        return True


def _text_node(dumper: _Dumper, text: str) -> yaml.Node:
    # YAML would read some of these as other line breaks, and refuse the rest unless escaped.
    style = '"' if _UNUSUAL.search(text) else "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text_node)
