"""A board in memory: the port that a worker calls, with switches for what goes wrong. No I/O, no time of its own.

    board = MemoryBoard(clock=lambda: now)
    task = board.add("Mend the gate")
    board.fail("tasks_task_set_status", BoardUnreachable("gone"), after=True)    # done, but the answer is lost
    MemoryBoard(lacks=("agentops_task_claim",))                                  # a server without leases
    MemoryBoard(strict=True)                                                     # no fence, requestId, cost, statusBy

`add`, `move` and `say` are what people do; `calls` are the tools that were asked for, with their arguments. `beside` is
another client of the same board. `testing.board_checks` walks this and every other board through the contract.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self, TypeVar

from agent_connector.board import rules
from agent_connector.board.values import Bundle, Claim, Comment, Connected, Role, Task
from agent_connector.errors import BoardError, BoardUnreachable

T = TypeVar("T")
PERSON = "ada@example.com"


@dataclass
class Run:
    """A run as the board holds it."""

    id: str
    task_id: str
    connector_id: str
    status: str = "queued"
    held: dict[str, Any] = field(default_factory=dict[str, Any])
    events: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    changed: float = 0.0
    next_seq: int = 0
    log_from: int = 0


@dataclass
class Lease:
    holder: tuple[str, str] | None = None
    fence: int = 0
    until: float = 0.0


@dataclass
class Failure:
    error: BoardError
    times: int
    after: bool


@dataclass
class World:
    """What every client of one board shares."""

    clock: Callable[[], float]
    tasks: dict[str, Task] = field(default_factory=dict[str, Task])
    leases: dict[str, Lease] = field(default_factory=dict[str, Lease])
    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    answers: dict[str, tuple[str, Any]] = field(default_factory=dict[str, tuple[str, Any]])
    presence: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    roles: list[Role] = field(default_factory=list[Role])
    bundle: Bundle | None = None
    last: int = 0
    jumped: float = 0.0  # seconds by which the clock went on without time passing

    def steady(self) -> float:
        """The time that leases are measured by."""
        return self.clock() - self.jumped

    def tick(self) -> str:
        """A time later than every one before, whatever the clock says."""
        self.last = max(self.last + 1, int(self.clock() * 1_000_000))
        return rules.iso(self.last)


class MemoryBoard:
    """Implements `board.port.Board`. `down` fails every call as an unreachable board."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.time,
        lacks: Iterable[str] = (),
        strict: bool = False,
        me: str = "worker@example.com",
        world: World | None = None,
    ) -> None:
        self.world = world or World(clock)
        self.me = me
        self.strict = strict
        self.down = False
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._lacks = frozenset(lacks)
        self._failures: dict[str, list[Failure]] = {}

    # What people do, and what tests look at.

    def add(self, title: str, *, description: str = "", status: str = "todo", board: str = "main", **more: Any) -> Task:
        """A new task; `more` are other fields of it: role, priority, id, run_id."""
        now = self.world.tick()
        id = more.pop("id", None) or rules.new_id()
        held: dict[str, Any] = {"role": None, "run_id": None, "priority": 0, "status_by": PERSON} | more
        task = Task(id, board, title, description, status, created_at=now, updated_at=now, **held)
        self.world.tasks[id] = task
        self.world.leases[id] = Lease()
        return self._shown(task)

    def move(self, task_id: str, status: str, by: str = PERSON) -> Task:
        return self._change(task_id, status=status, status_by=by)

    def say(self, task_id: str, body: str, by: str = PERSON) -> Comment:
        comment = Comment(rules.new_id(), by, body, self.world.tick())
        held = self._task(task_id)
        self.world.tasks[task_id] = replace(held, comments=(*held.comments, comment), updated_at=comment.created_at)
        return comment

    def now(self, task_id: str) -> Task:
        """The task as it is, without a call."""
        return self._shown(self._task(task_id))

    def runs(self, task_id: str | None = None) -> list[Run]:
        return [run for run in self.world.runs.values() if task_id in (None, run.task_id)]

    def log(self, run_id: str) -> list[dict[str, Any]]:
        return [event for _, event in sorted(self._run(run_id).events.items())]

    def prune_logs(self, days: float) -> None:
        """What `board serve --keep-logs` does: the logs go of runs that were not changed for so long."""
        now = self.world.clock()
        for run in self.world.runs.values():
            lease = self.world.leases[run.task_id]
            newest = self._task(run.task_id).run_id == run.id
            held = lease.holder is not None and lease.until > self.world.steady()
            asks = run.status == "awaiting_human" and newest
            at_work = run.status in ("queued", "running") and newest and held
            if run.changed < now - days * 86_400 and not asks and not at_work:
                run.events.clear()
                run.log_from = run.next_seq

    def lease(self, task_id: str) -> Lease:
        return self.world.leases[task_id]

    def fail(self, tool: str, error: BoardError, times: int = 1, *, after: bool = False) -> None:
        """The next calls of `tool` (`*`: of any) end in `error`; `after` lets them do their work first."""
        self._failures.setdefault(tool, []).append(Failure(error, times, after))

    def beside(self, me: str) -> "MemoryBoard":
        """Another client of the same board, with failures of its own."""
        return MemoryBoard(lacks=self._lacks, strict=self.strict, me=me, world=self.world)

    # The port.

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(rules.TOOLS) - self._lacks

    def knows(self, tool: str, argument: str) -> bool:
        return tool in self.offers and not (self.strict and argument in rules.TOOLS[tool])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def ping(self) -> str:
        return self._call("ping", {}, lambda: rules.iso(int(self.world.clock() * 1_000_000)))

    async def tasks(
        self, *, board: str | None = None, status: Sequence[str] = (), updated_after: str | None = None, limit: int = 50
    ) -> list[Task]:
        asked = {"board": board, "status": list(status), "updated_after": updated_after, "limit": limit}

        def work() -> list[Task]:
            rules.between(limit, "limit", 1, rules.MOST_TASKS)
            since = 0 if updated_after is None else rules.micros(updated_after, "updatedAfter")
            held = [
                self._shown(replace(task, comments=()))
                for task in self.world.tasks.values()
                if board in (None, task.board)
                and (not status or task.status in status)
                and rules.micros(task.updated_at, "updatedAt") >= since
            ]
            return sorted(held, key=lambda task: (task.updated_at, task.id))

        return self._call("tasks_tasks_list", asked, work)

    async def task(self, task_id: str) -> Task:
        return self._call("tasks_task_get", {"task_id": task_id}, lambda: self.now(task_id))

    async def comment(
        self, task_id: str, body: str, *, fence: int | None = None, request_id: str | None = None
    ) -> Comment:
        def work() -> Comment:
            rules.sized(body, "body", rules.COMMENT_BYTES)
            return self.say(task_id, body, self.me)

        return self._write("tasks_comment_add", {"body": body}, work, task_id, fence, request_id)

    async def set_status(
        self, task_id: str, status: str, *, fence: int | None = None, request_id: str | None = None
    ) -> Task:
        def work() -> Task:
            return replace(self._change(task_id, status=rules.word(status, "status"), status_by=self.me), comments=())

        return self._write("tasks_task_set_status", {"status": status}, work, task_id, fence, request_id)

    async def connect(
        self, *, connector_id: str | None, bundle_name: str | None, version: str, hosts: Sequence[str]
    ) -> Connected:
        asked = {"connector_id": connector_id, "bundle_name": bundle_name, "version": version, "hosts": list(hosts)}

        def work() -> Connected:
            bundle = self.world.bundle
            fits = bundle is not None and bundle_name in (None, bundle.name)
            return Connected(bundle if fits else None, tuple(sorted(self.world.roles, key=lambda role: -role.version)))

        return self._call("agentops_connect", asked, work)

    async def heartbeat(self, *, connector_id: str, state: str, runs: Sequence[str]) -> None:
        asked = {"connector_id": connector_id, "state": state, "runs": list(runs)}
        self._call("agentops_heartbeat", asked, lambda: self.world.presence.update({connector_id: asked}))

    async def claim(self, task_id: str, *, connector_id: str, instance_id: str, lease_seconds: int) -> Claim:
        asked = {"task_id": task_id, "connector_id": connector_id, "instance_id": instance_id}

        def work() -> Claim:
            rules.between(lease_seconds, "leaseSeconds", *rules.LEASE)
            self._task(task_id)
            lease, now, me = self.world.leases[task_id], self.world.steady(), (connector_id, instance_id)
            mine = lease.holder == me
            if not mine and lease.holder is not None and lease.until > now:
                return Claim(False, None, lease.holder[0], self._ends(lease))
            lease.fence += 0 if mine else 1
            lease.holder, lease.until = me, now + lease_seconds
            return Claim(True, lease.fence, connector_id, self._ends(lease))

        return self._call("agentops_task_claim", asked | {"lease_seconds": lease_seconds}, work)

    async def release(self, task_id: str, *, connector_id: str, instance_id: str, fence: int) -> None:
        asked = {"task_id": task_id, "connector_id": connector_id, "instance_id": instance_id, "fence": fence}

        def work() -> None:
            self._fenced(task_id, fence)
            lease = self.world.leases[task_id]
            if lease.holder == (connector_id, instance_id):
                lease.holder, lease.until = None, 0.0

        self._call("agentops_task_release", asked, work)

    async def run_create(
        self,
        task_id: str,
        *,
        connector_id: str,
        role_id: str | None = None,
        provider: str | None = None,
        model: str | None = None,
        fence: int | None = None,
        request_id: str | None = None,
    ) -> str:
        asked = {"role_id": role_id, "provider": provider, "model": model}

        def work() -> str:
            self._task(task_id)
            run = Run(rules.new_id(), task_id, connector_id, held={k: v for k, v in asked.items() if v is not None})
            run.changed = self.world.clock()
            self.world.runs[run.id] = run
            self._change(task_id, run_id=run.id)
            return run.id

        asked_of = {"connector_id": connector_id, **asked}
        return self._write("agentops_run_create", asked_of, work, task_id, fence, request_id)

    async def run_update(
        self,
        run_id: str,
        *,
        status: str,
        result: Mapping[str, Any] | None = None,
        finished_at: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        provider: str | None = None,
        model: str | None = None,
        cost: float | None = None,
        fence: int | None = None,
        request_id: str | None = None,
    ) -> None:
        top = {"provider": provider, "model": model, "cost": cost}
        asked = {"status": status, "result": result, "finished_at": finished_at, "metadata": metadata, **top}

        def work() -> None:
            run = self._run(run_id)
            run.status = rules.run_status(status)
            kept = {k: v for k, v in asked.items() if v is not None and not (self.strict and k in top)}
            run.held |= json.loads(json.dumps(kept))
            run.changed = self.world.clock()

        self._write("agentops_run_update", asked | {"run_id": run_id}, work, self._task_of(run_id), fence, request_id)

    async def log_append(
        self,
        run_id: str,
        events: Sequence[Mapping[str, Any]],
        *,
        fence: int | None = None,
        request_id: str | None = None,
    ) -> int:
        def work() -> int:
            run = self._run(run_id)
            for event in rules.events(events):
                if event["seq"] >= run.log_from:
                    run.events.setdefault(event["seq"], json.loads(json.dumps(event)))
                run.next_seq = max(run.next_seq, event["seq"] + 1)
            return run.next_seq

        asked = {"run_id": run_id, "events": [dict(event) for event in events]}
        return self._write("agentops_run_log_append", asked, work, self._task_of(run_id), fence, request_id)

    # How a call goes.

    def _write(
        self,
        tool: str,
        asked: dict[str, Any],
        work: Callable[[], T],
        task_id: str | None,
        fence: int | None,
        request_id: str | None,
    ) -> T:
        def once() -> T:
            if request_id is None or self.strict:
                return checked()
            if request_id not in self.world.answers:
                self.world.answers[request_id] = (tool, checked())
            first, answer = self.world.answers[request_id]
            if first != tool:
                raise rules.refuse("conflict", "that requestId was another tool's", "requestId")
            return answer

        def checked() -> T:
            if task_id is not None and fence is not None and not self.strict:
                self._fenced(task_id, fence)
            return work()

        return self._call(tool, {"task_id": task_id, **asked, "fence": fence, "request_id": request_id}, once)

    def _call(self, tool: str, asked: dict[str, Any], work: Callable[[], T]) -> T:
        self.calls.append((tool, asked))
        if self.down:
            raise BoardUnreachable("the board is down", where=tool)
        failure = self._failure(tool)
        if failure and not failure.after:
            raise failure.error
        if tool not in self.offers:
            raise rules.refuse("unknown_tool", "the board has no such tool", tool)
        answer = work()
        if failure:
            raise failure.error
        return answer

    def _failure(self, tool: str) -> Failure | None:
        waiting = self._failures.get(tool) or self._failures.get("*") or []
        if not waiting:
            return None
        waiting[0].times -= 1
        return waiting.pop(0) if waiting[0].times <= 0 else waiting[0]

    def _fenced(self, task_id: str, fence: int) -> None:
        self._task(task_id)
        if fence != self.world.leases[task_id].fence:
            raise rules.refuse("stale_fence", "another worker has taken the task", "fence")

    def _ends(self, lease: Lease) -> str:
        return rules.iso(int((lease.until + self.world.jumped) * 1_000_000))

    def _task(self, task_id: str) -> Task:
        if task_id not in self.world.tasks:
            raise rules.refuse("not_found", "no such task", "taskId")
        return self.world.tasks[task_id]

    def _run(self, run_id: str) -> Run:
        if run_id not in self.world.runs:
            raise rules.refuse("not_found", "no such run", "runId")
        return self.world.runs[run_id]

    def _task_of(self, run_id: str) -> str | None:
        return self.world.runs[run_id].task_id if run_id in self.world.runs else None

    def _change(self, task_id: str, **changed: Any) -> Task:
        task = replace(self._task(task_id), updated_at=self.world.tick(), **changed)
        self.world.tasks[task_id] = task
        return self._shown(task)

    def _shown(self, task: Task) -> Task:
        return replace(task, status_by=None) if self.strict else task
