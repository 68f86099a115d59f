"""What the events of one OpenCode session mean: whose turn runs, what of it is text, and when it is over. No I/O.

A prompt is a user message; the assistant's messages name it as their parent. A prompt that comes while a turn runs is
taken up by the first assistant's message after it, which answers to the newest prompt. Did the step before end in tool
calls, then the prompt was joined into the turn; else the turn was over. A compaction puts messages of the host's own
in between: they belong to the turn they stand in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent_connector.byoa.sessions.acp_updates import table, tables, text

Object = Mapping[str, Any]
GOES_ON = frozenset(("", "tool-calls", "unknown"))  # an assistant's message that ends so is not the last one
WHOLE = frozenset(("stop", "other"))  # the answer is complete; "length", "content-filter" and "error" are not
ABORTED = "MessageAbortedError"
PARAGRAPH = "\n\n"


class Reports(Protocol):
    """What is told of a session; `byoa.core.handle.Handle` takes it."""

    def is_ours(self, prompt: str) -> bool: ...
    def turn_started(self, prompt: str) -> bool: ...
    def delta(self, text: str) -> None: ...
    def tool(self, name: str, title: str | None = None) -> None: ...
    def turn_ended(self, outcome: str = "done", reason: str | None = None) -> None: ...
    def foreign_prompt(self) -> None: ...
    def taken_over(self) -> None: ...
    def refused(self) -> None: ...


@dataclass(slots=True)
class Asked:
    """A user message that no assistant's message answers to yet."""

    id: str
    texts: dict[str, str] = field(default_factory=dict[str, str])
    real: bool = False  # somebody's prompt; else the host made it
    app: bool = False  # an app's, when it was seen first
    announced: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.texts.values())


@dataclass(slots=True)
class Piece:
    """A text part: what of it was passed on. While it is `unsure` pieces may be missing, and only the whole counts."""

    sent: str = ""
    unsure: bool = False
    whole: bool = False


@dataclass(slots=True)
class Turn:
    roots: set[str]
    prompt: str
    ours: bool
    aborted: bool = False
    said: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])  # message -> finish, error
    pieces: dict[str, Piece] = field(default_factory=dict[str, Piece])
    calls: set[str] = field(default_factory=set[str])

    @property
    def last(self) -> tuple[str, str]:
        finish, error = next(reversed(self.said.values()), ("", ""))
        return finish, ABORTED if self.aborted else error

    @property
    def over(self) -> bool:
        """Its last message says that nothing follows."""
        finish, error = self.last
        return bool(error) or finish not in GOES_ON

    @property
    def outcome(self) -> str:
        finish, error = self.last
        # A person who refuses a permission ends the turn after the step in which it was asked.
        if error == ABORTED or (not error and finish == "tool-calls"):
            return "interrupted"
        return "done" if finish in WHOLE and not error else "error"


