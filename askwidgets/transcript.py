"""The transcript of a turn: the SDK's messages, drawn into the cell as they come.

What stands in the cell in the end depends on the messages alone, not on when they came or how often the
cell was drawn; and it holds no times, costs or ids unless these are wanted. So a notebook that is run again
gives the same outputs.

Messages: https://docs.claude.com/en/api/agent-sdk/python#message-types. The SDK is not imported here, since
that takes longer than all else; messages and blocks are told apart by the names of their classes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from askwidgets.agent_text import AgentText
from askwidgets.canvas import Canvas
from askwidgets.display import METADATA, Bundle, CellOutputs, Output
from askwidgets.footer import Footer
from askwidgets.hidden import plain
from askwidgets.markup import markdown_html, text_html
from askwidgets.mode_chip import BYPASS_WARNING, PLANNING, bypass_warning_html
from askwidgets.permissions import BYPASS
from askwidgets.status_line import rate_limit_text, retry_text
from askwidgets.tool_uses import ToolUses
from askwidgets.turn import Notice

if TYPE_CHECKING:
    from claude_agent_sdk import (
        AssistantMessage,
        RateLimitEvent,
        ResultMessage,
        StreamEvent,
        SystemMessage,
        UserMessage,
    )

__all__ = ["Transcript"]

_SYNTHETIC = "<synthetic>"
"""The model of messages that the CLI wrote itself."""
_WAITING = "Waiting for the model"


class Transcript:
    """Draws one turn into one cell; on one thread, the loop of the cell.

    ::

        transcript = Transcript(outputs)
        transcript.feed(message)
        transcript.finish()
    """

    def __init__(
        self,
        outputs: CellOutputs,
        *,
        session: str = "main",
        show_costs: bool = False,
        digest: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session = session
        self._show_costs = show_costs
        self._canvas = Canvas(outputs, clock)
        self._said = AgentText(self._canvas)
        self._tools = ToolUses(self._canvas, clock, show_durations=show_costs)
        self._handlers: dict[type, Callable[[Any], None]] = {}
        self._model = ""
        self._entering_plan: set[str] = set()
        self._is_warned = False
        self._is_metered = True
        self._session_id = ""
        self._message_uuid = ""
        self._digest = digest
        self._result: ResultMessage | None = None
        self._is_finished = False
        self._note = ""
        self._footer_output: Output | None = None

    @property
    def outputs(self) -> CellOutputs:
        """Where to draw what the transcript itself does not, so that its style sheet serves that too."""
        return self._canvas.outputs

    @property
    def text(self) -> str:
        """What the agent has said, in Markdown; its messages are joined by an empty line."""
        return self._said.text

    def feed(self, message: object) -> None:
        """Take in the next message of the SDK; it is drawn soon, if a loop is running."""
        kind = type(message)
        # By class, looked up once: 25,000 parts of a text come in a long turn.
        handler = self._handlers.get(kind)

        if handler is None:
            handler = self._handlers[kind] = self._handler(kind)

        handler(message)

    def flush(self) -> None:
        """Draw what has changed, now."""
        self._canvas.flush()

    def status(self, text: str, asked: str = "") -> None:
        """Say on top of the cell what goes on, until the turn begins or an empty text leaves it to the messages.

        ``asked`` is what waits for the person, in one line.
        """
        if not self._is_finished:
            self._canvas.status.told = text
            self._canvas.status.asked = asked
            self.flush()

    def cover(self, tool_use_id: str) -> None:
        """Know that a form or a receipt stands for this tool use, so that it needs no row even when it fails."""
        self._tools.cover(tool_use_id)

    def finish(self, note: str = "") -> None:
        """Draw everything as it stays; ``note`` tells how the turn ended, if not as usual."""
        if self._is_finished:
            return

        self._is_finished = True
        self._note = note
        self._said.close()
        self._tools.stop()
        self._footer_output = self._canvas.close(self._footer_bundle())

    def gauge(self, context: float) -> None:
        """Add to the footer how much of the context window is used, 0 to 1; known only after the turn."""
        footer = self._footer_bundle(context)

        if self._footer_output is not None and footer is not None:
            self._footer_output.update(footer)

    def _footer_bundle(self, context: float | None = None) -> Bundle | None:
        footer = self._footer(context).bundle()

        if footer is None or not self._session_id:
            return footer

        has_ended = self._result is not None and not self._result.is_error and not self._note
        kept = {
            "session_id": self._session_id,
            "message": self._message_uuid,
            "prompt": self._digest if has_ended else "",
        }

        return {**footer, METADATA: {"askwidgets": {name: value for name, value in kept.items() if value}}}

    def _footer(self, context: float | None) -> Footer:
        result = self._result
        cost = result.total_cost_usd if result and self._is_metered else None

        return Footer(
            note=self._note,
            model=self._model,
            session=self._session,
            session_id=result.session_id if result else "",
            duration=result.duration_ms / 1000 if result else None,
            usage=(result and result.usage) or {},
            cost_usd=cost,
            context=context,
            show_costs=self._show_costs,
        )

    def _handler(self, kind: type) -> Callable[[Any], None]:
        handlers: Mapping[str, Callable[[Any], None]] = {
            "AssistantMessage": self._assistant,
            "Notice": self._tell,
            "RateLimitEvent": self._rate_limit,
            "ResultMessage": self._end,
            "StreamEvent": self._stream,
            "SystemMessage": self._system,
            "UserMessage": self._user,
        }

        return next((handlers[base.__name__] for base in kind.__mro__ if base.__name__ in handlers), _ignore)

    def _stream(self, message: StreamEvent) -> None:
        # What a subagent writes is told by its row alone.
        if message.parent_tool_use_id is not None:
            return

        event = message.event
        kind = event.get("type")

        if kind == "content_block_delta":
            text = (event.get("delta") or {}).get("text")

            if text:
                self._said.arrive(text)
        elif kind == "content_block_start":
            self._begin_block(event.get("content_block") or {})
        elif kind == "message_start":
            self._said.take_back()

    def _begin_block(self, block: Mapping[str, object]) -> None:
        kind = block.get("type")

        if kind == "text":
            self._tools.close_group()
            self._canvas.do("Writing")
        elif kind == "thinking":
            self._canvas.do("Thinking")
        elif kind == "tool_use":
            self._canvas.do(f"Preparing {block.get('name')}")

    def _assistant(self, message: AssistantMessage) -> None:
        if message.error:
            # Not the agent's words but the service's; the session raises them as an error.
            return

        parent = message.parent_tool_use_id

        # A subagent may use another model, and its messages are no place to branch at.
        if parent is None and message.model != _SYNTHETIC:
            self._model = message.model
            self._message_uuid = message.uuid or ""

        for block in message.content:
            self._block(block, parent)

    def _block(self, block: Any, parent: str | None) -> None:  # noqa: ANN401 - told apart by name, see the module
        kind = type(block).__name__

        if kind in {"ToolUseBlock", "ServerToolUseBlock"}:
            self._use(block.id, block.name, block.input, parent)
        elif kind == "ServerToolResultBlock":
            self._tools.settle(block.tool_use_id, block.content, is_error=False)
        elif parent is None and kind == "TextBlock":
            self._tools.close_group()
            self._said.say(block.text)
        elif parent is None and kind == "ThinkingBlock" and block.thinking.strip():
            thinking = markdown_html(block.thinking)
            self._notice(f"<details><summary>Thinking</summary>{thinking}</details>", "Thinking")

    def _use(self, tool_use_id: str, name: str, tool_input: Mapping[str, object], parent: str | None) -> None:
        if parent is None:
            self._said.close()
            self._canvas.do(f"Running {name}")

        if name == "EnterPlanMode":
            self._entering_plan.add(tool_use_id)
            return

        self._tools.use(tool_use_id, name, tool_input, parent)

        if parent is None:
            # A form for it may be shown next, and must come below it.
            self.flush()

    def _notice(self, html: str, text: str) -> None:
        bundle: Bundle = {"text/html": html, "text/plain": plain(text)}
        self._said.close()
        self._tools.close_group()
        self._canvas.show(bundle)

    def _tell(self, notice: Notice) -> None:
        self._notice(f"<p><small>{text_html(notice.text)}</small></p>", notice.text)

    def _user(self, message: UserMessage) -> None:
        for block in message.content if isinstance(message.content, list) else ():
            if type(block).__name__ == "ToolResultBlock":
                self._settle(block, message.parent_tool_use_id)

    def _settle(self, block: Any, parent: str | None) -> None:  # noqa: ANN401 - told apart by name, see the module
        if parent is None:
            self._canvas.do(_WAITING)

        if block.tool_use_id in self._entering_plan:
            self._tell(Notice("Claude wanted to plan first, and could not." if block.is_error else PLANNING))
            return

        self._tools.settle(block.tool_use_id, block.content, is_error=bool(block.is_error))

    def _end(self, message: ResultMessage) -> None:
        self._result = message

        for denial in message.permission_denials or ():
            if isinstance(denial, Mapping):
                self._tools.deny(str(denial.get("tool_use_id")))

        # A slash command of the CLI answers by its result alone.
        if message.result and not message.is_error and not self.text:
            self._said.say(message.result)

    def _set_mode(self, mode: object) -> None:
        """Follow the mode; the CLI tells it as a turn begins and whenever it changes, whoever changed it."""
        if not isinstance(mode, str) or not mode:
            return

        self._canvas.set_mode(mode)
        self._tools.mode = mode

        if mode == BYPASS and not self._is_warned:
            self._is_warned = True
            self._notice(bypass_warning_html(), BYPASS_WARNING)

    def _system(self, message: SystemMessage) -> None:
        data = message.data
        self._set_mode(data.get("permissionMode"))

        if message.subtype == "init":
            self._session_id = str(data.get("session_id") or "")
            self._tools.cwd = str(data.get("cwd") or "")
            # With a subscription the cost that is reported is nobody's bill.
            self._is_metered = data.get("apiKeySource") != "none"
            self._canvas.status.told = ""
            self._canvas.do(_WAITING)
        elif message.subtype == "status" and "permissionMode" not in data:
            self._canvas.do("Compacting the conversation" if data.get("status") == "compacting" else _WAITING)
        elif message.subtype == "api_retry":
            self._canvas.do(retry_text(data))
        elif message.subtype == "compact_boundary":
            self._notice("<p><small>Conversation compacted</small></p>", "Conversation compacted")
        elif message.subtype.startswith("task_"):
            self._tools.progress(str(data.get("tool_use_id") or ""), data)

    def _rate_limit(self, message: RateLimitEvent) -> None:
        if message.rate_limit_info.status != "allowed":
            self._canvas.do(rate_limit_text(message.rate_limit_info))


def _ignore(message: object) -> None:
    """Take a message that shows nothing."""
