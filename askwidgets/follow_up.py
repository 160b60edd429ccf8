"""Asks a question of the past in a cell, and runs the turn that its answer starts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from askwidgets.cell_task import CellTask
from askwidgets.errors import AskWidgetsError, CliError, TurnError
from askwidgets.kernel_context import KernelContext
from askwidgets.past_question import PastQuestion
from askwidgets.questions import Outcome
from askwidgets.turn import Turn

__all__ = ["FollowUp"]

_UNHEARD = "Nobody was asked this while the turn ran. Your answer goes on from here."
_CUT_OFF = "This waited for you when the agent's process ended. Your answer goes on from here."
_REOPENED = "This was asked before. Your new answer branches the conversation off there; the old branch stays as it is."


@dataclass(kw_only=True)
class FollowUp(CellTask):
    """Waits in the background; its cell is done meanwhile."""

    past: PastQuestion
    kernel: KernelContext
    """Whose tools the agent has meanwhile."""
    is_branch: bool
    """Whether the session was made for this answer; otherwise the conversation itself goes on."""
    was_cut_off: bool = False
    """Whether somebody had been asked, when the kernel or the CLI died."""

    async def run(self) -> Turn:
        """Ask, and let the agent go on from the answer."""
        note = ""
        outcome = self.past.outcome
        reason = _CUT_OFF if self.was_cut_off else _REOPENED if self.is_branch else _UNHEARD
        notice = " ".join(filter(None, [reason, self.past.changes()]))
        remark = f"reopened, in the branch {self.name}" if self.is_branch else "as a follow-up"

        try:
            outcome = await self.host.ask_person(
                self.past.request, drafts=outcome.answers if outcome else None, notice=notice, remark=remark
            )

            # Only now: while the question waits, another turn of this session may use the tools.
            with self.kernel.tools(self.name, self.host.outputs, self.stop, self.is_stopping):
                await self.session.adopt(self.kernel.options(self.name))

                if self.past.rewinds:
                    await self.session.rewind(self.past.prompt_uuid)

                return await self._answered(outcome)
        except asyncio.CancelledError:
            note = "Interrupted"
            raise
        except AskWidgetsError as error:
            note = str(error)
            raise
        finally:
            self.transcript.finish(note)

    async def give_way(self) -> bool:
        """Make room also where it still waits: only the latest question can be answered late."""
        if not self.session.is_running:
            self.stop()

        return await super().give_way()

    async def _answered(self, outcome: Outcome) -> Turn:
        """Give the answer as the question's real result, where the agent has gone on as a prompt that quotes both."""
        if self.is_branch or not self.past.later:
            try:
                return await self.session.answer_late(
                    self.past.message_uuid,
                    self.past.results(outcome),
                    fork=True,
                    ask=self.host.ask,
                    permit=self.host.permit,
                    on_message=self.transcript.feed,
                )
            # The CLI may no longer have that message; then the answer goes on in words.
            except (CliError, TurnError):
                if self.is_branch or self._has_begun():
                    raise

        return await self.session.prompt(
            self.past.prompt(outcome), ask=self.host.ask, permit=self.host.permit, on_message=self.transcript.feed
        )

    def _has_begun(self) -> bool:
        """Whether the turn that failed had come to anything; otherwise the late answer itself was refused."""
        last = self.session.last

        return last is not None and bool(last.text or last.tool_uses)
