"""The worker: poll, reconcile, claim, run, settle, again. Any number of hours, whatever becomes of the board.

worker = Worker(config, board, runner, state, clock, redactor, say=print)
await worker.run_once()            # one round: what is there is done, and all is told
await worker.run_forever(stop)     # until the event `stop` is set
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from agent_connector.board.port import Board
from agent_connector.board.values import Bundle, Role, Task
from agent_connector.errors import BoardError, BoardRefused, BoardUnreachable, WorkerError
from agent_connector.redaction.redactor import Redactor
from agent_connector.worker import backoff, budget, killswitch, taken
from agent_connector.worker.clock import Clock, until
from agent_connector.worker.config import Config
from agent_connector.worker.mail import Mail
from agent_connector.worker.outbox import LATER, Outbox
from agent_connector.worker.presence import Presence
from agent_connector.worker.reconcile import Pool
from agent_connector.worker.state import State
from agent_connector.worker.unable import Unable
from agent_connector.worker.values import Reason, Runner
from agent_connector.worker.work import Work, new_id

SWITCH = 1.0  # seconds until the kill switch is seen
DRAIN = 30.0  # seconds for telling the board the rest when the worker ends
DEFER = 60.0  # seconds for which a task is left to the worker that asked about it
FRESH = 1.0  # seconds for which what a poll said is good enough
REFUSED = 60.0  # seconds until a task that could not be begun is tried again


@dataclass(slots=True)
class Round:
    """What one round did. `taken` are task ids in order; `why_idle` says why nothing was taken where something could be."""

    taken: list[str] = field(default_factory=list[str])
    peak_concurrency: int = 0
    why_idle: str | None = None


class Worker:
    """`say` gets one line for people at a time; `hosts` are told to the board with the handshake."""

    def __init__(
        self,
        config: Config,
        board: Board,
        runner: Runner,
        state: State,
        clock: Clock,
        redactor: Redactor,
        *,
        say: Callable[[str], None] = lambda line: None,
        hosts: tuple[str, ...] = (),
        chance: random.Random | None = None,
    ) -> None:
        self.config, self.board, self.runner, self.state, self.clock = config, board, runner, state, clock
        self.redactor, self.say = redactor, say
        self.instance = new_id()
        self.works: dict[str, Work] = {}  # by task
        self._chance = chance or random.Random()  # noqa: S311 - it spreads load
        self.unable = Unable(clock)
        self._said: set[str] = set()
        self._deferred: set[str] = set()  # questions of other workers
        self._presence = Presence(config, board, clock, self.once, hosts)
        self._pool = Pool(config, board, state, clock, self._is_running)
        self._mail = Mail(config, state, Outbox(state, board, config.holder, say, self._lost), clock, say, self._chance)
        self._recovered = False
        self._failures = 0

    # One round after the other.

    async def run_once(self) -> Round:
        """What the board has now is done to the end. Raises BoardError when the board cannot be asked."""
        made = Round()
        await self._round(made)
        meant = {task.id for task in self._pool.candidates()}
        polled, failed = self.clock.now(), False
        while self.works:
            await self._wait(0.2)
            if self._killed:
                self.stop_all("kill-switch")
            if self.clock.now() - polled >= self.config.poll_interval_ms / 1000:
                polled = self.clock.now()
                await self._reconciled()
            failed = failed or not await self._more(made, meant.difference(made.taken))
        await self._mail.deliver()
        made.why_idle = self.unable.words(made.taken) or made.why_idle
        return made

    async def run_forever(self, stop: asyncio.Event) -> Round:
        """Until `stop` is set; then runs are stopped, and what is left is told as far as the board listens."""
        made = Round()
        watch = asyncio.create_task(self._watch())
        try:
            while not stop.is_set():
                await self._pause(await self._tried(made), stop, made)
        finally:
            watch.cancel()
            self.stop_all("shutdown")
            await asyncio.gather(*(work.done for work in list(self.works.values())), return_exceptions=True)
            await self._last_words()
        return made

    def stop_all(self, reason: Reason) -> None:
        """No run goes on."""
        for work in self.works.values():
            work.stop.set(reason)

    async def _tried(self, made: Round) -> float:
        """A round that survives any board, and a disk that is full; seconds until the next one."""
        try:
            await self._round(made)
        except (BoardError, WorkerError) as error:
            self._failures += 1
            asked = error.retry_after if isinstance(error, BoardUnreachable) else None
            if self._failures in (1, 5) or self._failures % 50 == 0:
                what = "the board cannot be used" if isinstance(error, BoardError) else "no work is possible"
                self.say(f"{what} ({self._failures} tries): {error}")
            return backoff.wait(self._failures, self._chance, asked)
        except Exception as error:  # noqa: BLE001 - the top level of the loop: a fault of ours must not end the worker
            self._failures += 1
            self._fault(error)
            return backoff.wait(self._failures, self._chance)
        if self._failures:
            self.say("the board answers again")
        self._failures = 0
        return self.config.poll_interval_ms / 1000 * self._chance.uniform(0.9, 1.1)

    async def _round(self, made: Round) -> None:
        made.why_idle = None
        if self._killed:
            self.stop_all("kill-switch")
            made.why_idle = f"the kill switch is set: {self.config.ergonomics.kill_switch_file}"
        await self._presence.handshake()
        if self.config.done_status is None:
            self.once("`doneStatus` is not set: a task that is done stays where it is")
        if not self._recovered:
            self._mail.recover()
            self._recovered = True
        await self._pool.poll()  # first of all: a run whose task was moved away is stopped
        await self._mail.deliver()
        await self._beat()
        await self._take(made)

    async def _reconciled(self) -> None:
        """A poll in passing: what was moved away is stopped, the board sees who works; one that is away is no matter."""
        try:
            await self._pool.poll()
            await self._beat()
        except (BoardError, WorkerError):
            return

    def _is_running(self, task: Task) -> bool:
        work = self.works.get(task.id)
        if work is not None and taken.lost(task, self.config, work.run.taken_from):
            work.stop.set("moved")
        return work is not None

    async def _beat(self, *, now: bool = False) -> None:
        state = "stopped" if self._killed or now else "working" if self.works else "idle"
        runs = [work.run.board_run for work in self.works.values() if work.run.board_run]
        await self._presence.beat(state, runs, now=now)

    # Taking tasks.

    async def _take(self, made: Round, meant: set[str] | None = None) -> None:
        """As many as may run at once. `meant`: these and no others, and each of them is tried."""
        if meant is None and self.unable.pausing:
            made.why_idle = self.unable.words()
            return
        for task in self._pool.candidates():
            if len(self.works) >= self.config.ergonomics.max_concurrency or self._killed:
                return
            if task.id in self.works or self.unable.waits(task.id) or (meant is not None and task.id not in meant):
                continue
            if (cap := self._capped(task)) is not None:
                made.why_idle = cap
                continue
            work = await self._taken(task)
            if work is not None:
                made.taken.append(task.id)
                self.works[task.id] = work
                made.peak_concurrency = max(made.peak_concurrency, len(self.works))
                work.start(lambda done: self.works.pop(done.task.id, None))

    async def _taken(self, task: Task) -> Work | None:
        """One task that cannot be taken does not hold up the others."""
        try:
            return await Work.take(self, task)
        except BoardUnreachable:
            raise
        except BoardError as error:
            if isinstance(error, BoardRefused) and error.code in LATER:
                raise
            if isinstance(error, BoardRefused) and error.code == "not_found":
                self.drop(task.id)
            else:
                self.say(f"task {task.id} cannot be begun: {error}")
                self.let_be(task.id, REFUSED)
            return None

    def _capped(self, task: Task) -> str | None:
        """The money is used up and a person has been asked: once is enough."""
        if not self.state.asks_about("spend"):
            return None
        return budget.reached(self.state, self.config.ergonomics, task.board, self.day, self.instance)

    # What a work asks of its worker.

    @property
    def roles(self) -> tuple[Role, ...]:
        return self._presence.roles

    @property
    def bundle(self) -> Bundle | None:
        return self._presence.bundle

    @property
    def day(self) -> str:
        return budget.day_of(self.clock.wall())

    def is_old(self) -> bool:
        """Much may have become of tasks since they were seen."""
        return self.clock.now() - self._pool.polled > FRESH

    def leaves_to_the_asker(self, task: Task) -> bool:
        """Another worker asked about it and knows what counts as the answer: it may take the task first."""
        asked = taken.asked_by(task)
        if asked is None or self.state.is_ours(asked.id) or asked.id in self._deferred:
            return False
        self._deferred.add(asked.id)
        self.let_be(task.id, DEFER)
        return True

    def let_be(self, task: str, seconds: float) -> None:
        """Somebody else holds it."""
        self._pool.let_be(task, seconds)

    def drop(self, task: str) -> None:
        """It is not to be taken, as it is now."""
        self._pool.drop(task)

    def give_back(self, run: str, *, begun: bool, why: str | None = None) -> None:
        self._mail.give_back(run, begun=begun, why=why)

    async def deliver_soon(self) -> None:
        await self._mail.deliver_soon()

    def once(self, line: str) -> None:
        """A line that is said a single time."""
        if line not in self._said:
            self._said.add(line)
            self.say(line)

    def _fault(self, error: Exception) -> None:
        self.once(f"a fault of agent-connector itself, work goes on: {type(error).__name__}: {error}")

    # Small things.

    @property
    def _killed(self) -> bool:
        return killswitch.engaged(self.config.ergonomics.kill_switch_file) is not None

    def _lost(self, run: str) -> None:
        for work in self.works.values():
            if work.run.run == run:
                self.say(f"another worker has taken task {work.task.id}: its run here is stopped")
                work.stop.set("lease")

    async def _last_words(self) -> None:
        try:
            async with asyncio.timeout(DRAIN):
                await self._mail.deliver()
                await self._beat(now=True)
        except (BoardError, WorkerError, TimeoutError):
            self.say("the board does not hear the rest now; it is told at the next start")

    async def _watch(self) -> None:
        """The kill switch works between polls too, and logs go out while runs last."""
        while True:
            await self.clock.sleep(min(SWITCH, self.config.log.flush_interval_ms / 1000) if self.works else SWITCH)
            if self._killed:
                self.stop_all("kill-switch")
            if self.works and not self._failures:
                try:
                    await self._mail.deliver_soon()
                except Exception as error:  # noqa: BLE001 - the top level of a task: the kill switch must go on working
                    self._fault(error)

    async def _wait(self, seconds: float) -> None:
        """Until a run ends, or for `seconds`; logs go out meanwhile."""
        pending = [work.done for work in self.works.values()]
        await asyncio.wait(pending, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        await self._mail.deliver_soon()

    async def _pause(self, seconds: float, stop: asyncio.Event, made: Round) -> None:
        """Until the next poll; a run that ends makes room for the next task at once."""
        end = asyncio.ensure_future(stop.wait())
        waited = asyncio.ensure_future(until(self.clock, self.clock.now() + seconds))
        try:
            while not stop.is_set() and not waited.done():
                ended = {work.done for work in self.works.values()}
                done, _ = await asyncio.wait({end, waited, *ended}, return_when=asyncio.FIRST_COMPLETED)
                if done & ended and not await self._room(made):
                    return
        finally:
            for one in (end, waited):
                one.cancel()

    async def _room(self, made: Round) -> bool:
        """A run ended. The next round finds out what is wrong."""
        try:
            return await self._more(made)
        except Exception as error:  # noqa: BLE001 - the top level of the loop: a fault of ours must not end the worker
            self._fault(error)
            return False

    async def _more(self, made: Round, meant: set[str] | None = None) -> bool:
        """There is room again. False when the board has to be asked how it is."""
        try:
            await self._take(made, meant)
        except (BoardError, WorkerError):
            return False
        return True
