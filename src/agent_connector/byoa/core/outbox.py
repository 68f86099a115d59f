"""The events of one turn on their way to its app: numbered batches, one in flight, sent again until taken (section 5)."""

from collections import deque

from agent_connector.byoa.core.exchange import Backoff
from agent_connector.byoa.protocol import Batch, Delta, Ended, Outcome, Reason, TurnEvent
from agent_connector.byoa.protocol.texts import whole

BATCH_LETTERS = 64 * 1024  # at six bytes for an escaped one it stays far below the door's 1 MiB
BATCH_EVENTS = 200
WAITING_LETTERS = 8 * 1024 * 1024
LOST = Ended(Outcome.ERROR, Reason.HOST_ERROR)
HALF = ("\ud800", "\udbff")  # first halves of surrogate pairs: the second may be in the next delta


class Outbox:
    def __init__(self, turn: str) -> None:
        self.turn = turn
        self.due = 0.0
        self.trouble = ""
        self.backoff = Backoff()
        self.request: int | None = None
        self.ended = False  # the end is in here, or has left
        self.done = False  # the app has everything, or takes no more
        self._seq = 0
        self._flying: tuple[TurnEvent, ...] | None = None
        self._waiting: deque[TurnEvent] = deque()
        self._letters = 0
        self._half = ""
        self._refused = False

    def put(self, event: TurnEvent) -> None:
        if self.ended:
            return
        if isinstance(event, Delta):
            self._put_text(self._half + event.text)
            return
        if self._half:
            self._half = ""
            self._waiting.append(Delta("\ufffd"))
        self.ended = isinstance(event, Ended)
        overflown = self._letters >= WAITING_LETTERS
        self._waiting.append(LOST if self.ended and overflown else event)

    def _put_text(self, text: str) -> None:
        cut = len(text) - 1 if text and HALF[0] <= text[-1] <= HALF[1] else len(text)
        self._half = text[cut:]
        text = whole(text[:cut])
        room = WAITING_LETTERS - self._letters
        for start in range(0, min(len(text), room), BATCH_LETTERS):
            self._waiting.append(Delta(text[start : min(start + BATCH_LETTERS, room)]))
        self._letters += len(text)

    @property
    def ready(self) -> bool:
        return self.request is None and not self.done and bool(self._flying or self._waiting)

    def batch(self, session_id: str) -> Batch:
        """The batch in flight again, unchanged, else the next one: waiting deltas are joined."""
        if self._flying is None:
            self._flying = self._next()
        return Batch(session_id, self.turn, self._seq, self._flying)

    def _next(self) -> tuple[TurnEvent, ...]:
        events: list[TurnEvent] = []
        letters = 0
        while self._waiting and len(events) < BATCH_EVENTS:
            event = self._waiting[0]
            size = len(event.text) if isinstance(event, Delta) else 0
            if letters and letters + size > BATCH_LETTERS:
                break
            self._waiting.popleft()
            letters += size
            last = events[-1] if events else None
            if isinstance(event, Delta) and isinstance(last, Delta):
                events[-1] = Delta(last.text + event.text)
            else:
                events.append(event)
        self._letters -= letters
        return tuple(events)

    def taken(self) -> None:
        """The app has the batch. The `next` it names decides nothing."""
        self._flying = None
        self._seq += 1
        self.trouble = ""
        self.backoff.reset()
        self.done = self.ended and not self._waiting

    def refused(self) -> bool:
        """The app takes this batch never. True the first time: the turn is to end; then the app takes nothing at all.

        The number is used again, since the app does not have it.
        """
        self._flying = None
        self._waiting.clear()
        self._letters = 0
        if self._refused or self.ended:
            self.done = True
            return False
        self._refused = True
        return True
