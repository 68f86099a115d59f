"""What a run did, and the tally that is kept of it while it runs: bounded, however much there is."""

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agent_connector.drive.events import Called, Finished, Noticed, Returned, RunEvent, Said, Spent, Started, Usage

Why = Literal["exited", "timeout", "stall", "stopped"]
EVENTS = 10_000  # events that are kept
WEIGHT = 64 << 20  # and the characters of the lines that they were in
KINDS = 64  # kinds of silent records that are counted apart


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run came out. `exit_code` is None where the process was ended by us.

    `usage` and `cost_usd` are of this run as the host tells them, None where it does not. A host that only tells the
    whole session has that in `session_usage`; then `usage` is known for a new session alone, or with `Job.spent`.
    """

    events: tuple[RunEvent, ...]  # in order; of very many the first and the last
    exit_code: int | None
    why: Why  # how it ended: by itself, or by us and for what
    seconds: float
    stdout: str  # the last of it
    stderr: str
    usage: Usage | None = None
    session_usage: Usage | None = None
    cost_usd: float | None = None
    forgotten: int = 0  # events that are not kept
    silent: Mapping[str, int] = field(default_factory=dict[str, int])  # the host's records that say nothing, by type
    ended: bool = True  # False: something of it could not be ended

    @property
    def ok(self) -> bool:
        """The host came to its end and says that all went well."""
        fine = self.finished.ok if self.finished else self.exit_code == 0
        return self.why == "exited" and fine and self.exit_code in (0, None)

    @property
    def timed_out(self) -> bool:
        """It was ended since it took too long, or said nothing for too long."""
        return self.why in ("timeout", "stall")

    @property
    def started(self) -> Started | None:
        """The session, where the host reports one."""
        return next((event for event in self.events if isinstance(event, Started)), None)

    @property
    def finished(self) -> Finished | None:
        """The host's own last word on the run."""
        return next((event for event in reversed(self.events) if isinstance(event, Finished)), None)

    @property
    def session(self) -> str | None:
        """What a later run resumes."""
        told = [event.session for event in self.events if isinstance(event, Started | Finished) and event.session]
        return told[-1] if told else None

    @property
    def said(self) -> tuple[str, ...]:
        """What the model said to the person."""
        return tuple(event.text for event in self.events if isinstance(event, Said))

    @property
    def called(self) -> tuple[Called, ...]:
        return tuple(event for event in self.events if isinstance(event, Called))

    @property
    def returned(self) -> tuple[Returned, ...]:
        return tuple(event for event in self.events if isinstance(event, Returned))

    @property
    def text(self) -> str:
        """The answer: the host's own, else the last that the main agent said, else what was printed."""
        if self.finished and self.finished.text is not None:
            return self.finished.text
        own = [event.text for event in self.events if isinstance(event, Said) and event.parent is None]
        return own[-1] if own else self.stdout if not self.silent and not self.events else ""

    @property
    def error(self) -> str | None:
        """What went wrong, in the last words that tell it; None where nothing did."""
        if self.ok:
            return None
        if self.finished and not self.finished.ok and (self.finished.reason or self.finished.text):
            return self.finished.text or self.finished.reason
        noticed = [event.text for event in self.events if isinstance(event, Noticed) and "error" in event.kind]
        printed = [line.strip() for line in (self.stderr or self.stdout).splitlines() if line.strip()]
        return next(iter([*noticed[-1:], *printed[-1:]]), None)


class Tally:
    """Counts all events, keeps the last of them."""

    def __init__(self, keep: int, *, resumed: bool, spent: Usage | None) -> None:
        self.silent: Counter[str] = Counter()
        self._resumed, self._spent = resumed, spent
        self._keep, self._weight = max(2, keep), 0
        self._kept: deque[tuple[RunEvent, int]] = deque()
        self._begun: Started | None = None
        self._forgotten = 0
        self._steps: Usage | None = None
        self._cost: float | None = None
        self._told: Finished | None = None

    def add(self, event: RunEvent, weight: int) -> None:
        """`weight` is the length of the line that the event was in."""
        match event:
            case Started():
                self._begun = self._begun or event
            case Spent(usage, cost):
                if usage != Usage() or cost is None:  # a host may tell of its steps what they cost, and no more
                    self._steps = usage if self._steps is None else self._steps + usage
                self._cost = self._cost if cost is None else (self._cost or 0.0) + cost
            case Finished() if event.usage is not None or self._told is None:
                self._told = event
            case _:
                pass
        self._kept.append((event, weight))
        self._weight += weight
        while len(self._kept) > self._keep or (self._weight > WEIGHT and len(self._kept) > 1):
            self._weight -= self._kept.popleft()[1]
            self._forgotten += 1

    def pass_over(self, kind: str) -> None:
        """A record of the host from which no event came."""
        self.silent[kind if kind in self.silent or len(self.silent) < KINDS else "other"] += 1

    def outcome(self, exit_code: int | None, why: Why, seconds: float, tails: tuple[str, str], ended: bool) -> Outcome:
        """The end of it."""
        events = [event for event, _ in self._kept]
        if self._begun is not None and not any(isinstance(event, Started) for event in events):
            events = [self._begun, *events[1:]] if len(events) == self._keep else [self._begun, *events]
        usage, session = self._used()
        return Outcome(
            events=tuple(events),
            exit_code=exit_code,
            why=why,
            seconds=seconds,
            stdout=tails[0],
            stderr=tails[1],
            usage=usage,
            session_usage=session,
            cost_usd=self._told.cost_usd if self._told and self._told.cost_usd is not None else self._cost,
            forgotten=self._forgotten,
            silent=dict(self.silent),
            ended=ended,
        )

    def _used(self) -> tuple[Usage | None, Usage | None]:
        """Of this run, and of the session where only that is told."""
        if self._steps is not None:
            return self._steps, None
        told = self._told.usage if self._told else None
        if told is None or self._told is None or not self._told.cumulative:
            return told, None
        if not self._resumed:
            return told, told
        return (told - self._spent if self._spent is not None else None), told
