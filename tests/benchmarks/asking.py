"""In the kernel: asks as a session does, from a thread of its own to the cell that runs; no CLI takes part.

Times are seconds since the epoch, so that both processes can tell them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

import ipywidgets as widgets
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display

from askwidgets.allowances import SessionAllowances
from askwidgets.cell_host import CellHost
from askwidgets.form import QuestionForm
from askwidgets.kernel import cell_outputs, frontend_session
from askwidgets.loop_thread import LoopThread
from askwidgets.questions import QuestionRequest, parse_question_request
from askwidgets.running_turn import Callbacks, RunningTurn
from askwidgets.transcript import Transcript
from askwidgets.turn_record import TurnRecord
from askwidgets.widget_tree import close_widgets, tree_widgets

__all__ = ["Asker", "Bare", "question_input"]

PREVIEW = "# Layout {}\n\n```python\nfor row in table:\n    print(row)\n```\n"


def question_input(questions: int, *, previews: bool) -> Mapping[str, object]:
    """Give the tool's input of questions with four options each."""
    return {"questions": [_question(number, previews=previews) for number in range(1, questions + 1)]}


def _question(number: int, *, previews: bool) -> Mapping[str, object]:
    options = [
        {
            "label": f"Option {letter}",
            "description": f"What option {letter} of question {number} would mean for the project",
            **(
                {"preview": f"# Layout {letter}\n\n```python\nfor row in table:\n    print(row)\n```\n"}
                if previews
                else {}
            ),
        }
        for letter in "ABCD"
    ]
    return {
        "question": f"Which of these should hold for part {number} of the report?",
        "header": f"Part {number}",
        "multiSelect": False,
        "options": options,
    }


class Asker:
    """Asks one request after another in the cells of a kernel."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._thread = LoopThread("asker")
        self.called = 0.0
        """When the callback was called last."""
        self.resolved = 0.0
        """When the callback had its outcome last."""

    async def ask(self, tool_input: Mapping[str, object]) -> None:
        """Ask in the cell that awaits this, and note when."""
        outputs = cell_outputs(self._shell)
        host = CellHost(
            outputs=outputs,
            transcript=Transcript(outputs),
            allowances=SessionAllowances(),
            frontend=frontend_session(self._shell),
        )
        running = RunningTurn(TurnRecord("Please ask me."), Callbacks(ask=host.ask, permit=host.permit))
        request = parse_question_request(tool_input, tool_use_id="toolu_1")
        host.transcript.flush()
        await asyncio.wrap_future(self._thread.start(self._asked(running, request)))
        host.transcript.finish()
        host.clear()

    async def _asked(self, running: RunningTurn, request: QuestionRequest) -> None:
        self.called = time.time()
        await running.ask(request)
        self.resolved = time.time()


class Bare:
    """What ipywidgets does by itself in the place of a form."""

    def __init__(self, tool_input: Mapping[str, object]) -> None:
        form = QuestionForm(tool_input)
        self._kinds = [type(widget) for widget in tree_widgets(form.widget) if isinstance(widget, widgets.DOMWidget)]
        form.close()
        self._box = widgets.VBox()
        self._thread = LoopThread("bare")
        self.called = 0.0
        """When the first widget was made."""
        self.resolved = 0.0
        """When the thread knew of the click."""

    def show(self) -> None:
        """Make and show as many widgets of the same kinds as a form has; none holds anything."""
        self.called = time.time()
        self._box = widgets.VBox([kind() for kind in self._kinds[1:]])
        display(self._box)

    def close(self) -> None:
        """Close what is shown."""
        close_widgets(self._box)

    async def wait_for_click(self) -> None:
        """Show a button and wait until a future of another thread knows that it was clicked."""
        button = widgets.Button(description="Bare")
        display(button)
        await asyncio.wrap_future(self._thread.start(self._clicked(button)))
        button.close()

    async def _clicked(self, button: widgets.Button) -> None:
        loop = asyncio.get_running_loop()
        clicked: asyncio.Future[None] = loop.create_future()
        button.on_click(lambda _: loop.call_soon_threadsafe(clicked.set_result, None))
        await clicked
        self.resolved = time.time()