class Conversation:
    """One session's turns. `own_tools`: the names of our tools as OpenCode composes them -> as the wire has them."""

    def __init__(self, id: str, reports: Reports, own_tools: Mapping[str, str]) -> None:
        self.id = id
        self.busy = False
        self.submitted = ""  # what was handed over, until its message is seen
        self._reports = reports
        self._own_tools = own_tools
        self._since = ""  # what is not newer was there before us
        self._known: set[str] = set()
        self._waiting: dict[str, Asked] = {}
        self._turn: Turn | None = None
        self._unwell = False  # an error came before any turn began

    @property
    def running(self) -> bool:
        return self.busy or self._turn is not None

    @property
    def pending(self) -> bool:
        """An app's prompt is handed over, and its turn has not begun."""
        return self._reports.is_ours(self.submitted)

    @property
    def person_waits(self) -> bool:
        """A prompt of the person stands behind the running turn: ending the turn would drop it."""
        return any(asked.real and not asked.app for asked in self._waiting.values())

    # At the start, and after a gap.

    def begin(self, newest: str, status: str) -> None:
        """What is not newer than the message `newest` is nobody's: a turn that runs already is the person's."""
        self._since = newest
        self.busy = status != "idle"
        if self.busy:
            self._turn = Turn(set(), "", ours=False)

    def catch_up(self, messages: Iterable[Object], status: str) -> None:
        """What happened while nothing was heard: the same messages, whole. A text that still grows is unsure now."""
        for message in messages:
            self.message(table(message.get("info")))
            for part in tables(message.get("parts")):
                self.part(part, gap=True)
        self.status(status)

    # Events.

    def message(self, info: Object) -> None:
        """`message.updated`."""
        id = text(info.get("id"))
        if id <= self._since:
            return
        if info.get("role") == "assistant":
            self._assistant(id, info)
        elif id not in self._known:
            self._known.add(id)
            self._waiting[id] = Asked(id)

    def part(self, part: Object, gap: bool = False) -> None:
        """`message.part.updated`: a part, whole as far as it is known."""
        message = text(part.get("messageID"))
        asked = self._waiting.get(message)
        if asked is not None:
            self._prompt_part(asked, part)
        elif self._turn is not None and message in self._turn.said:
            if part.get("type") == "text":
                self._whole(self._turn, part, gap)
            elif part.get("type") == "tool":
                self._call(self._turn, part)

    def delta(self, event: Object) -> None:
        """`message.part.delta`. Reasoning comes in the same field: only a part that is known as text counts."""
        turn = self._turn
        piece = turn.pieces.get(text(event.get("partID"))) if turn is not None else None
        if turn is None or piece is None or piece.unsure or piece.whole or event.get("field") != "text":
            return
        self._say(turn, piece, text(event.get("delta")))

    def status(self, kind: str) -> None:
        """`session.status`: idle ends the turn, every other word means work."""
        if kind != "idle":
            self.busy = True
            return
        if self._turn is not None:
            self._end(self._turn)
            # A prompt that an aborted turn left behind is history now; an app's may have come just in between.
            self._waiting = {id: asked for id, asked in self._waiting.items() if asked.app}
        elif self._unwell:
            self._give_up()
        self._unwell = self.busy = False

    def error(self, name: str) -> None:
        """`session.error`: an abort is told here before its message tells it; what has not begun will not begin."""
        if self._turn is not None:
            self._turn.aborted = self._turn.aborted or name == ABORTED
        else:
            self._unwell = True
            if self.submitted:
                self.submitted = ""
                self._reports.refused()

    # The prompt.

    def _prompt_part(self, asked: Asked, part: Object) -> None:
        kind = part.get("type")
        if kind == "text" and not part.get("synthetic"):
            asked.texts[text(part.get("id"))] = text(part.get("text"))
            asked.real = True
        elif kind == "compaction":
            asked.real = asked.real or not part.get("auto")
        elif kind != "text":
            asked.real = True
        if not asked.real or asked.announced:
            return
        asked.announced = True
        asked.app = self._reports.is_ours(asked.text)
        if asked.app:
            self.submitted = ""
        elif self._turn is not None and not self._turn.over and asked.text != self._turn.prompt:
            self._reports.foreign_prompt()

    def _take_up(self, prompts: list[Asked], root: str) -> None:
        """The host begins to answer these, of which the newest names the turn. None at all: it made one itself."""
        turn = self._turn
        if turn is not None and turn.over:
            self._end(turn)
            turn = None
        texts = [asked.text for asked in prompts]
        prompt = turn.prompt if turn is not None else texts[-1] if texts else ""
        others = [each for each in texts if each != prompt]  # a compaction repeats a prompt
        if any(self._reports.is_ours(each) for each in others):
            self._reports.refused()  # an answer to somebody else as well is nothing for an app
        if turn is None:
            self._turn = turn = Turn({root}, prompt, self._reports.turn_started(prompt))
        turn.roots.add(root)
        if others and turn.ours:
            self._reports.taken_over()
            turn.ours = False

    # The answer.

    def _assistant(self, id: str, info: Object) -> None:
        if info.get("summary"):  # of a compaction: nobody's words
            self._known.add(id)
            return
        if id not in self._known:
            self._known.add(id)
            self._answer(text(info.get("parentID")))
            if self._turn is not None:
                self._turn.said[id] = ("", "")
        if self._turn is not None and id in self._turn.said:
            self._turn.said[id] = (text(info.get("finish")), text(table(info.get("error")).get("name")))

    def _answer(self, parent: str) -> None:
        """A new message of the assistant, for the prompt `parent`."""
        if parent in self._waiting:
            # ids rise with time: what came after `parent` still waits
            answered = [asked for id, asked in sorted(self._waiting.items()) if id <= parent]
            self._waiting = {id: asked for id, asked in self._waiting.items() if id > parent}
            self._take_up([asked for asked in answered if asked.real], parent)
        elif self._turn is None or (self._turn.over and parent not in self._turn.roots):
            self._take_up([], parent)

    def _whole(self, turn: Turn, part: Object, gap: bool) -> None:
        if part.get("synthetic") or part.get("ignored"):
            return
        piece = turn.pieces.setdefault(text(part.get("id")), Piece())
        said = text(part.get("text"))
        if said.startswith(piece.sent) and not piece.whole:
            self._say(turn, piece, said[len(piece.sent) :])
        if table(part.get("time")).get("end"):
            piece.whole, piece.unsure = True, False
        elif gap:
            piece.unsure = True

    def _say(self, turn: Turn, piece: Piece, more: str) -> None:
        if turn.ours and more:
            first = not piece.sent and any(each.sent for each in turn.pieces.values())
            self._reports.delta(PARAGRAPH + more if first else more)
        piece.sent += more

    def _call(self, turn: Turn, part: Object) -> None:
        call, name = text(part.get("callID")), text(part.get("tool"))
        if turn.ours and call not in turn.calls:
            turn.calls.add(call)
            self._reports.tool(self._own_tools.get(name, name))

    def _end(self, turn: Turn) -> None:
        self._turn = None
        self._reports.turn_ended(turn.outcome)

    def _give_up(self) -> None:
        """The host stumbled over the prompts that waited; they stay in its history."""
        if any(self._reports.is_ours(asked.text) for asked in self._waiting.values()):
            self._reports.refused()
        self._waiting = {}
