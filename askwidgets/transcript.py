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
from typing import TYPE_CHECKING, Any, Protocol

from askwidgets import markup
from askwidgets.display import Bundle, CellOutputs
from askwidgets.footer import Footer
from askwidgets.pace import Pace
from askwidgets.slot import Slot
from askwidgets.status_line import StatusLine, retry_text
from askwidgets.stream_text import StreamText
from askwidgets.todo import TODO_TOOLS, TodoList
from askwidgets.tool_group import ToolGroup
from askwidgets.tool_result import parse_result
from askwidgets.tool_row import ToolRow

if TYPE_CHECKING:
    from claude_agent_sdk import (
        AssistantMessage,
        RateLimitEvent,
        ResultMessage,
        StreamEvent,
        SystemMessage,
        ToolUseBlock,
        UserMessage,
    )

__all__ = ["Transcript"]

_STANDS_ELSEWHERE = frozenset({"AskUserQuestion", "ExitPlanMode"})
"""Tools for whose uses a form or a receipt stands in the cell."""
_SYNTHETIC = "<synthetic>"
_STYLE = (
    ".ask-status{opacity:.75}.ask-clock{animation:ask-s 60s steps(60) var(--ask-s) infinite,"
    "ask-m 36000s steps(600) var(--ask-s);counter-reset:m var(--ask-mm) s var(--ask-ss)}"
    '.ask-clock::after{content:counter(m)":"counter(s,decimal-leading-zero)}'
    '@property --ask-ss{syntax:"<integer>";inherits:true;initial-value:0}'
    '@property --ask-mm{syntax:"<integer>";inherits:true;initial-value:0}'
    "@keyframes ask-s{to{--ask-ss:60}}@keyframes ask-m{to{--ask-mm:600}}"
    ".ask-rows{margin-left:1.5em}.ask-rows pre{white-space:pre-wrap;max-height:24em;overflow:auto}"
    ".ask-todo ul{list-style:none;padding:0}.ask-past{opacity:.6}.ask-now{font-weight:bold}"
)


class _Segment(Protocol):
    def draw(self) -> int:
        """Show it as it stands; gives the number of characters that a later draw may send again."""


class _Notice:
    """An output that never changes."""

    def __init__(self, outputs: CellOutputs, bundle: Bundle) -> None:
        self._slot = Slot(outputs)
        self._bundle = bundle

    def draw(self) -> int:
        self._slot.draw(self._bundle)

        return 0


