"""One turn in one cell: the prompt, who is asked meanwhile, and what it leaves."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

from askwidgets.answers import Answers
from askwidgets.cell_task import CellTask
from askwidgets.errors import AskWidgetsError, CliError, OptionError, SignInError, TurnError
from askwidgets.held_outputs import HeldOutputs
from askwidgets.interrupt import PromptInterrupt
from askwidgets.kernel_context import TurnContext
from askwidgets.model_source import ModelSource
from askwidgets.past_question import unheard_question
from askwidgets.text_prompt import Prompts, TextPrompt
from askwidgets.turn import Notice, Turn

__all__ = ["CellTurn"]

_logger = logging.getLogger("askwidgets")


@dataclass(kw_only=True)
class CellTurn(CellTask):
    """A prompt, from the cell that holds it."""

    context: TurnContext
    """The prompt, and what the kernel adds to it."""
    prompts: Prompts | None = None
    """What asks in text, where no widget can be answered."""
    is_background: bool = False
    """Whether the cell is done while the turn runs on."""
    source: ModelSource | None = None
    """What answers for the model, if not its service."""
    own_answers: Answers | None = None
    """Given for this turn alone: a pattern of theirs that matches nothing is warned of."""
    held: HeldOutputs | None = None
    """What it draws, where that is shown only in the end."""
    shows_context: bool = False
    """Whether the footer is to tell how much of the context window is used."""
    _gauging: asyncio.Task[None] | None = field(default=None, init=False)

    async def run(self) -> Turn:
        """Run the turn to its end, and leave the transcript as it stays."""
        note = ""
        # The CLI may take long to start, or never answer.
        self.transcript.flush()

        try:
            turn = await self._turn()
            self._cover(turn)
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
            elif self.shows_context:
                # Kept, since a loop holds its tasks by weak references alone.
                self._gauging = asyncio.get_running_loop().create_task(self._gauge())

    async def _turn(self) -> Turn:
        people = self.host if self.prompts is None else TextPrompt(self.host, self.prompts)
        was_sent = True
        self.context.begin(self.host.outputs, self.stop, self.is_stopping)

        try:
            turn = await self.session.prompt(
                self.context.prompt,
                before=self.context.before,
                ask=people.ask,
                permit=people.permit,
                on_message=self.transcript.feed,
            )

            return self.context.finished(turn)
        except (CliError, SignInError, OptionError):
            # The model has seen nothing of what the kernel told, so the next prompt tells it again.
            was_sent = False
            raise
        except TurnError as error:
            # The CLI knows only that the service said no; a recording knows what it had expected.
            problem = self.source.problem() if self.source is not None else None

            raise problem or error from None
        finally:
            self.context.end(was_sent=was_sent)

    async def _gauge(self) -> None:
        """Complete the footer once the cell is done: it takes the CLI as long as a short turn to tell."""
        try:
            used = await self.session.context_used()
        except Exception as error:  # noqa: BLE001 - the session may be over by now; the footer is complete enough
            _logger.debug("No context usage: %s", error)
        else:
            if used is not None:
                self.transcript.gauge(used)

    def _cover(self, turn: Turn) -> None:
        """Let no row stand for a question that the tool answered itself: it is asked after the turn."""
        unheard = unheard_question(turn) if self.host.is_attended else None

        if unheard is not None:
            self.transcript.cover(unheard.request.tool_use_id)

    def _warn(self) -> None:
        unused = self.own_answers.warnings if self.own_answers is not None else []

        for warning in filter(None, [*unused, self.source.warning() if self.source is not None else ""]):
            self.transcript.feed(Notice(warning))
