"""One task in work: claimed, run, its log forwarded, its result put into the outbox."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from agent_connector.board.values import Claim, Task
from agent_connector.errors import AgentConnectorError, WorkerError
from agent_connector.worker import budget, claims, settle, taken
from agent_connector.worker.board_run import LOGS, board_run
from agent_connector.worker.clock import iso
from agent_connector.worker.database import Unkeepable
from agent_connector.worker.forwarder import Event, Forwarder
from agent_connector.worker.risk import Risks
from agent_connector.worker.state import Run, Waiting
from agent_connector.worker.values import Assignment, Escalation, Result, Session, Stop

if TYPE_CHECKING:
    from agent_connector.worker.loop import Worker

RECHECK = 20.0  # seconds until a task that another worker holds is asked for again
UNASKED = "9999-12-31T00:00:00Z"  # of an escalation that the board has not heard of: nothing is newer
FULL = 5.0  # seconds until a result that could not be kept is kept again
PATIENCE = 3  # times that this is tried once the worker is to end
UPDATE = "agentops_run_update"


def new_id() -> str:
    return secrets.token_hex(10)


class Work:
    """`done` ends when the result is in the outbox."""

    def __init__(self, worker: "Worker", task: Task, run: Run, lease: claims.Lease, waiting: Waiting | None) -> None:
        self.worker, self.task, self.run, self.lease, self.waiting = worker, task, run, lease, waiting
        self.stop = Stop()
        self.done: asyncio.Task[None]
        self.log = Forwarder(worker.config.log, worker.redactor, self._post, worker.clock.wall)
        self._attempt, self._session = 1, None if waiting is None else waiting.session
        self._answer = taken.Answer(None)
        self._risks = Risks(worker.state, worker.config)

    @classmethod
    async def take(cls, worker: "Worker", seen: Task) -> Self | None:
        """The task, claimed and looked at again; None when it is somebody else's, has changed, or waits for a person."""
        config, state = worker.config, worker.state
        if worker.is_old() and (await worker.board.task(seen.id)).status != seen.status:
            worker.drop(seen.id)  # a claim could take it from a worker that is only slow
            return None
        lease = await claims.take(worker.board, seen.id, config, worker.instance, worker.clock)
        if isinstance(lease, Claim):
            worker.let_be(seen.id, min(RECHECK, config.lease_seconds))
            return None
        run = Run(new_id(), seen.id, None, False, worker.instance, lease.fence, seen.status)
        state.begin(run)
        try:
            task = await worker.board.task(seen.id)
            left = task.status == config.running_status and lease.fence not in (None, 1)
            if left:  # the run that put it there has lost its lease to us: nobody else will end it
                task = replace(task, status=seen.status)
            run = replace(run, taken_from=task.status, running=left)
            state.update(run.run, taken_from=task.status, running=left)
            waiting = state.waiting(task.id)
            why = taken.why(task, config, state.settled(task.id), waiting)
            if why is None or (waiting is None and worker.leaves_to_the_asker(task)):
                if why is None:
                    worker.drop(task.id)
                worker.give_back(run.run, begun=False)
                return None
            work = cls(worker, task, run, lease, waiting)
            if await work._begin():
                return work
        except BaseException:  # whatever it was goes on; the board gets the task back
            worker.give_back(run.run, begun=False)
            raise
        return None

    def start(self, ended: "Callable[[Work], object]") -> None:
        self.done = asyncio.create_task(self._do())
        self.done.add_done_callback(lambda done: self._ended(done, ended))

    def _ended(self, done: "asyncio.Task[None]", ended: "Callable[[Work], object]") -> None:
        """A fault that nothing caught is at least seen."""
        if not done.cancelled() and (fault := done.exception()) is not None:
            self.worker.say(f"task {self.task.id} is left as it is: {type(fault).__name__}: {fault}")
        ended(self)

    # Before the run.

    async def _begin(self) -> bool:
        """Say on the board that the task is in work, under the claim. False where that is not to be."""
        worker, config, state = self.worker, self.worker.config, self.worker.state
        came = taken.outcome(self.task)
        if came is not None and self.waiting is None:
            self._adopt(came)
            return False
        needed = self._needs_person()
        if needed is None:
            with state.at_once():
                reserve = config.ergonomics.run_reserve_usd
                state.reserve(self.run.run, self.task.board, worker.day, worker.instance, reserve)
                self._attempt, session = state.attempt(self.task.id)
            self._session = session or self._session  # what a run began with is newer than what a question was asked in
        self.run, self.log.first = await board_run(worker, self.task, self.run)
        if needed is not None:
            self._settle(Result("awaiting_human", "", needed.reason, needed, started=False))
            return False
        if config.running_status is not None:
            self._change(running=True)
            told = await worker.board.set_status(
                self.task.id, config.running_status, fence=self.lease.fence, request_id=f"{self.run.run}-status"
            )
            self.task = replace(self.task, status=told.status, updated_at=told.updated_at)
        if self.run.board_run is not None and UPDATE in worker.board.offers:
            await worker.board.run_update(
                self.run.board_run,
                status="running",
                metadata={"connectorId": config.holder, "attempt": self._attempt},
                fence=self.lease.fence,
                request_id=f"{self.run.run}-running",
            )
        return True

    def _adopt(self, came: str) -> None:
        """A worker was lost between its result and the end of it: the result is there, the task is not done again."""
        worker, config, state, run = self.worker, self.worker.config, self.worker.state, self.run
        with state.at_once():
            if self.task.run_id is not None and UPDATE in worker.board.offers:
                state.post(run.run, run.task, "update", {"run": self.task.run_id, "fields": {"status": came}})
            status = settle.status_of(came, config)
            for kind, body in settle.moved_on(status, run, config, "settle"):
                state.post(run.run, run.task, kind, body)
            state.update(run.run, state="settling")

    def _needs_person(self) -> Escalation | None:
        """Before anything runs: is there money, and is the task risky in words that nobody has allowed?"""
        worker, config, state = self.worker, self.worker.config, self.worker.state
        cap = budget.reached(state, config.ergonomics, self.task.board, worker.day, worker.instance)
        if cap is not None:
            return Escalation("spend", cap)
        if self.waiting is not None:
            task = self._as_a_person_moved_it()
            self._answer = taken.answer(task, config, self.waiting, state.is_ours)
            self._risks.let_pass(task, self.waiting, self._answer)
        return self._risks.of_task(self.task, comments=self.waiting is None)

    def _as_a_person_moved_it(self) -> Task:
        """An earlier run of the answered task may have come to nothing: then it was us who moved it last."""
        task, state = self.task, self.worker.state
        ours = {one.author for one in task.comments if state.is_ours(one.id)}
        if task.status_by in ours and (who := state.mover(task.id)) is not None:
            return replace(task, status_by=who)
        if task.status_by is not None:
            state.moved_by(task.id, task.status_by)
        return task

    def _change(self, **changed: Any) -> None:
        self.run = replace(self.run, **changed)
        self.worker.state.update(self.run.run, **changed)

    # The run.

    async def _do(self) -> None:
        worker = self.worker
        worker.say(f"task {self.task.id}: {' '.join(self.task.title.split())[:80]}")
        holding = claims.Holding(
            worker.board,
            self.task.id,
            worker.config,
            worker.instance,
            worker.clock,
            self.lease,
            self.stop,
            worker.say,
        )
        helpers = [asyncio.create_task(holding.run()), asyncio.create_task(self._flush())]
        try:
            result = await self._result()
            helpers[1].cancel()
            idle = settle.not_begun(result, self.stop.reason)
            result = await (self._keep(result, self._hand_back) if idle else self._kept(result))
        finally:
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)
        if not idle:
            worker.unable.began(self.task.id)
            worker.say(f"task {self.task.id}: {result.status}" + (f" ({result.reason})" if result.reason else ""))
        await worker.deliver_soon()

    async def _result(self) -> Result:
        try:
            return await self.worker.runner(self._assignment(), self._emit, self.stop)
        except AgentConnectorError as error:
            return Result("failed", "", str(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the worker, and must be seen
            return Result("failed", "", f"a fault of agent-connector itself: {type(error).__name__}: {error}")

    def _emit(self, type: str, channel: str, payload: Mapping[str, Any]) -> None:
        """Into the log; what the worker itself says of the run is said here, too: nobody may be looking at the page."""
        self.log.emit(type, channel, payload)
        if (type, channel) == ("status", "worker"):
            self.worker.say(f"task {self.task.id}: {payload.get('text', '')}")

    def _assignment(self) -> Assignment:
        worker = self.worker
        if self._answer.anybody:
            worker.once(
                "`hitl.answerers` is empty and this board does not say who moved a task: anybody's comment answers"
            )
        return Assignment(
            task=self.task,
            run_id=self.run.board_run,
            role=None,
            roles=worker.roles,
            answer=self._answer.text,
            session=self._session,
            budget_usd=worker.config.ergonomics.run_reserve_usd,
            attempt=self._attempt,
            bundle=worker.bundle,
            began=partial(asyncio.get_running_loop().call_soon_threadsafe, self._began),
        )

    def _began(self, session: Session) -> None:
        """The session is known from its start: a worker that is killed goes on with it, too."""
        try:
            self.worker.state.go_on_with(self.task.id, session)
        except WorkerError as error:  # the result says it again
            self.worker.once(f"a session is not kept yet: {error}")

    async def _flush(self) -> None:
        """Batches by size or time."""
        most = self.worker.config.log.flush_interval_ms / 1000
        pause, waited = min(most, 0.25), 0.0
        while True:
            await self.worker.clock.sleep(pause)
            waited += pause
            if self.log.full or waited >= most:
                waited = 0.0
                await self._flushed()

    async def _flushed(self) -> None:
        """What cannot be kept now stays with the log: it never breaks the run."""
        try:
            while self.log.flush():
                await asyncio.sleep(0)
        except WorkerError as error:
            self.worker.once(f"logs wait: {error}")

    def _post(self, batches: list[list[Event]]) -> None:
        state, run = self.worker.state, self.run
        with state.at_once():
            for events in batches:
                if run.board_run is None or LOGS not in self.worker.board.offers:
                    state.keep_log(run.run, run.task, events)
                    continue
                state.post(run.run, run.task, "log", {"run": run.board_run, "events": events})
                state.numbered(run.board_run, events[-1]["seq"] + 1)

    # After it.

    async def _kept(self, result: Result) -> Result:
        """The result as it is in the outbox: where it cannot be kept whole, what it cost and how it came out still are."""
        try:
            return await self._keep(result, self._settle)
        except Exception as error:  # noqa: BLE001 - the top level of a run: a task that nobody settles is done, and paid, again
            fault = f"{type(error).__name__}: {error}"
            self.worker.say(f"the result of task {self.task.id} cannot be kept whole: {fault}")
            result = settle.reduced(result, f"the result could not be kept whole: {fault}")
            return await self._keep(result, self._settle, log=False)

    async def _keep(self, result: Result, settled: Callable[[Result], Result], *, log: bool = True) -> Result:
        """What came of the run is in the outbox, sooner or later: a full disk is waited for while the lease is renewed."""
        tries = 0
        while True:
            try:
                while log and self.log.flush():
                    await asyncio.sleep(0)
                if log:
                    self.log.close()
                return settled(result)
            except Unkeepable:
                raise
            except WorkerError as error:
                tries += 1
                self.worker.say(f"the result of task {self.task.id} waits to be kept: {error}")
                if tries >= PATIENCE and self.stop.reason == "shutdown":
                    return result
            await self.worker.clock.sleep(FULL)

    def _settle(self, result: Result) -> Result:
        """The result and everything that follows from it, at once: from here on it reaches the board or its lease ends."""
        worker, state, run = self.worker, self.worker.state, self.run
        result = self._risks.of_result(self.task.id, result)
        hidden = settle.hidden(result, worker.redactor.text)
        if hidden.cost_usd is None and hidden.started:
            hidden = replace(hidden, cost_source="reserve")
        letters = settle.letters(hidden, self.stop.reason, run, iso(worker.clock.wall()), worker.config)
        held = state.held(run.run)
        if held is None or held.state == "lost":
            letters = settle.ENDED
        with state.at_once():
            for kind, body in letters:
                if kind != "update" or UPDATE in worker.board.offers:
                    state.post(run.run, run.task, kind, body)
            self._remember(hidden)
            if not hidden.started:
                state.unreserve(run.run)
            state.spend(run.run, hidden.cost_usd, hidden.cost_source)
            if held is not None and held.state != "lost":
                state.update(run.run, state="settling")
        return hidden

    def _hand_back(self, result: Result) -> Result:
        """Nothing came of it, and that is the worker's fault: the task is as it was, without a word."""
        worker = self.worker
        why = " ".join(worker.redactor.text(result.reason or "no reason was given").split())
        with worker.state.at_once():
            worker.state.not_attempted(self.task.id)
            worker.give_back(self.run.run, begun=False, why=why)
        worker.unable.note(self.task.id, why)
        worker.once(f"tasks are given back, a run cannot begin: {why}")
        return result

    def _remember(self, result: Result) -> None:
        """What the next run of the task goes on with, and what a person was asked."""
        state, task = self.worker.state, self.task.id
        state.go_on_with(task, result.session)
        if result.escalation is not None:
            kind, reason = result.escalation.kind, result.escalation.reason
            state.wait_for_person(task, Waiting(kind, reason, UNASKED, UNASKED, result.session or self._session))
        elif self.waiting is not None and not settle.cut_short(result, self.stop.reason):
            state.answered(task)
