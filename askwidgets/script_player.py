"""Plays a script of the model server: from what a conversation holds follows what comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from askwidgets.conversation import Conversation
from askwidgets.pattern import pattern_matches
from askwidgets.reply import Block, Failure, Reply, Text, Thinking, TokenCount, ToolUse
from askwidgets.script import Expect, Fail, Pace, Say, Script, Step, Think, Together, Turn, Usage, Use

__all__ = ["ScriptPlayer"]

_NOTHING_LEFT = "Done."
_PLAN_FILE = "{plan_file}"
_SHOWN = 200
_LISTED = 4


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
        failure = self._failure(group, conversation)
        if failure is not None:
            return failure

        mismatch = self._mismatch(group, conversation)
        if mismatch:
            return Reply(blocks=(Text(text=mismatch),))

        before = [step for earlier in groups[: conversation.replies] for step in earlier]
        return _reply(group, conversation, pace=_last_pace(before))

    def _turn(self, conversation: Conversation) -> Turn | None:
        turn = self._turn_when(conversation.prompt)
        if turn is not None:
            return turn

        place = sum(self._turn_when(prompt) is None for prompt in conversation.prompts)
        return self._in_order[place - 1] if 1 <= place <= len(self._in_order) else None

    def _turn_when(self, prompt: str) -> Turn | None:
        turns = (turn for turn in self._script.turns if turn.when is not None)
        return next((turn for turn in turns if pattern_matches(turn.when or "", prompt)), None)

    def _no_turn(self, conversation: Conversation) -> str:
        prompt = conversation.prompt
        shown = prompt if len(prompt) <= _SHOWN else f"{prompt[:_SHOWN]}..."
        return (
            f"the script {self._script.source} has no turn {len(conversation.prompts)} for the prompt {shown!r}. "
            f"It has {'; '.join(self._known()) or 'none'}. Type such a prompt, or add a turn."
        )

    def _known(self) -> Iterator[str]:
        if self._in_order:
            yield f"{len(self._in_order)} that go in order"

        patterns = [turn.when for turn in self._script.turns if turn.when is not None]
        if patterns:
            yield f"those for {', '.join(map(repr, patterns[:_LISTED]))}{', ...' if patterns[_LISTED:] else ''}"

    def _failure(self, group: Sequence[Step], conversation: Conversation) -> Failure | None:
        for index, step in enumerate(group):
            if isinstance(step, Fail):
                place = (conversation.session_id, len(conversation.prompts), conversation.replies, index)
                self._failures[place] += 1
                if step.times is None or self._failures[place] <= step.times:
                    return Failure(status=step.status, message=step.message)

        return None

    def _mismatch(self, group: Sequence[Step], conversation: Conversation) -> str:
        came = "\n".join(result.text for result in conversation.tool_results)
        for step in group:
            if isinstance(step, Expect) and step.text not in came:
                what = f"what came was {came!r}" if conversation.tool_results else "no tool result came"
                place = f"{self._script.source}, line {step.line}"
                mismatch = f"{place}: expected {step.text!r} in the tool result; {what}."
                self._mismatches[mismatch] = None
                return mismatch

        return ""


def _filled(tool_input: Mapping[str, object], conversation: Conversation) -> Mapping[str, object]:
    return {
        name: value.replace(_PLAN_FILE, conversation.plan_file)
        if isinstance(value, str) and _PLAN_FILE in value
        else value
        for name, value in tool_input.items()
    }


def _last_pace(steps: Sequence[Step]) -> float | None:
    paces = [step.seconds for step in steps if isinstance(step, Pace)]
    return paces[-1] if paces else None


def _reply(group: Sequence[Step], conversation: Conversation, *, pace: float | None) -> Reply:
    blocks: list[Block] = []
    usage = TokenCount()
    for step in group:
        if isinstance(step, Say):
            results = conversation.all_tool_results
            last = results[-1].text if results else ""
            blocks.append(Text(text=step.text.replace("{last_result}", last), pace=pace))
        elif isinstance(step, Think):
            blocks.append(Thinking(text=step.text, pace=pace))
        elif isinstance(step, (Use, Together)):
            uses = step.uses if isinstance(step, Together) else (step,)
            blocks.extend(ToolUse(tool=use.tool, input=_filled(use.input, conversation), pace=pace) for use in uses)
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