class _TodoBlock:
    """The list of things to do, where it was first written down."""

    def __init__(self, outputs: CellOutputs) -> None:
        self.todos = TodoList()
        self._slot = Slot(outputs)

    def draw(self) -> int:
        if self.todos.is_empty:
            return 0

        return self._slot.draw({"text/html": self.todos.html(), "text/plain": self.todos.plain()})


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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._outputs = outputs
        self._session = session
        self._show_costs = show_costs
        self._clock = clock
        self._pace = Pace(self._draw, clock)
        self._style = Slot(outputs)
        self._status = StatusLine(outputs, clock)
        self._handlers: dict[type, Callable[[Any], None]] = {}
        self._is_finished = False
        self._changed: dict[_Segment, None] = {}
        self._text: StreamText | None = None
        self._said: list[str] = []
        """The text blocks of the open run of text."""
        self._arriving: list[str] = []
        """What has arrived of a text block that is not complete yet."""
        self._texts: list[str] = []
        self._group: ToolGroup | None = None
        """The group that the next tool use may join."""
        self._groups: dict[str, ToolGroup] = {}
        self._rows: dict[str, ToolRow] = {}
        self._started: dict[str, float] = {}
        self._elsewhere: dict[str, ToolRow | None] = {}
        """Tool uses that are not drawn; ``None`` once something stands for them."""
        self._todo_block: _TodoBlock | None = None
        self._todo_uses: set[str] = set()
        self._cwd = ""
        self._model = ""
        self._is_metered = True
        self._result: ResultMessage | None = None

    @property
    def text(self) -> str:
        """What the agent has said, in Markdown; its messages are joined by an empty line."""
        arriving = "".join(self._arriving)

        return "\n\n".join([*self._texts, arriving] if arriving else self._texts)

    def feed(self, message: object) -> None:
        """Take in the next message of the SDK; it is drawn soon, if a loop is running."""
        kind = type(message)
        handler = self._handlers.get(kind)

        if handler is None:
            handler = self._handlers[kind] = self._handler(kind)

        handler(message)

    def flush(self) -> None:
        """Draw what has changed, now."""
        self._pace.draw_now()

    def status(self, text: str) -> None:
        """Say on top of the cell what goes on; an empty text leaves that to the messages."""
        if self._is_finished:
            return

        self._status.told = text
        self.flush()

    def stand_in(self, tool_use_id: str) -> None:
        """Know that a form or a receipt stands for this use, so that it needs no row even when it fails."""
        self._elsewhere[tool_use_id] = None

    def finish(self, note: str = "", *, context: float | None = None) -> None:
        """Draw everything as it stays; ``context`` is how much of the context window is used, 0 to 1."""
        if self._is_finished:
            return

        self._is_finished = True
        self._close_text()

        for tool_use_id, row in self._rows.items():
            row.stop()
            self._change_row(tool_use_id)

        self._status.told = ""
        self.flush()
        self._status.clear()
        footer = self._footer(note, context).bundle()

        if footer is not None:
            self._outputs.show(footer)

    def _footer(self, note: str, context: float | None) -> Footer:
        result = self._result

        return Footer(
            note=note,
            model=self._model,
            session=self._session,
            session_id=result.session_id if result else "",
            duration=result.duration_ms / 1000 if result else None,
            usage=(result and result.usage) or {},
            cost_usd=result.total_cost_usd if result and self._is_metered else None,
            context=context,
            show_costs=self._show_costs,
        )

    def _draw(self) -> int:
        self._style.draw({"text/html": f"<style>{markup.STYLE}{_STYLE}</style>", "text/plain": ""})
        sent = 0 if self._is_finished else self._status.draw()

        for segment in self._changed:
            sent += segment.draw()

        self._changed.clear()

        return sent

    def _change(self, segment: _Segment) -> None:
        self._changed[segment] = None
        self._pace.want()

    def _change_row(self, tool_use_id: str) -> None:
        group = self._groups.get(tool_use_id)

        if group is not None:
            self._change(group)

    def _handler(self, kind: type) -> Callable[[Any], None]:
        handlers: Mapping[str, Callable[[Any], None]] = {
            "AssistantMessage": self._assistant,
            "RateLimitEvent": self._rate_limit,
            "ResultMessage": self._ended,
            "StreamEvent": self._stream,
            "SystemMessage": self._system,
            "UserMessage": self._user,
        }

        return next((handlers[base.__name__] for base in kind.__mro__ if base.__name__ in handlers), _ignore)

    def _stream(self, message: StreamEvent) -> None:
        if message.parent_tool_use_id is not None:
            return

        event = message.event
        kind = event.get("type")

        if kind == "content_block_delta":
            text = event["delta"].get("text")

            if text and self._text is not None:
                self._arriving.append(text)
                self._text.append(text)
                self._change(self._text)
        elif kind == "content_block_start":
            self._begin_block(event.get("content_block") or {})
        elif kind == "message_start":
            self._drop_arriving()

    def _begin_block(self, block: Mapping[str, object]) -> None:
        kind = block.get("type")

        if kind == "text":
            self._begin_text()
        elif kind == "thinking":
            self._do("Thinking")
        elif kind == "tool_use":
            self._do(f"Preparing {block.get('name')}")

    def _do(self, activity: str) -> None:
        self._status.activity = activity
        self._pace.want()

    def _begin_text(self) -> StreamText:
        self._do("Writing")
        self._group = None

        if self._text is None:
            self._text = StreamText(self._outputs)
        elif self._said:
            self._text.append("\n\n")

        return self._text

    def _drop_arriving(self) -> None:
        """Take back the part of a message that the service broke off and now sends anew."""
        if self._arriving and self._text is not None:
            self._text.replace("\n\n".join(self._said))
            self._arriving.clear()
            self._change(self._text)

    def _say(self, text: str) -> None:
        """Take in a whole text block, whether its parts have been seen or not."""
        arrived = "".join(self._arriving)
        self._arriving.clear()

        if not arrived or self._text is None:
            self._text = self._begin_text()
            self._text.append(text)
        elif arrived != text:
            self._text.replace("\n\n".join([*self._said, text]))

        self._said.append(text)
        self._texts.append(text)
        self._change(self._text)

    def _close_text(self) -> None:
        if self._arriving:
            self._texts.append("".join(self._arriving))
            self._arriving.clear()

        if self._text is not None:
            self._changed.pop(self._text, None)
            self._draw()
            self._text.close()

        self._text = None
        self._said.clear()

    def _assistant(self, message: AssistantMessage) -> None:
        parent = message.parent_tool_use_id

        if parent is None and message.model != _SYNTHETIC:
            self._model = message.model

        for block in message.content:
            kind = type(block).__name__

            if kind in {"ToolUseBlock", "ServerToolUseBlock"}:
                self._use(block, parent)  # type: ignore[arg-type]  # told by its name, see above
            elif kind == "ServerToolResultBlock":
                self._settle(block.tool_use_id, block.content, is_error=False)  # type: ignore[union-attr]
            elif parent is None and kind == "TextBlock":
                self._say(block.text)  # type: ignore[union-attr]
            elif parent is None and kind == "ThinkingBlock":
                self._think(block.thinking)  # type: ignore[union-attr]

    def _think(self, text: str) -> None:
        if text.strip():
            html = f'<details class="ask-think"><summary>Thinking</summary>{markup.markdown_html(text)}</details>'
            self._notice({"text/html": html, "text/plain": "Thinking"})

    def _notice(self, bundle: Bundle) -> None:
        self._close_text()
        self._group = None
        self._change(_Notice(self._outputs, bundle))

    def _use(self, block: ToolUseBlock, parent: str | None) -> None:
        row = ToolRow(name=block.name, input=block.input, cwd=self._cwd)
        self._started[block.id] = self._clock()

        if parent in self._rows:
            self._rows[block.id] = row
            self._rows[parent].rows.append(row)
            self._groups[block.id] = self._groups[parent]
            self._change_row(block.id)

            return

        self._close_text()
        self._do(f"Running {block.name}")

        if block.name in _STANDS_ELSEWHERE:
            self._elsewhere.setdefault(block.id, row)
            self._group = None
        elif block.name in TODO_TOOLS:
            self._use_todo(block)
        else:
            self._add_row(block.id, row)

        # A form for it may be shown next, and must come below it.
        self.flush()

    def _add_row(self, tool_use_id: str, row: ToolRow) -> None:
        if self._group is not None and self._group.takes(row):
            self._group.rows.append(row)
        else:
            self._group = ToolGroup(self._outputs, row)

        self._rows[tool_use_id] = row
        self._groups[tool_use_id] = self._group
        self._change(self._group)

    def _use_todo(self, block: ToolUseBlock) -> None:
        if self._todo_block is None:
            self._group = None
            self._todo_block = _TodoBlock(self._outputs)

        self._todo_uses.add(block.id)
        self._todo_block.todos.use(block.id, block.name, block.input)
        self._status.activity = self._todo_block.todos.doing or self._status.activity
        self._change(self._todo_block)

    def _user(self, message: UserMessage) -> None:
        for block in message.content if isinstance(message.content, list) else ():
            if type(block).__name__ == "ToolResultBlock":
                self._settle(block.tool_use_id, block.content, is_error=bool(block.is_error))  # type: ignore[union-attr]

    def _settle(self, tool_use_id: str, content: object, *, is_error: bool) -> None:
        self._do("Waiting for the model")
        result = parse_result(content, is_error=is_error)

        if tool_use_id in self._todo_uses and self._todo_block is not None:
            self._todo_block.todos.settle(tool_use_id, result.text)

        hidden = self._elsewhere.get(tool_use_id)

        if hidden is not None and is_error:
            self._close_text()
            self._add_row(tool_use_id, hidden)

        row = self._rows.get(tool_use_id)

        if row is not None:
            row.settle(result)
            row.duration = self._clock() - self._started[tool_use_id] if self._show_costs else None
            self._change_row(tool_use_id)

    def _ended(self, message: ResultMessage) -> None:
        self._result = message

        for denial in message.permission_denials or ():
            tool_use_id = denial.get("tool_use_id", "") if isinstance(denial, Mapping) else ""

            if tool_use_id in self._rows:
                self._rows[tool_use_id].state = "denied"
                self._change_row(tool_use_id)

        if message.result and not message.is_error and not self._texts:
            self._say(message.result)

    def _system(self, message: SystemMessage) -> None:
        data = message.data

        if message.subtype == "init":
            self._cwd = str(data.get("cwd") or "")
            self._is_metered = data.get("apiKeySource") != "none"
            self._do("Waiting for the model")
        elif message.subtype == "api_retry":
            self._do(retry_text(data))
        elif message.subtype == "compact_boundary":
            text = "Conversation compacted"
            self._notice({"text/html": f"<p><small>{text}</small></p>", "text/plain": text})
        elif message.subtype in {"task_started", "task_progress", "task_notification"}:
            self._progress(data)

    def _progress(self, data: Mapping[str, object]) -> None:
        tool_use_id = str(data.get("tool_use_id") or "")
        row = self._rows.get(tool_use_id)
        text = data.get("summary") or data.get("description")

        if row is not None and isinstance(text, str):
            row.progress = text
            self._change_row(tool_use_id)

    def _rate_limit(self, message: RateLimitEvent) -> None:
        info = message.rate_limit_info

        if info.status != "allowed":
            used = f", {info.utilization:.0%} used" if info.utilization is not None else ""
            self._do(f"Rate limit: {info.status.replace('_', ' ')}{used}")


def _ignore(message: object) -> None:
    """Take a message that shows nothing."""
