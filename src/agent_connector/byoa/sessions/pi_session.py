"""One session of Pi or OMP, as our extension in it reports: whose turn runs, what is said, when it is over.

A user message opens a turn. One that comes while a turn runs was typed meanwhile: after a step that ended in tool calls
it is joined into the turn, after a last one the turn was over and it opens the next.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.protocol import Setting, Workspace
from agent_connector.byoa.sessions import inert
from agent_connector.byoa.sessions.acp_updates import Object, text

# What acts in a user message of an extension: nothing in Pi, the files that `@` names in OMP.
ACTIVE: Mapping[str, inert.Break] = {"pi": inert.as_it_is, "omp": inert.apart(r"@(?=\S)")}
GOES_ON = frozenset(("", "toolUse"))
DONE = frozenset(("stop", "toolUse"))  # a tool may end a turn
PARAGRAPH = "\n\n"
MODEL, EFFORT = "model", "reasoning_effort"


@dataclass(slots=True)
class Turn:
    ours: bool
    aborted: bool = False
    said: bool = False  # something was passed on
    stop: str = ""  # how the newest answer ended
    sent: str = ""  # of the newest answer
    open: bool = False  # ... which still grows


class PiSession:
    """A `HostSession` that can abort and set; `send` brings a message to the extension."""

    def __init__(
        self,
        told: Object,
        workspace: Workspace,
        send: Callable[[Object], None],
        note: Callable[[str], None],
    ) -> None:
        self.host = text(told.get("host"))
        self.host_session_id: str | None = text(told.get("id")) or None
        self.workspace = workspace
        self.title: str | None = None
        self.handle: Handle | None = None
        self.busy = told.get("idle") is not True
        self.blocked = False
        self.approvals_bypassed = False  # neither of them asks for anything unless it is told to
        self._send = send
        self._note = note
        self._models = _texts(told.get("models"))
        self._model = self._effort = ""
        self._efforts: tuple[str, ...] = ()
        self._turn = Turn(ours=False) if self.busy else None
        self._typed = False  # a prompt of the person waits in the host
        self._state(told)

    # What the extension reports.

    def heard(self, told: Object) -> None:
        handle = self.handle
        if handle is None:
            return
        match told.get("type"):
            case "busy":
                self.busy = True
            case "prompt":
                self._prompt(handle, text(told.get("text")).replace(inert.JOINER, ""))
            case "typed":
                self._typed = True
                if self._turn is not None:
                    handle.foreign_prompt()
            case "answer" if self._turn is not None:
                self._turn.sent, self._turn.stop, self._turn.open = "", "", True
            case "delta" if self._turn is not None and self._turn.open:
                self._say(handle, self._turn, text(told.get("text")))
            case "answered" if self._turn is not None:
                self._answered(handle, self._turn, text(told.get("text")), text(told.get("stop")))
            case "tool" if self._turn is not None and self._turn.ours:
                handle.tool(text(told.get("name")))
            case "waits":
                self.blocked = told.get("waits") is True
            case "state":
                self._state(told)
            case "refused":
                handle.refused()
            case "idle":
                self._idle(handle, told.get("aborted") is True)
            case _:
                pass

    def _prompt(self, handle: Handle, prompt: str) -> None:
        turn = self._turn
        self._typed = False
        if turn is not None and turn.stop in GOES_ON:
            if handle.is_ours(prompt):
                handle.refused()  # joined into a turn of the person's
            elif turn.ours:
                handle.taken_over()
                turn.ours = False
            return
        if turn is not None:
            self._end(handle, turn)
        self._turn = Turn(handle.turn_started(prompt))

    def _answered(self, handle: Handle, turn: Turn, whole: str, stop: str) -> None:
        """The answer is complete: what no delta brought comes now, what comes late does not count."""
        if turn.open and whole.startswith(turn.sent):
            self._say(handle, turn, whole[len(turn.sent) :])
        turn.open, turn.stop = False, stop

    def _say(self, handle: Handle, turn: Turn, more: str) -> None:
        if turn.ours and more:
            handle.delta(PARAGRAPH + more if turn.said and not turn.sent else more)
            turn.said = True
        turn.sent += more

    def _idle(self, handle: Handle, aborted: bool) -> None:
        turn = self._turn
        if turn is not None:
            turn.aborted = aborted
            self._end(handle, turn)
        self.busy = self._typed = False

    def _end(self, handle: Handle, turn: Turn) -> None:
        self._turn = None
        interrupted = turn.aborted or turn.stop == "aborted"
        handle.turn_ended("interrupted" if interrupted else "done" if turn.stop in DONE else "error")

    def _state(self, told: Object) -> None:
        self.title = text(told.get("title")) or None
        self._model, self._effort = text(told.get("model")), text(told.get("effort"))
        self._efforts = _texts(told.get("efforts"))

    # What the pairer does.

    def submit(self, prompt: str) -> None:
        self._send({"type": "submit", "text": ACTIVE[self.host](prompt)})

    def abort(self) -> None:
        """Not while a prompt of the person waits: it would go back into their editor instead of being answered."""
        if self._typed:
            self._note("the app's turn was stopped; it goes on here, since your own prompt waits behind it")
        else:
            self._send({"type": "abort"})

    def settings(self) -> Sequence[Setting]:
        found = [Setting(MODEL, "Model", self._models, self._model or None)] if self._models else []
        if self._efforts:
            found.append(Setting(EFFORT, "Reasoning effort", self._efforts, self._effort or None))
        return found

    def apply_setting(self, setting: str, value: str) -> None:
        self._send({"type": "effort" if setting == EFFORT else "model", "name": value})


def _texts(value: object) -> tuple[str, ...]:
    found = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(text(each) for each in found)
