"""Requests on their way, what each waits for, and how answers are judged (section 1 and 5)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from agent_connector.byoa.core.effects import LONGEST_REQUEST, Cancel, Effect, Failure, Outcome, Request, Response
from agent_connector.byoa.core.ports import Clock, RandomPort
from agent_connector.byoa.protocol import JSON, carried, retry_after

Then = Callable[[Outcome], None]
LONGEST_BACKOFF = 30.0


class Verdict(Enum):
    """What an answer means at any door."""

    OK = auto()
    NOTHING = auto()
    REFUSED = auto()  # this very body; sending it again is no use
    REVOKED = auto()
    MISSING = auto()  # the endpoint moved: discovery is read again
    SUPERSEDED = auto()
    GONE = auto()  # the session: register again
    LATER = auto()  # the app says when
    FAILED = auto()  # back off


VERDICTS = {
    200: Verdict.OK,
    204: Verdict.NOTHING,
    401: Verdict.REVOKED,
    404: Verdict.MISSING,
    409: Verdict.SUPERSEDED,
    410: Verdict.GONE,
    429: Verdict.LATER,
    503: Verdict.LATER,
}


def judge(outcome: Outcome) -> Verdict:
    if isinstance(outcome, Failure):
        return Verdict.FAILED
    verdict = VERDICTS.get(outcome.status)
    if verdict is Verdict.LATER and retry_after(outcome.headers) is None:
        return Verdict.FAILED
    if verdict is None and 400 <= outcome.status < 500:
        return Verdict.REFUSED
    return verdict or Verdict.FAILED


def told(outcome: Outcome, origin: str) -> str:
    """An answer that was not the right one, as it is shown to the person."""
    if isinstance(outcome, Failure):
        return f"{origin} cannot be reached: {outcome.what}"
    if 300 <= outcome.status < 400:
        return f"{origin} answers with a redirect, which is never followed"
    return f"{origin} answers {outcome.status}"


@dataclass(slots=True)
class Backoff:
    """1, 2, 4 ... 30 seconds, up to half of it taken off at random so that sessions do not return in step."""

    attempt: int = 0

    def after(self, random: int | None = None) -> float:
        """`random`: a byte; None for the exact steps."""
        step = min(LONGEST_BACKOFF, 2.0 ** min(self.attempt, 8))
        self.attempt += 1
        return step if random is None else max(1.0, step * (1 - random / 512))

    def reset(self) -> None:
        self.attempt = 0


@dataclass(slots=True)
class _Waiting:
    then: Then
    limit: int
    until: float | None = None  # set at the next tick: what is sent by a command may come long after the last one


class Exchange:
    """Numbers requests and brings answers to whoever waits for them. `now` is the time of the last input."""

    def __init__(self, random: RandomPort, clock: Clock) -> None:
        self.now = 0.0
        self.ticked = False  # until then `now` says nothing
        self.random = random
        self.clock = clock
        self.effects: list[Effect] = []
        self._waiting: dict[int, _Waiting] = {}
        self._count = 0

    def send(
        self,
        method: str,
        url: str,
        then: Then,
        *,
        limit: int,
        body: bytes = b"",
        token: str | None = None,
        accept: str = JSON,
        extra: tuple[tuple[str, str], ...] = (),
    ) -> int:
        self._count += 1
        self._waiting[self._count] = _Waiting(then, limit)
        headers = (*carried(token, accept), *extra)
        self.effects.append(Request(self._count, method, url, headers, body, limit))
        return self._count

    def cancel(self, id: int | None) -> None:
        if id is not None and self._waiting.pop(id, None) is not None:
            self.effects.append(Cancel(id))

    def answered(self, id: int, outcome: Outcome) -> None:
        waiting = self._waiting.pop(id, None)
        if waiting is None:
            return
        if isinstance(outcome, Response) and len(outcome.body) > waiting.limit:
            outcome = Failure(f"its answer is larger than {waiting.limit} bytes")
        waiting.then(outcome)

    def tick(self) -> None:
        """A driver that lost a request must not hang a turn."""
        self.ticked = True
        late: list[int] = []
        for id, waiting in self._waiting.items():
            if waiting.until is None:
                waiting.until = self.now + LONGEST_REQUEST
            elif waiting.until <= self.now:
                late.append(id)
        for id in late:
            self.effects.append(Cancel(id))
            self.answered(id, Failure(f"no answer in {LONGEST_REQUEST:.0f} s"))

    def later(self, backoff: Backoff, outcome: Outcome) -> float:
        """When to try again: as the app asks, else after the next step of `backoff`."""
        headers: Mapping[str, str] = outcome.headers if isinstance(outcome, Response) else {}
        asked = retry_after(headers) if judge(outcome) is Verdict.LATER else None
        if asked is not None:
            return self.now + max(1.0, asked)
        return self.now + backoff.after(self.random.bytes(1)[0])
