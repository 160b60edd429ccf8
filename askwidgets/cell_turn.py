"""One turn in one cell: the session that runs it, what it draws, and the task that can be stopped."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from askwidgets.answers import Answers
from askwidgets.cell_host import CellHost
from askwidgets.errors import AskWidgetsError, CliError, SignInError, TurnError
from askwidgets.held_outputs import HeldOutputs
from askwidgets.kernel import PromptInterrupt
from askwidgets.kernel_context import TurnContext
from askwidgets.model_source import ModelSource
from askwidgets.session import Session
from askwidgets.text_prompt import TextPrompt
from askwidgets.transcript import Transcript
from askwidgets.turn import Notice, Turn

__all__ = ["CellTurn"]


@dataclass(kw_only=True)
class CellTurn:
    """Runs on the kernel's loop; ``run`` once."""

    session: Session
    context: TurnContext
    """The prompt, and what the kernel adds to it."""
    host: CellHost
    transcript: Transcript
    is_awaited: bool
    """Whether widgets of the cell can be answered while the turn runs."""
    is_background: bool = False
    """Whether the cell is done while the turn runs on."""
    source: ModelSource | None = None
    """What answers for the model, if not its service."""
    own_answers: Answers | None = None
    """Given for this turn alone: a pattern of theirs that matches nothing is warned of."""
    held: HeldOutputs | None = None
    """What it draws, where that is shown only in the end."""
    task: asyncio.Task[Turn] | None = None

    async def run(self) -> Turn:
        """Run the turn to its end, and leave the transcript as it stays."""
        note = ""
        # The CLI may take long to start, or never answer.
        self.transcript.flush()

        try:
            turn = await self._turn()
            self._warn()
        except (asyncio.CancelledError, PromptInterrupt):
            note = "Interrupted"
            raise
        except AskWidgetsError as error:
            # A cell that is done cannot fail: the reason stands in it, and whoever waits gets the error.
            note = str(error) if self.is_background else ""
            raise
        else:
            return turn
        finally:
            self.transcript.finish(note)

            if self.held is not None:
                self.held.publish()

    async def _turn(self) -> Turn:
        people = self.host if self.is_awaited else TextPrompt(self.host)
        was_sent = True
        self.context.begin(self.host.outputs, self.stop)

        try:
            turn = await self.session.prompt(
                self.context.prompt,
                before=self.context.before,
                ask=people.ask,
                permit=people.permit,
                on_message=self.transcript.feed,
            )

            return self.context.finished(turn)
        except (CliError, SignInError):
            was_sent = False
            raise
        except TurnError as error:
            # The CLI knows only that the service said no; a recording knows what it had expected.
            problem = self.source.problem() if self.source is not None else None

            raise problem or error from None
        finally:
            self.context.end(was_sent=was_sent)

    def _warn(self) -> None:
        for warning in self.own_answers.warnings if self.own_answers is not None else []:
            self.transcript.feed(Notice(warning))

    @property
    def name(self) -> str:
        """The session's name."""
        return self.session.name

    def start(self) -> asyncio.Task[Turn]:
        """Run the turn in a task of its own, in the context of the cell that is running."""
        self.task = asyncio.get_running_loop().create_task(self.run())

        return self.task

    def stop(self) -> None:
        """Interrupt the turn, from whatever thread."""
        if self.task is not None:
            self.task.get_loop().call_soon_threadsafe(self.task.cancel)
