"""What a long text costs: time, beside a bare client that drains the same stream, and bytes on the iopub channel."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import cycle, islice

from tests.benchmarks.figure import Figure, Pair, Size, paired
from tests.benchmarks.stage import IopubMeter, run, scripted_kernel, timed, wait_until_idle
from tests.benchmarks.warm_turn import BARE_CLIENT
from tests.kernel import Kernel

__all__ = ["measure", "prose"]

SCRIPT = """
- when: "*short*"
  steps: [{{say: {short}}}]
- when: "*greet*"
  steps: [{{say: Hello.}}]
- when: "*long*"
  steps: [{{say: {long}}}]
"""
RUNS_EACH = 3
"""Of the time, for each run of the other figures: it scatters by a tenth on a machine of two cores."""
RENEW = """
await client.disconnect()
client = ClaudeSDKClient(options)
await client.connect()
await drain("greet")
"""
WORDS = ("the", "sum", "of", "all", "new", "sales", "may", "be", "low", "if", "one", "store", "is", "out", "and", "a")
LINES = (
    "## What the sales of may say",
    "",
    "{} **{}** {} `{}` {}. {}",
    "",
    "- {}",
    "- {} `{}`",
    "- {}",
    "",
    "{}. {}. {}. {}",
    "",
    "```python",
    "for row in sales:",
    "    if row.sum > 10:",
    "        print(row)",
    "```",
    "",
    "{}. {}. {}. {}. {}",
    "",
    "| a | b |",
    "| --- | --- |",
    "| {} | 10 |",
    "",
    "{}. {}. {}. {}",
    "",
)
"""What an agent's answer is made of; each pair of braces takes some words."""


def prose(characters: int, *, words_each: int = 9) -> str:
    """Give Markdown of that length, about four characters a delta, with sentences of so many short words."""
    words = cycle(WORDS)
    lines: list[str] = []
    length = 0
    for line in cycle(LINES):
        lines.append(line.format(*(" ".join(islice(words, words_each)) for _ in range(line.count("{}")))))
        length += len(lines[-1]) + 1
        if length > characters:
            return "\n".join(lines)[:characters]

    raise AssertionError


def measure(size: Size) -> Sequence[Figure]:
    """Time one text and count its bytes, then those of one that is ten times as long."""
    short, long = prose(4 * size.deltas), prose(40 * size.deltas)
    script = SCRIPT.format(short=json.dumps(short), long=json.dumps(long))
    with scripted_kernel(script, BARE_CLIENT) as kernel, IopubMeter.listening(kernel) as meter:
        for code in ("%%claude\nshort", "await drain('short')"):
            run(kernel, code)

        times = paired(
            RUNS_EACH * size.runs,
            ours=lambda: _timed(kernel, "%%claude --new\ngreet", "%%claude\nshort"),
            theirs=lambda: _timed(kernel, RENEW, "await drain('short')"),
        )
        bytes_sent = [(_bytes(kernel, meter, "short"), _bytes(kernel, meter, "long")) for _ in range(size.runs)]

    name = f"{len(short)} characters in deltas"
    sizes = [Pair(ours=once, theirs=len(short.encode())) for once, _ in bytes_sent]
    tenfold = [Pair(ours=ten, theirs=once) for once, ten in bytes_sent]
    return [
        Figure(name=name, against="a bare client that drains them", unit="s", limit=1.15, pairs=times),
        Figure(name=f"{name}: on iopub", against="the text", unit="bytes", limit=4, pairs=sizes),
        Figure(name="ten times the text: on iopub", against="once", unit="bytes", limit=12, pairs=tenfold),
    ]


def _timed(kernel: Kernel, renew: str, code: str) -> float:
    """Give the seconds of a cell whose CLI is new and has had one turn: a warm one takes half of the time."""
    run(kernel, renew)
    # What a CLI does after its start, and after a turn, would slow the other side on a machine of two cores.
    wait_until_idle(kernel)
    return timed(kernel, code)


def _bytes(kernel: Kernel, meter: IopubMeter, prompt: str) -> int:
    """Give the bytes that a turn of a new session sends."""
    run(kernel, "%%claude --new\ngreet")
    meter.heard()
    run(kernel, f"%%claude\n{prompt}")
    return sum(message.size for message in meter.heard())
