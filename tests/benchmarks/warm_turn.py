"""What a turn costs in the kernel once its CLI runs, beside bare clients of the SDK."""

from __future__ import annotations

from collections.abc import Sequence

from tests.benchmarks.figure import Figure, Pair, Size
from tests.benchmarks.stage import run, scripted_kernel, timed

__all__ = ["BARE_CLIENT", "measure"]

SCRIPT = """
- when: "*greet*"
  steps:
    - say: "Hello there, how can I help?"
"""
BARE_CLIENT = """
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, query

options = ClaudeAgentOptions(include_partial_messages=True, setting_sources=[])
client = ClaudeSDKClient(options)
await client.connect()

async def drain(prompt):
    await client.query(prompt)
    async for message in client.receive_response():
        pass
"""
OURS = "%%claude\nPlease greet me."
WARM = "await drain('Please greet me.')"
COLD = "async for message in query(prompt='Please greet me.', options=options):\n    pass"


def measure(size: Size) -> Sequence[Figure]:
    """Time the same turn by the magic, by a client that is connected, and by one that starts its own CLI."""
    with scripted_kernel(SCRIPT, BARE_CLIENT) as kernel:
        for code in (OURS, WARM, COLD):
            run(kernel, code)

        runs = [[timed(kernel, code) for code in (WARM, OURS, COLD)] for _ in range(size.runs)]

    name = "a warm text turn by %%claude"
    warm = [Pair(ours=ours, theirs=warm) for warm, ours, _ in runs]
    cold = [Pair(ours=ours, theirs=cold) for _, ours, cold in runs]
    return [
        Figure(name=name, against="a bare warm client", unit="s", limit=1.5, pairs=warm),
        Figure(name=name, against="a turn with a CLI of its own", unit="s", limit=0.2, pairs=cold),
    ]
