"""The pairing client: discovery, start, and polling until the person has decided (section 3)."""

from collections.abc import Callable
from enum import Enum, auto

from agent_connector.byoa.core.effects import Failure, Outcome, Response
from agent_connector.byoa.core.exchange import Backoff, Exchange, Verdict, judge, told
from agent_connector.byoa.protocol import (
    WELL_KNOWN,
    Client,
    Discovery,
    Grant,
    Origin,
    Paired,
    PairPoll,
    ProtocolError,
    Refusal,
    parse_discovery,
    parse_grant,
    parse_paired,
    parse_refusal,
)
from agent_connector.byoa.protocol.limits import PAIRING_BODY

SLOWER = 5.0
LONGEST_WAIT = 60.0
ENDINGS = {
    Refusal.DENIED: "was refused on the page",
    Refusal.EXPIRED: "ran out of time; start again",
}


class PairingState(Enum):
    DISCOVERING = auto()
    STARTING = auto()
    WAITING = auto()  # for the person: polls when due
    PAIRED = auto()
    FAILED = auto()


class Pairing:
    """`show` gets what the person must see; `fail` why it is over; `paired` the token."""

    def __init__(
        self,
        exchange: Exchange,
        origin: Origin,
        client: Client,
        show: Callable[[str], None],
        fail: Callable[[str], None],
        paired: Callable[[Paired, Discovery], None],
    ) -> None:
        self.origin = origin
        self.state = PairingState.DISCOVERING
        self._exchange = exchange
        self._client = client
        self._show = show
        self._fail = fail
        self._paired = paired
        self._discovery: Discovery | None = None
        self._grant: Grant | None = None
        self._until = 0.0
        self._interval = 0.0
        self._wait = 0.0
        self._due = 0.0
        self._request: int | None = None
        url = f"{origin}{WELL_KNOWN}"
        self._request = exchange.send("GET", url, self._discovered, limit=PAIRING_BODY)

    @property
    def over(self) -> bool:
        return self.state in (PairingState.PAIRED, PairingState.FAILED)

    def cancel(self) -> None:
        self._exchange.cancel(self._request)
        self.state = PairingState.FAILED

    def tick(self) -> None:
        if self.state is not PairingState.WAITING or self._grant is None or self._discovery is None:
            return
        if self._exchange.now >= self._until:
            self._exchange.cancel(self._request)
            self._give_up(f"pairing with {self.origin} {ENDINGS[Refusal.EXPIRED]}")
        elif self._request is None and self._due <= self._exchange.now:
            body = PairPoll(self._grant.device_code).dump()
            self._request = self._post(self._discovery.endpoints.pair_poll, body, self._polled)

    def _discovered(self, outcome: Outcome) -> None:
        if not isinstance(outcome, Response) or outcome.status != 200:
            return self._give_up(told(outcome, str(self.origin)))
        try:
            self._discovery = parse_discovery(outcome.body, self.origin)
        except ProtocolError as problem:
            return self._give_up(f"{self.origin} is no app to pair with: {problem}")
        self.state = PairingState.STARTING
        self._request = self._post(self._discovery.endpoints.pair_start, self._client.dump(), self._started)
        return None

    def _started(self, outcome: Outcome) -> None:
        if not isinstance(outcome, Response) or outcome.status != 200:
            return self._give_up(told(outcome, str(self.origin)))
        try:
            grant = parse_grant(outcome.body, self.origin)
        except ProtocolError as problem:
            return self._give_up(f"{self.origin} cannot be understood: {problem}")
        self._request = None
        self._grant = grant
        self._interval = self._wait = grant.interval
        self._until = self._exchange.now + grant.expires_in
        self._due = self._exchange.now  # the first poll is sent at once
        self.state = PairingState.WAITING
        self._show(invitation(self.origin, grant))
        return self.tick()

    def _polled(self, outcome: Outcome) -> None:
        self._request = None
        if isinstance(outcome, Response) and outcome.status == 200:
            return self._granted(outcome)
        if isinstance(outcome, Response) and outcome.status == 400:
            return self._refused(outcome)
        verdict = judge(outcome)
        if verdict is Verdict.LATER:
            self._due = self._exchange.later(Backoff(), outcome)
        elif isinstance(outcome, Failure) or outcome.status >= 500:
            self._wait = min(LONGEST_WAIT, 2 * self._wait)
            self._due = self._exchange.now + self._wait
        else:
            self._give_up(told(outcome, str(self.origin)))
        return None

    def _granted(self, response: Response) -> None:
        try:
            paired = parse_paired(response.body)
        except ProtocolError as problem:
            return self._give_up(f"{self.origin} cannot be understood: {problem}")
        if self._discovery is None or paired.app.id != self._discovery.app.id:
            return self._give_up(f"{self.origin} names itself differently in discovery and in pairing")
        self.state = PairingState.PAIRED
        return self._paired(paired, self._discovery)

    def _refused(self, response: Response) -> None:
        try:
            word = parse_refusal(response.body)
        except ProtocolError as problem:
            return self._give_up(f"{self.origin} cannot be understood: {problem}")
        if word in ENDINGS:
            return self._give_up(f"pairing with {self.origin} {ENDINGS[word]}")
        if word is Refusal.SLOW_DOWN:
            self._interval += SLOWER
        self._wait = self._interval
        self._due = self._exchange.now + self._wait
        return None

    def _post(self, url: str, body: bytes, then: Callable[[Outcome], None]) -> int:
        return self._exchange.send("POST", url, then, limit=PAIRING_BODY, body=body)

    def _give_up(self, why: str) -> None:
        self._request = None
        self.state = PairingState.FAILED
        self._fail(why)


def invitation(origin: Origin, grant: Grant) -> str:
    """The origin stands beside link and code: it is what a person can check against the page."""
    lines = [
        f"Pair with {origin}",
        f"  open  {grant.verification_uri_complete or grant.verification_uri}",
        f"  code  {grant.user_code}",
        f"Check that the page is at {origin}, and type the last four letters of the code there: {grant.user_code[-4:]}",
        "Only go on if you started this yourself, just now.",
    ]
    return "\n".join(lines)
