"""A live session of Claude Code in mode `at-stop`: an app's prompt is our answer to a Stop, its end is the next Stop.

No I/O here: hooks come in through `heard`, with the function that answers them; answers go out through it, at once for
all events but Stop. Such a hook is held for a while, and only meanwhile is the session not busy.

    session = ClaudeSession(workspace, later, ...)
    session.handle = pairer.attach(session)
    session.heard(hook, answer)          # answer(None) says nothing to the host
    session.release()                    # the time is up
    session.look()                       # now and then: did the person break our turn off?
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.protocol import Workspace
from agent_connector.byoa.sessions.claude_hooks import Answer, Hook, bypassed, going_on
from agent_connector.byoa.sessions.claude_transcript import Transcript

CAP = 8  # answers to a Stop in a row that the host takes, unless it is told another number
Answering = Callable[[Answer | None], None]
LOCKS = ("PermissionRequest",)
LOCKING_NOTICES = ("permission_prompt", "elicitation_dialog")


@dataclass(frozen=True, slots=True)
class Ours:
    """A turn of an app that the host works on: in which prompt of the host's it is, and what is written down of it."""

    prompt: str
    transcript: Transcript


class ClaudeSession:
    def __init__(
        self,
        workspace: Callable[[str], Workspace],
        later: Callable[[Callable[[], None]], object],
        *,
        session: str | None = None,
        folder: str = "",
        cap: int = CAP,
    ) -> None:
        self.handle: Handle | None = None
        self.host_session_id: str | None = session
        self.title: str | None = None
        self.blocked = False
        self.approvals_bypassed = False
        self.attended = True
        self.let_go = False  # a turn waits only because the host takes no more in a row
        self._workspace = workspace
        self._folder = folder
        self._later = later
        self._cap = cap
        self._rounds = 0  # answers in a row so far, ours and other hooks'
        self._hold: tuple[Answering, Hook] | None = None
        self._pending: tuple[str, str | None] | None = None  # handed over by the core, not yet given; for which session
        self._ours: Ours | None = None
        self._announced = False
        self._lines: deque[str] = deque(maxlen=CAP)  # of the newest prompts that were given

    # What the core reads.

    @property
    def workspace(self) -> Workspace:
        return self._workspace(self._folder)

    @property
    def busy(self) -> bool:
        return self._hold is None

    def submit(self, prompt: str) -> None:
        """Called while the core's effects are carried out: it is given to the host right after that."""
        self._pending = (prompt, self.host_session_id)
        self._later(self._give)

    @property
    def reports(self) -> Handle:
        if self.handle is None:
            raise RuntimeError("the session is not attached")
        return self.handle

    @property
    def holding(self) -> bool:
        return self._hold is not None

    @property
    def working(self) -> bool:
        """The host works on a turn of an app."""
        return self._ours is not None

    # Hooks.

    def heard(self, hook: Hook, answer: Answering) -> None:
        """Take what the hook tells, and answer it now, or (Stop) some time."""
        self._follow(hook)
        if hook.mode and hook.main:
            self.approvals_bypassed = bypassed(hook.mode)
        self.blocked = hook.event in LOCKS or hook.kind in LOCKING_NOTICES
        if hook.event == "Stop" and hook.main:
            self._stopped(hook, answer)
            return
        if hook.event == "UserPromptSubmit" and hook.main:
            self._typed(hook)
        elif hook.event == "PreToolUse" and hook.main:
            self._step(hook)
        elif hook.event == "StopFailure" and hook.main:
            self._failed(hook)
        answer(None)

    def _follow(self, hook: Hook) -> None:
        """The session that the host has open: `/clear` and resuming change it, and the process stays the same."""
        self.attended = hook.attended
        if hook.folder and hook.main:
            self._folder = hook.folder
        if hook.event == "SessionEnd":
            if hook.session == self.host_session_id:
                self._change(None)
        elif hook.session != self.host_session_id and hook.event in ("SessionStart", "UserPromptSubmit", "Stop"):
            self._change(hook.session)

    def _change(self, session: str | None) -> None:
        """The core ends the turns of a session that is not there any more."""
        self.release()
        self.host_session_id = session
        self._ours, self._announced, self._rounds, self.let_go = None, False, 0, False

    def _typed(self, hook: Hook) -> None:
        """The person has sent a prompt; while a turn runs it waits behind that, or is joined into it."""
        self.release()
        if self._ours is None:
            return
        if hook.prompt == self._ours.prompt:
            self._announced = True
            self.reports.foreign_prompt()
        else:
            self._lost()  # our turn was over, and no hook has told so

    def _step(self, hook: Hook) -> None:
        """A call of ours, unless a prompt of the person was joined in before: that may have waited since before our turn."""
        ours = self._ours
        if ours is None:
            return
        told = ours.transcript.look()
        if hook.prompt != ours.prompt or (told is not None and (told.joined or told.broken_off)):
            self._lost()
        elif not self._announced or (told is not None and told.begun):
            self.reports.tool(hook.tool)

    def _failed(self, hook: Hook) -> None:
        if self._ours is not None:
            self._ours, self._announced = None, False
            self.reports.turn_ended("error", "host_error")

    def look(self) -> None:
        """The person may have broken our turn off, which no hook tells."""
        told = None if self._ours is None else self._ours.transcript.look()
        if told is not None and told.broken_off:
            self._lost()

    def _lost(self) -> None:
        """The turn is not the app's any more: nothing of it leaves."""
        self._ours, self._announced = None, False
        self.reports.taken_over()
        self.reports.turn_ended("interrupted", "taken_over")

    # The Stop.

    def _stopped(self, hook: Hook, answer: Answering) -> None:
        self.release()
        self._rounds = self._rounds + 1 if hook.again else 0
        if self._ours is not None:
            self._end(hook)
        if self._pending is not None and not self._wanted(*self._pending):
            self._pending = None
            self.reports.refused()
        self.let_go = 0 < self._cap <= self._rounds
        if self.let_go or not hook.attended or self.approvals_bypassed:
            answer(None)
            return
        self._hold = (answer, hook)
        if self._pending is not None:
            self._later(self._give)

    def _end(self, hook: Hook) -> None:
        """The Stop after ours: what was said since is the app's, unless the person has come in between."""
        ours, announced = self._ours, self._announced
        if ours is None or hook.prompt != ours.prompt or not hook.again:
            self._lost()
            return
        told = ours.transcript.look()
        unseen = announced and (told is None or not told.begun)
        if unseen or (told is not None and (told.joined or told.broken_off)):
            self._lost()
            return
        self._ours, self._announced = None, False
        text = hook.text if hook.text is not None or told is None else told.text
        self.reports.delta(text or "")
        self.reports.turn_ended("done")

    def _give(self) -> None:
        """Answer the held Stop with the prompt that waits, if its app still wants it."""
        pending, held = self._pending, self._hold
        if pending is None or held is None:
            return  # the person was quicker: at the next Stop
        prompt, self._pending = pending[0], None
        if not self._wanted(*pending):
            self.reports.refused()
            return
        answer, hook = held
        self._hold = None
        if self.reports.turn_started(prompt):
            line = prompt.partition("\n")[0]
            self._ours = Ours(hook.prompt, Transcript(hook.transcript, line, self._lines))
            self._lines.append(line)
            answer(going_on(prompt))
        else:
            answer(None)

    def _wanted(self, prompt: str, session: str | None) -> bool:
        """Its app may have ended it meanwhile, or the conversation that it was for."""
        return session == self.host_session_id and self.reports.is_ours(prompt)

    def release(self) -> None:
        """Let a held Stop go: the person has come, or its time is up."""
        if self._hold is not None:
            (answer, _), self._hold = self._hold, None
            answer(None)

    def let(self, answer: Answering) -> None:
        """The time of this one is up."""
        if self._hold is not None and self._hold[0] is answer:
            self.release()

    def gone(self, answer: Answering) -> None:
        """Nobody waits for this answer any more."""
        if self._hold is not None and self._hold[0] is answer:
            self._hold = None
