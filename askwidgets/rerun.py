"""What becomes of a cell that holds the finished turn of its prompt, reached by Run All in a fresh kernel."""

from __future__ import annotations

from collections.abc import Callable

from IPython.core.interactiveshell import InteractiveShell

from askwidgets.arguments import TurnArguments, checked_variable
from askwidgets.display import CellOutputs
from askwidgets.frontend import Frontend
from askwidgets.held_outputs import HeldOutputs
from askwidgets.kernel import cell_id
from askwidgets.notebook_file import notebook_cells
from askwidgets.questions import Option, Question, QuestionRequest
from askwidgets.rerun_form import RUN, SHOW, WORDS, RerunForm
from askwidgets.saved_turn import SavedTurn, prompt_digest, saved_turns
from askwidgets.session_options import SessionOptions
from askwidgets.session_settings import Settings
from askwidgets.text_prompt import Prompts
from askwidgets.transcript import Transcript
from askwidgets.turn import Notice

__all__ = ["Reruns"]

_AGAIN = "Shown again as it was saved; nothing was sent. Run the cell again to send it."
_NO_VALUE = " {} is not bound: the reply as data was not saved."
_LOST = Notice("The turns that were shown again are not in this conversation: it is not kept here any more.")


class Reruns:
    """The finished turns that the notebook held before this kernel, each taken at most once.

    Args:
        shell: whose cells they are in.
        settings: say what becomes of them.
        frontend: tells how a person is asked.
    """

    def __init__(self, shell: InteractiveShell, settings: Settings, frontend: Frontend) -> None:
        self._shell = shell
        self._settings = settings
        self._frontend = frontend
        self._is_read = False
        self._saved: list[SavedTurn] = []
        self._ran: set[tuple[str, str]] = set()
        self._shown: dict[str, SavedTurn] = {}
        self._lost: set[str] = set()

    async def has_shown(self, arguments: TurnArguments, prompt: str, *, is_awaited: bool, is_attended: bool) -> bool:
        """Show the turn again that the running cell holds from an earlier kernel, where that is wanted.

        Args:
            arguments: of the magic.
            prompt: the cell's text.
            is_awaited: whether widgets of this cell can be answered while it runs.
            is_attended: whether somebody is there to be asked.
        """
        way = self._settings.rerun
        saved = self._found(prompt, is_wanted=way != "run")

        if saved is None:
            return False

        outputs = self._frontend.outputs()
        prompts = self._frontend.prompts(is_awaited=is_awaited, way=self._settings.ask)
        # Who interrupts the question is asked again the next time.
        is_to_run = way == "ask" and is_attended and await _is_to_run(outputs, prompts)
        self._saved.remove(saved)

        if not is_to_run:
            self._show(saved, arguments, outputs)

        if not is_to_run and arguments.into and not arguments.schema:
            self._shell.user_ns[checked_variable(arguments.into)] = saved.turn(prompt)

        return not is_to_run

    def _found(self, prompt: str, *, is_wanted: bool) -> SavedTurn | None:
        """Give the finished turn of this prompt in the running cell, unless that was run in this kernel before.

        Where the frontend does not say which cell it is, cells of one prompt go by their order.
        """
        digest, cell = prompt_digest(prompt), cell_id(self._shell)

        if is_wanted and not self._is_read:
            self._is_read = True
            self._saved = [turn for turn in saved_turns(notebook_cells()) if not self._has_run(turn)]

        is_new = not cell or (digest, cell) not in self._ran
        found = (turn for turn in self._saved if turn.digest == digest and cell in {"", turn.cell_id})
        saved = next(found, None) if is_wanted and is_new else None

        if saved is None:
            self._ran.add((digest, cell))

        return saved

    def _has_run(self, turn: SavedTurn) -> bool:
        return not self._ran.isdisjoint({(turn.digest, ""), (turn.digest, turn.cell_id)})

    def _show(self, saved: SavedTurn, arguments: TurnArguments, outputs: CellOutputs) -> None:
        held = HeldOutputs(outputs)
        transcript = Transcript(held, session=arguments.session)
        # The style sheet goes before what it is for.
        transcript.flush()

        for bundle in saved.bundles:
            if not str(bundle["text/plain"]).startswith(_AGAIN):
                transcript.outputs.show(bundle)

        lacks = arguments.schema and arguments.into
        transcript.finish(_AGAIN + (_NO_VALUE.format(arguments.into) if lacks else ""))
        held.publish()
        self._shown[arguments.session] = saved

    def options(self, arguments: TurnArguments, is_kept: Callable[[str], bool]) -> SessionOptions:
        """Let a session that is made now branch off behind the turn of it that was shown again last.

        Args:
            arguments: what was typed; another conversation goes before.
            is_kept: whether a conversation is kept here.
        """
        saved = self._shown.pop(arguments.session, None)

        if saved is None or arguments.new or arguments.resume:
            return {}

        if not is_kept(saved.session_id):
            self._lost.add(arguments.session)

            return {}

        return {"resume": saved.session_id, "resume_at": saved.message_uuid or None, "fork": True}

    def tell_lost(self, session: str, transcript: Transcript) -> None:
        """Say once that a session could not go on from what was shown again."""
        if session in self._lost:
            self._lost.remove(session)
            transcript.feed(_LOST)


async def _is_to_run(outputs: CellOutputs, prompts: Prompts | None) -> bool:
    """Ask whether the cell is to run again, by a form or in text."""
    if prompts is not None:
        options = (Option(label=SHOW), Option(label=RUN))
        question = Question(text=WORDS, header="Again?", options=options)
        outcome = await prompts.ask(QuestionRequest(questions=(question,), input={}))

        return outcome.kind == "answered" and outcome.answers[WORDS].labels == (RUN,)

    form = RerunForm()
    output = outputs.show(form.bundle(WORDS))

    try:
        return await form.runs()
    finally:
        output.update({"text/html": "", "text/plain": ""})
        form.close()
