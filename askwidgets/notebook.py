"""What a notebook's magics work on: its sessions by name, and the turns that run in its cells."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import replace
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from askwidgets.allowances import SessionAllowances
from askwidgets.answers import Answers
from askwidgets.arguments import TurnArguments, checked_variable
from askwidgets.background import UnfinishedTurn
from askwidgets.cell_host import CellHost
from askwidgets.cell_task import CellTask
from askwidgets.cell_turn import CellTurn
from askwidgets.conversations import Conversations
from askwidgets.decision_form import DecisionForm
from askwidgets.display import CellOutputs
from askwidgets.environment import Environment, read_environment
from askwidgets.errors import BusyError, CliError, OptionError
from askwidgets.follow_up import FollowUp
from askwidgets.form import QuestionForm
from askwidgets.frontend import Frontend
from askwidgets.given_answers import GivenAnswers
from askwidgets.held_outputs import HeldOutputs
from askwidgets.kernel import frontend_session
from askwidgets.kernel_context import KernelContext
from askwidgets.model_source import DemoSource, ModelSource, RecordingSource, ReplaySource
from askwidgets.notification import notifier
from askwidgets.past_question import PastQuestion, cut_off_question, unheard_question
from askwidgets.policy import Policy
from askwidgets.questions import Answer
from askwidgets.rerun import Reruns
from askwidgets.saved_turn import prompt_digest
from askwidgets.session import Session
from askwidgets.session_settings import Settings, adjust, check_word, new_session_options
from askwidgets.session_store import open_store
from askwidgets.transcript import Transcript
from askwidgets.turn import Turn
from askwidgets.waiting import Waiting

__all__ = ["Notebook"]

_SESSION_NAME = re.compile(r"[^\W\d][\w-]*(?:~\d+)?")


class Notebook:
    """The sessions of one shell.

    Args:
        shell: whose cells run the turns.
        settings: read whenever a session is made.
    """

    def __init__(self, shell: InteractiveShell, settings: Settings) -> None:
        self.sessions: dict[str, Session] = {}
        """By name, in the order in which they were made."""
        self.turns: dict[str, CellTask] = {}
        """Those that run now, by the session's name."""
        self._shell = shell
        self._settings = settings
        self._frontend = Frontend(shell)
        self._allowances: dict[str, SessionAllowances] = {}
        self._drafts: dict[str, dict[str, Answer]] = {}
        self._frozen: list[QuestionForm | DecisionForm] = []
        self._reruns = Reruns(shell, settings, self._frontend)
        self.kernel: KernelContext = KernelContext(shell)
        """What the agent is shown of the kernel, and does in it."""
        self.environment: Environment = read_environment(os.environ)
        """What it says of a run that nobody watches."""
        self.answers: GivenAnswers = GivenAnswers(shell.user_ns, file=self.environment.answers)
        """Those given beforehand."""
        self.may_bypass = False
        """Whether the word for ``bypassPermissions`` was given; only ever for this kernel."""
        self.source: ModelSource | None = None
        """What answers for the model; ``None`` for its service."""

    async def turn(self, arguments: TurnArguments, prompt: str, *, is_awaited: bool) -> None:
        """Run one turn in the cell that is running; what it leaves is drawn there.

        Args:
            arguments: of the magic.
            prompt: the cell's text.
            is_awaited: whether widgets of this cell can be answered while it runs.

        Where nobody is there, or nothing but text, a turn in the background ends in its cell: what is drawn later
        would be lost.
        """
        if await self._reruns.has_shown(arguments, prompt, is_awaited=is_awaited, is_attended=self.is_attended):
            return

        turn = await self._prepared(arguments, prompt, is_awaited=is_awaited)
        task = turn.start()
        self.turns[turn.name] = turn
        task.add_done_callback(lambda _: self._finished(turn, arguments.into))

        if turn.is_background:
            self.bind(arguments.into, UnfinishedTurn(turn.name, task))
        else:
            await task

    async def wait(self, name: str = "main") -> Turn:
        """Wait until the session's turn has ended, and give it; at once when none runs.

        Raises:
            SessionError: the turn failed.
            OptionError: there is no such session, or it had no turn.
        """
        turn = self.turns.get(name)

        if turn is not None and turn.task is not None:
            return await asyncio.shield(turn.task)

        session = self.sessions.get(name)

        if session is None or session.last is None:
            raise OptionError("session", name, "one that has run a turn: " + (", ".join(self.sessions) or "none yet"))

        if session.failure is not None:
            raise session.failure

        return session.last

    def follow_up(
        self,
        past: PastQuestion,
        session: Session,
        outputs: CellOutputs,
        *,
        is_branch: bool = False,
        was_cut_off: bool = False,
    ) -> None:
        """Ask a question of the past there, in the background, and let the agent go on from the answer.

        Args:
            past: the question.
            session: the one that goes on; with ``is_branch`` it was made for this answer.
            outputs: of the cell that asks.
            is_branch: whether the conversation branches off at the question.
            was_cut_off: whether the kernel or the CLI died while it waited.
        """
        transcript = Transcript(outputs, session=session.name, show_costs=self._settings.show_costs)
        host = self._host(TurnArguments(session=session.name), None, transcript)
        follow_up = FollowUp(
            session=session,
            host=host,
            transcript=transcript,
            past=past,
            kernel=self.kernel,
            is_branch=is_branch,
            was_cut_off=was_cut_off,
        )
        # Among what runs, so that `%claude pending` finds it and an interrupt stops it like any turn.
        self.turns[session.name] = follow_up
        follow_up.start().add_done_callback(lambda _: self._ended(follow_up))

    def _finished(self, turn: CellTurn, into: str) -> None:
        task = self._ended(turn)

        if task is None:
            self._ask_again(turn.session, turn.host.outputs)
            return

        self.bind(into, task.result() if turn.context.schema is None else task.result().structured)
        unheard = unheard_question(task.result())

        if unheard is not None and self.has_background:
            self.follow_up(unheard, turn.session, turn.host.outputs)

    def _ask_again(self, session: Session, outputs: CellOutputs) -> None:
        """Offer the question again that waited when the CLI died; not where the session was closed."""
        has_died = isinstance(session.failure, CliError) and self.sessions.get(session.name) is session
        past = cut_off_question(session.last) if has_died and session.last is not None else None

        if past is not None and self.has_background:
            self.follow_up(past, session, outputs, was_cut_off=True)

    def _ended(self, ended: CellTask) -> asyncio.Task[Turn] | None:
        """Take note that it has ended; gives its task if that came to a turn."""
        if self.turns.get(ended.name) is ended:
            del self.turns[ended.name]

        task = ended.task

        return None if task is None or task.cancelled() or task.exception() is not None else task

    def bind(self, name: str, value: object) -> None:
        """Bind a value to a variable of the person's; an empty name is none."""
        if name:
            self._shell.user_ns[name] = value

    async def _prepared(self, arguments: TurnArguments, prompt: str, *, is_awaited: bool) -> CellTurn:
        running = self.turns.get(arguments.session)

        if running is not None and not await running.give_way():
            raise BusyError(running.name, len(running.host.pending))

        checked_variable(arguments.into)
        given = self.answers.for_turn(arguments.answers, is_attended=self.is_attended)
        context = self.kernel.turn(arguments, prompt, most_bytes=self._settings.context_bytes)
        session = await self.session_for(arguments)
        # The kernel's tools and the format of the reply are the cell's; only a new CLI process takes others.
        await session.adopt(context.options())
        outputs = self.outputs()
        held = None if self.is_attended or self._frontend.is_text else HeldOutputs(outputs)
        outputs = held or outputs
        transcript = Transcript(
            outputs, session=session.name, show_costs=self._settings.show_costs, digest=prompt_digest(prompt)
        )
        is_background = arguments.background and self.has_background
        self._reruns.tell_lost(session.name, transcript)

        return CellTurn(
            session=session,
            context=context,
            host=self._host(arguments, given.answers, transcript),
            transcript=transcript,
            source=self.source,
            own_answers=given.own,
            held=held,
            shows_context=self._settings.show_costs and not self._frontend.is_text,
            prompts=self._frontend.prompts(is_awaited=is_awaited or is_background, way=self._settings.ask),
            is_background=is_background,
        )

    def start_demo(self, script: Path | None = None) -> None:
        """Let a scripted model on loopback answer from now on; the sessions end, and no account is needed.

        Args:
            script: what it plays; the tour's own by default.

        Raises:
            ScriptError: the script does not parse.
        """
        self.use(DemoSource(script))

    def start_replay(self, path: Path) -> None:
        """Let a recording answer from now on; the sessions end, and no account is needed.

        Raises:
            RecordingError: the file is no recording.
        """
        self.use(ReplaySource(path))

    def start_recording(self, path: Path, *, missing: bool = False) -> None:
        """Write down what answers from now on; the sessions end.

        Args:
            path: the recording's file.
            missing: play what it holds already, and record only what is new.

        Raises:
            RecordingError: the file is no recording, or the service is none that can be recorded.
        """
        behind = self.source if isinstance(self.source, DemoSource) else None
        recording = RecordingSource(path, missing=missing, behind=behind)

        if behind is not None:
            # It goes on behind the recording, so it must not be closed with the sessions.
            self.source = None

        self.use(recording)

    def stop_recording(self) -> None:
        """Let what was recorded answer by itself again; the sessions end."""
        recording = self.source

        if isinstance(recording, RecordingSource):
            recording.save()
            self.use(recording.released())

    def use(self, source: ModelSource | None) -> None:
        """Let something else answer for the model; the sessions end."""
        self.close()
        self.source = source

    @property
    def is_attended(self) -> bool:
        """Whether somebody is there to answer."""
        return self._frontend.is_attended and not self.environment.unattended

    @property
    def has_background(self) -> bool:
        """Whether a turn can run on in a cell that is done; a terminal would print it into the next cell."""
        return self.is_attended and not self._frontend.is_text and self._settings.ask != "text"

    def waiting(self) -> list[tuple[str, Waiting]]:
        """List what waits for the person in every session, with the session's name."""
        return [(name, entry) for name, turn in self.turns.items() for entry in turn.host.pending.values()]

    def outputs(self) -> CellOutputs:
        """Give the outputs of the cell that is running."""
        return self._frontend.outputs()

    def allowances(self, name: str) -> SessionAllowances:
        """Give what the person allowed for a session; kept while it lasts."""
        return self._allowances.setdefault(name, SessionAllowances())

    def forget(self, name: str) -> None:
        """End a session; the name is free again."""
        session = self.sessions.pop(name, None)
        self._allowances.pop(name, None)
        self.kernel.forget(name)
        running = self.turns.get(name)

        if running is not None and not running.session.is_running:
            # A question of the past that still waits would start the session again when it is answered.
            running.stop()

        if session is not None:
            session.close_now()

    def close(self) -> None:
        """End every session, and what answers for the model."""
        for name in list(self.sessions):
            self.forget(name)

        while self._frozen:
            self._frozen.pop().close()

        source, self.source = self.source, None

        if source is not None:
            source.close()

    def session(self, name: str = "main") -> Session:
        """Give a session that there is.

        Raises:
            OptionError: there is none of that name.
        """
        session = self.sessions.get(name)

        if session is None:
            there = ", ".join(self.sessions)
            wanted = f"one of: {there}" if there else "one that a %%claude cell has made; there is none yet"
            raise OptionError("session", name, wanted)

        return session

    def conversations(self, cwd: str = "") -> Conversations:
        """Give those of a directory, by default of that which agents work in if none is typed."""
        return Conversations(Path(cwd or self._settings.cwd or Path.cwd()), open_store(self._settings.session_store))

    async def session_for(self, arguments: TurnArguments) -> Session:
        """Give the session that was typed, made or adjusted as the options want it."""
        name = arguments.session

        if not _SESSION_NAME.fullmatch(name):
            raise OptionError("the session's name", name, "a letter, then letters, digits, _ or -")

        check_word(arguments.mode, may_bypass=self.may_bypass)

        if arguments.resume:
            known = self.sessions[name].session_id if name in self.sessions else ""
            resume = self.conversations(arguments.cwd).find(arguments.resume, known=known)
            arguments = replace(arguments, resume=resume)

        if arguments.new or arguments.resume:
            self.forget(name)

        session = self.sessions.get(name)

        if session is None:
            if self.source is None and self.environment.replay:
                self.start_replay(Path(self.environment.replay))

            options = new_session_options(arguments, self._settings, self.source, may_bypass=self.may_bypass)
            options |= self._reruns.options(arguments, lambda kept: self.conversations(arguments.cwd).holds(kept))
            session = self.sessions.setdefault(name, Session(name=name, **options))
        else:
            await adjust(session, arguments)

        return session

    def _host(self, arguments: TurnArguments, answers: Answers | None, transcript: Transcript) -> CellHost:
        return CellHost(
            outputs=transcript.outputs,
            transcript=transcript,
            allowances=self.allowances(arguments.session),
            limits=self._settings.limits,
            answers=answers,
            policy=answers.permissions if answers else Policy(),
            is_attended=self.is_attended,
            unattended=self._settings.unattended,
            timeout=arguments.timeout or self._settings.timeout or None,
            notify=notifier(self._settings.notify),
            frontend=frontend_session(self._shell),
            frozen=self._frozen,
            drafts=self._drafts.setdefault(arguments.session, {}),
        )
