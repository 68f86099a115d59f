"""The turns of one session: one app turn at a time, in arrival order, each with exactly one end (section 6).

`MOVES` is the whole machine: what is not in it changes nothing. Each row names the phase that follows and whether the
app's turn ends there. Inputs come from three sides: the apps (`add`, `stop`, `close`), the host (`turn_started` ...)
and time (`tick`); what comes out is taken with `take()`.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from agent_connector.byoa.core.provenance import Prompt, compose
from agent_connector.byoa.protocol import Ended, Outcome, Reason, Started, TurnEvent

BEGIN_WITHIN = 60.0
LONGEST_STEP = 5.0  # a machine that slept was not an idle host
QUEUED_MOST = 100
LATE_KEPT = 16
TAG_BYTES = 4


class Phase(Enum):
    IDLE = auto()  # nothing of ours is in the host
    AWAITING = auto()  # handed over; the host has not begun it
    ABANDONED = auto()  # handed over and ended for its app; the host may still begin it
    RUNNING = auto()  # the host works on it: output leaves
    HELD = auto()  # ... and a prompt of the person is announced: output waits
    DRAINING = auto()  # ended for its app; the host may still work on it: output is dropped


class Input(Enum):
    SUBMIT = auto()  # we hand the next turn over
    BEGUN = auto()  # the host begins the prompt that awaits its start
    LATE = auto()  # the host begins a prompt that we gave up before
    FOREIGN = auto()  # the host begins any other prompt
    ANNOUNCED = auto()  # the host announces a prompt of the person
    TAKEN = auto()  # the host joins that prompt into our turn
    OVER = auto()  # the host's turn ends
    CLOSED = auto()  # stop, end, revocation, retirement: the turn ends for its app now
    REFUSED = auto()  # the host does not take the prompt
    TIMEOUT = auto()  # 60 s of an idle host
    QUIET = auto()  # the host is seen idle


class After(Enum):
    """What becomes of the app's turn in a move."""

    GOES_ON = auto()
    BEGINS = auto()
    ENDS = auto()


REJECTED = Ended(Outcome.ERROR, Reason.REJECTED)
TAKEN_OVER = Ended(Outcome.INTERRUPTED, Reason.TAKEN_OVER)
STOPPED = Ended(Outcome.INTERRUPTED, Reason.STOPPED)
SESSION_CLOSED = Ended(Outcome.ERROR, Reason.SESSION_CLOSED)
HOST_ERROR = Ended(Outcome.ERROR, Reason.HOST_ERROR)

