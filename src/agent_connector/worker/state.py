"""The worker's memory: which tasks were done, what is in work, who was asked what, what was spent, what is still to be told."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from agent_connector.drive.events import Usage
from agent_connector.worker.database import Database
from agent_connector.worker.values import Session

KEPT = 200_000  # events of logs that stay here, where the board takes none


@dataclass(frozen=True, slots=True)
class Settled:
    """A task that was done: see schema.sql."""

    updated_at: str
    away: bool


@dataclass(frozen=True, slots=True)
class Run:
    """A run whose result has not reached the board: see schema.sql."""

    run: str
    task: str
    board_run: str | None
    own: bool
    instance: str
    fence: int | None
    taken_from: str
    running: bool = False
    state: str = "open"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A task that waits for a person."""

    kind: str
    reason: str
    asked_at: str
    parked_at: str
    session: Session | None


@dataclass(frozen=True, slots=True)
class Letter:
    """A row of the outbox."""

    n: int
    run: str
    task: str
    kind: str
    body: Mapping[str, Any]
    tried: int


class State(Database):
    """`with State(path) as state:`; WorkerError when another process has it open, when it is damaged, when the disk is full."""

    # Tasks that were done.

    def settled(self, task: str) -> Settled | None:
        row = self.one("SELECT updated_at, away FROM settled WHERE task = ?", task)
        return Settled(row[0], bool(row[1])) if row else None

    def settle(self, task: str, updated_at: str, away: bool) -> None:
        """It is done; the next run of it begins anew."""
        self.run("INSERT OR REPLACE INTO settled VALUES (?, ?, ?)", task, updated_at, int(away))
        self.run("DELETE FROM series WHERE task = ?", task)
        self.run("DELETE FROM allowed WHERE task = ?", task)

    def went_away(self, task: str) -> None:
        self.run("UPDATE settled SET away = 1 WHERE task = ? AND away = 0", task)

    def all_settled(self) -> list[str]:
        """Those that have not been seen to leave the poll set."""
        return [row[0] for row in self.rows("SELECT task FROM settled WHERE away = 0")]

    # Runs.

    def begin(self, run: Run) -> None:
        self.run("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *asdict(run).values())

    def update(self, run: str, **changed: Any) -> None:
        """`changed` are columns."""
        for column, value in changed.items():
            self.run(f"UPDATE runs SET {column} = ? WHERE run = ?", value, run)  # noqa: S608 - our own names

    def runs(self, state: str) -> list[Run]:
        return [_run(row) for row in self.rows("SELECT * FROM runs WHERE state = ? ORDER BY run", state)]

    def held(self, run: str) -> Run | None:
        row = self.one("SELECT * FROM runs WHERE run = ?", run)
        return _run(row) if row else None

    def forget(self, run: str) -> None:
        """Its result is on the board, or nobody wants it any more."""
        with self.at_once():
            self.run("DELETE FROM outbox WHERE run = ?", run)
            self.run("DELETE FROM runs WHERE run = ?", run)

    def attempt(self, task: str) -> tuple[int, Session | None]:
        """One more run of a task: which one it is, and what it goes on with."""
        query = "INSERT INTO series VALUES (?, 1, NULL) ON CONFLICT DO UPDATE SET attempt = attempt + 1"
        self.run(query, task)
        row = self.one("SELECT attempt, session FROM series WHERE task = ?", task)
        return (int(row[0]), _session(row[1])) if row else (1, None)

    def not_attempted(self, task: str) -> None:
        """That run did not begin."""
        self.run("UPDATE series SET attempt = attempt - 1 WHERE task = ?", task)

    def go_on_with(self, task: str, session: Session | None) -> None:
        """What the next run of the task resumes; what was known stays where this one knows nothing."""
        if session is not None:
            self.run("UPDATE series SET session = ? WHERE task = ?", _json(asdict(session)), task)

    # Escalations, and which comments are ours.

    def waiting(self, task: str) -> Waiting | None:
        row = self.one("SELECT kind, reason, asked_at, parked_at, session FROM escalations WHERE task = ?", task)
        return Waiting(row[0], row[1], row[2], row[3], _session(row[4])) if row else None

    def asks_about(self, kind: str) -> bool:
        """A person was asked about that and has not answered."""
        return self.one("SELECT 1 FROM escalations WHERE kind = ? LIMIT 1", kind) is not None

    def waiting_tasks(self) -> list[str]:
        """Those that wait for a person: what their next run goes on with is to stay."""
        return [row[0] for row in self.rows("SELECT task FROM escalations ORDER BY task")]

    def wait_for_person(self, task: str, waiting: Waiting) -> None:
        session = _json(asdict(waiting.session)) if waiting.session else None
        row = (task, waiting.kind, waiting.reason, waiting.asked_at, waiting.parked_at, session)
        with self.at_once():
            self.run("INSERT OR REPLACE INTO escalations VALUES (?, ?, ?, ?, ?, ?)", *row)
            self.run("DELETE FROM movers WHERE task = ?", task)

    def moved_by(self, task: str, who: str) -> None:
        """Who moved it back: giving it back after a run that came to nothing hides that on the board."""
        self.run("INSERT OR REPLACE INTO movers VALUES (?, ?)", task, who)

    def mover(self, task: str) -> str | None:
        row = self.one("SELECT who FROM movers WHERE task = ?", task)
        return row[0] if row else None

    def asked(self, task: str, at: str) -> None:
        self.run("UPDATE escalations SET asked_at = ? WHERE task = ?", at, task)

    def parked(self, task: str, at: str) -> None:
        self.run("UPDATE escalations SET parked_at = ? WHERE task = ?", at, task)

    def answered(self, task: str) -> None:
        with self.at_once():
            self.run("DELETE FROM escalations WHERE task = ?", task)
            self.run("DELETE FROM movers WHERE task = ?", task)

    def allow(self, task: str, word: str) -> None:
        self.run("INSERT OR IGNORE INTO allowed VALUES (?, ?)", task, word)

    def allowed(self, task: str) -> frozenset[str]:
        return frozenset(row[0] for row in self.rows("SELECT word FROM allowed WHERE task = ?", task))

    def wrote(self, comment: str) -> None:
        self.run("INSERT OR IGNORE INTO comments VALUES (?)", comment)

    def is_ours(self, comment: str) -> bool:
        return self.one("SELECT 1 FROM comments WHERE id = ?", comment) is not None

    # Money.

    def reserve(self, run: str, board: str, day: str, instance: str, amount: float) -> None:
        self.run("INSERT INTO spend VALUES (?, ?, ?, ?, ?, NULL, NULL)", run, board, day, instance, amount)

    def spend(self, run: str, amount: float | None, source: str | None) -> None:
        """What the run cost; None settles it at what was reserved."""
        source = source if amount is not None else "reserve"
        self.run("UPDATE spend SET settled = COALESCE(?, reserved), source = ? WHERE run = ?", amount, source, run)

    def unreserve(self, run: str) -> None:
        """No model was called."""
        self.run("DELETE FROM spend WHERE run = ? AND settled IS NULL", run)

    def spent(self, column: str, value: str) -> float:
        """What was settled and what is reserved, where `column` (board, day, instance) has that value."""
        query = f"SELECT SUM(COALESCE(settled, reserved)) FROM spend WHERE {column} = ?"  # noqa: S608 - our own names
        row = self.one(query, value)
        return float(row[0] or 0.0) if row else 0.0

    # The outbox.

    def post(self, run: str, task: str, kind: str, body: Mapping[str, Any]) -> None:
        text = _json(body)
        self.run("INSERT INTO outbox (run, task, kind, body) VALUES (?, ?, ?, ?)", run, task, kind, text)

    def next_letter(self, run: str) -> Letter | None:
        row = self.one("SELECT n, run, task, kind, body, tried FROM outbox WHERE run = ? ORDER BY n LIMIT 1", run)
        return Letter(row[0], row[1], row[2], row[3], json.loads(row[4]), row[5]) if row else None

    def posting(self) -> list[str]:
        """The runs that have something in the outbox, the oldest first."""
        return [row[0] for row in self.rows("SELECT run FROM outbox GROUP BY run ORDER BY MIN(n)")]

    def is_posting(self, task: str) -> bool:
        """Something about the task is still to be told."""
        return self.one("SELECT 1 FROM outbox WHERE task = ? LIMIT 1", task) is not None

    def trying(self, n: int) -> None:
        self.run("UPDATE outbox SET tried = tried + 1 WHERE n = ?", n)

    def delivered(self, n: int) -> None:
        self.run("DELETE FROM outbox WHERE n = ?", n)

    def unsay(self, run: str, kinds: Sequence[str]) -> None:
        """Letters of these kinds are not sent any more."""
        for kind in kinds:
            self.run("DELETE FROM outbox WHERE run = ? AND kind = ?", run, kind)

    # Logs: how far each run's numbers came, and those that no board takes.

    def numbered(self, board_run: str, following: int) -> None:
        query = "INSERT INTO logs VALUES (?, ?) ON CONFLICT DO UPDATE SET next = max(next, excluded.next)"
        self.run(query, board_run, following)

    def next_number(self, board_run: str) -> int | None:
        """None for a run that we have not written to."""
        row = self.one("SELECT next FROM logs WHERE board_run = ?", board_run)
        return int(row[0]) if row else None

    def keep_log(self, run: str, task: str, events: Sequence[Mapping[str, Any]]) -> None:
        """The oldest make room."""
        with self.at_once():
            for event in events:
                text = _json(event)
                self.run("INSERT INTO kept (task, run, event) VALUES (?, ?, ?)", task, run, text)
            self.run("DELETE FROM kept WHERE n <= (SELECT MAX(n) FROM kept) - ?", KEPT)

    def kept_log(self, task: str) -> list[Mapping[str, Any]]:
        return [json.loads(row[0]) for row in self.rows("SELECT event FROM kept WHERE task = ? ORDER BY n", task)]


def _run(row: tuple[Any, ...]) -> Run:
    run, task, board_run, own, instance, fence, taken_from, running, state = row
    return Run(run, task, board_run, bool(own), instance, fence, taken_from, bool(running), state)


def _json(value: Any) -> str:
    """As characters, not as escapes: what no board takes is then taken out when it is written."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _session(text: str | None) -> Session | None:
    if text is None:
        return None
    held = cast("dict[str, Any]", json.loads(text))
    used = held.get("used")
    return Session(held["host_id"], held["id"], Usage(**used) if used else None)