P, I, A = Phase, Input, After
MOVES: dict[tuple[Phase, Input], tuple[Phase, After]] = {
    (P.IDLE, I.SUBMIT): (P.AWAITING, A.GOES_ON),
    (P.IDLE, I.LATE): (P.DRAINING, A.GOES_ON),
    (P.AWAITING, I.BEGUN): (P.RUNNING, A.BEGINS),
    (P.AWAITING, I.REFUSED): (P.IDLE, A.ENDS),
    (P.AWAITING, I.TIMEOUT): (P.IDLE, A.ENDS),
    (P.AWAITING, I.CLOSED): (P.ABANDONED, A.ENDS),
    (P.ABANDONED, I.BEGUN): (P.DRAINING, A.GOES_ON),
    (P.ABANDONED, I.REFUSED): (P.IDLE, A.GOES_ON),
    (P.ABANDONED, I.TIMEOUT): (P.IDLE, A.GOES_ON),
    (P.RUNNING, I.ANNOUNCED): (P.HELD, A.GOES_ON),
    (P.RUNNING, I.TAKEN): (P.DRAINING, A.ENDS),
    (P.RUNNING, I.LATE): (P.DRAINING, A.ENDS),
    (P.RUNNING, I.FOREIGN): (P.IDLE, A.ENDS),
    (P.RUNNING, I.OVER): (P.IDLE, A.ENDS),
    (P.RUNNING, I.CLOSED): (P.DRAINING, A.ENDS),
    (P.HELD, I.TAKEN): (P.DRAINING, A.ENDS),
    (P.HELD, I.LATE): (P.DRAINING, A.ENDS),
    (P.HELD, I.FOREIGN): (P.IDLE, A.ENDS),
    (P.HELD, I.OVER): (P.IDLE, A.ENDS),
    (P.HELD, I.CLOSED): (P.DRAINING, A.ENDS),
    (P.DRAINING, I.FOREIGN): (P.IDLE, A.GOES_ON),
    (P.DRAINING, I.OVER): (P.IDLE, A.GOES_ON),
    (P.DRAINING, I.QUIET): (P.IDLE, A.GOES_ON),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One chat message of an app; `origin` stands for the app, `id` is unique within it."""

    origin: str
    id: str
    app_name: str
    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Tell:
    """An event for the app of that turn."""

    turn: Turn
    event: TurnEvent


@dataclass(frozen=True, slots=True)
class Hand:
    """Give this prompt to the host."""

    prompt: str


@dataclass(frozen=True, slots=True)
class Break:
    """Abort what the host works on: it is ours."""


Deed = Tell | Hand | Break


class Lane:
    """The turns of one session, across its apps."""

    def __init__(self, random_bytes: Callable[[int], bytes], can_abort: bool) -> None:
        self.phase = Phase.IDLE
        self.current: Turn | None = None
        self.queue: deque[Turn] = deque()
        self._random = random_bytes
        self._can_abort = can_abort
        self._prompt: Prompt | None = None  # the one that awaits its start
        self._late: deque[Prompt] = deque(maxlen=LATE_KEPT)
        self._held: list[TurnEvent] = []
        self._idle_for = 0.0
        self._last: float | None = None
        self._deeds: list[Deed] = []

    # The apps' side.

    def add(self, turn: Turn) -> None:
        if sum(queued.origin == turn.origin for queued in self.queue) >= QUEUED_MOST:
            self._tell(turn, REJECTED)
        else:
            self.queue.append(turn)

    def stop(self, origin: str, id: str, end: Ended = STOPPED) -> None:
        """End that turn, queued or not; a turn that is not open here is nobody's."""
        self._close(lambda turn: (turn.origin, turn.id) == (origin, id), end, abort=True)

    def close(self, origin: str) -> None:
        """The app is done with this session, or may not use it any more."""
        self._close(lambda turn: turn.origin == origin, SESSION_CLOSED, abort=True)

    def retire(self) -> None:
        """The conversation is another one, or gone: an abort now could hit what the person does in the new one."""
        self._close(lambda turn: True, SESSION_CLOSED, abort=False)

    def _close(self, which: Callable[[Turn], bool], end: Ended, abort: bool) -> None:
        for turn in [turn for turn in self.queue if which(turn)]:
            self.queue.remove(turn)
            self._tell(turn, end)
        if self.current is not None and which(self.current):
            runs = self.phase in (Phase.RUNNING, Phase.HELD)
            self._move(Input.CLOSED, end)
            if runs and abort:
                self._break()

    # The host's side.

    def is_ours(self, prompt: str) -> bool:
        """Whether this is the prompt that awaits its start; asking changes nothing."""
        return self.phase is Phase.AWAITING and self._prompt is not None and self._prompt.is_in(prompt)

    def turn_started(self, prompt: str) -> bool:
        """The host begins `prompt`; true when its output is an app's."""
        awaited = self._prompt
        if awaited is not None and awaited.is_in(prompt):
            self._prompt = None
            self._move(Input.BEGUN)
            if self.phase is Phase.DRAINING:
                self._break()
            return self.phase is Phase.RUNNING
        late = next((given_up for given_up in self._late if given_up.is_in(prompt)), None)
        if late is None:
            self._move(Input.FOREIGN, TAKEN_OVER)
            return False
        self._late.remove(late)
        self._move(Input.LATE, TAKEN_OVER)
        self._break()
        return False

    def event(self, event: TurnEvent) -> None:
        """Output of the main loop; it leaves only when the turn is an app's."""
        if self.current is None:
            return
        if self.phase is Phase.RUNNING:
            self._tell(self.current, event)
        elif self.phase is Phase.HELD:
            self._held.append(event)

    def turn_ended(self, end: Ended) -> None:
        if self.phase is Phase.HELD and self.current is not None:
            for event in self._held:
                self._tell(self.current, event)
        self._move(Input.OVER, end)

    def foreign_prompt(self) -> None:
        self._move(Input.ANNOUNCED)

    def taken_over(self) -> None:
        self._move(Input.TAKEN, TAKEN_OVER)

    def refused(self) -> None:
        """The host does not take the prompt that was handed over."""
        self._move(Input.REFUSED, REJECTED)

    # Time.

    def tick(self, now: float, *, busy: bool, blocked: bool, bypassed: bool) -> None:
        step = 0.0 if self._last is None else min(max(now - self._last, 0.0), LONGEST_STEP)
        self._last = now
        if not busy:
            self._move(Input.QUIET)
        if busy or blocked:
            return
        if self.phase in (Phase.AWAITING, Phase.ABANDONED):
            self._idle_for += step
            if self._idle_for >= BEGIN_WITHIN:
                self._give_up()
        if self.phase is Phase.IDLE and self.queue and not bypassed:
            self._submit(self.queue.popleft())

    def take(self) -> list[Deed]:
        deeds, self._deeds = self._deeds, []
        return deeds

    def _submit(self, turn: Turn) -> None:
        tag = self._random(TAG_BYTES).hex()
        self._prompt = compose(turn.app_name, turn.origin, turn.sender, turn.text, tag)
        self.current = turn
        self._idle_for = 0.0
        self._move(Input.SUBMIT)
        self._deeds.append(Hand(self._prompt.text))

    def _give_up(self) -> None:
        if self._prompt is not None:
            self._late.append(self._prompt)
        self._move(Input.TIMEOUT, REJECTED)

    def _move(self, input: Input, end: Ended = HOST_ERROR) -> None:
        move = MOVES.get((self.phase, input))
        if move is None:
            return
        self.phase, after = move
        if after is After.BEGINS and self.current is not None:
            self._tell(self.current, Started())
        if after is After.ENDS and self.current is not None:
            self._tell(self.current, end)
            self.current = None
            self._held.clear()
        if self.phase is Phase.IDLE:
            self._prompt = None

    def _tell(self, turn: Turn, event: TurnEvent) -> None:
        self._deeds.append(Tell(turn, event))

    def _break(self) -> None:
        if self._can_abort:
            self._deeds.append(Break())
