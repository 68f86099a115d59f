"""Who carries the outbox to the board: run after run, patient with each, and what a worker that was killed had left."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass

from agent_connector.errors import BoardError, BoardUnreachable, WorkerError
from agent_connector.worker import backoff, settle
from agent_connector.worker.clock import Clock
from agent_connector.worker.config import Config
from agent_connector.worker.outbox import Outbox, cut_off
from agent_connector.worker.state import State


@dataclass(slots=True)
class _Trouble:
    """A run whose letters the board does not take for now."""

    failures: int
    until: float


class Mail:
    """`say` is for people."""

    def __init__(
        self,
        config: Config,
        state: State,
        outbox: Outbox,
        clock: Clock,
        say: Callable[[str], None],
        chance: random.Random,
    ) -> None:
        self._config, self._state, self._outbox, self._clock, self._say = config, state, outbox, clock, say
        self._chance = chance
        self._one_at_a_time = asyncio.Lock()
        self._troubles: dict[str, _Trouble] = {}

    async def deliver(self) -> None:
        """Everything that can be told. BoardUnreachable: nothing can; a run that is refused keeps the others waiting for nothing."""
        async with self._one_at_a_time:
            for run in self._state.posting():
                trouble = self._troubles.get(run)
                if trouble is None or trouble.until <= self._clock.now():
                    await self._deliver(run)

    async def _deliver(self, run: str) -> None:
        try:
            await self._outbox.deliver(run)
            self._troubles.pop(run, None)
        except BoardUnreachable:
            raise
        except (BoardError, ValueError) as error:  # ValueError: no message can hold it
            failures = self._troubles[run].failures + 1 if run in self._troubles else 1
            self._troubles[run] = _Trouble(failures, self._clock.now() + backoff.wait(failures, self._chance))
            if failures in (1, 5) or failures % 50 == 0:
                self._say(f"the board does not take what a run has to tell ({failures} tries): {error}")

    async def deliver_soon(self) -> None:
        """As far as the board listens; failures are for the next round."""
        try:
            await self.deliver()
        except (BoardError, WorkerError):
            return

    def recover(self) -> None:
        """Runs of an earlier process: nobody knows how far they came, so they are given back."""
        for run in self._state.runs("open"):
            self.give_back(run.run, begun=True)
        for run in self._state.runs("lost"):
            self._state.post(run.run, run.task, "end", {})

    def give_back(self, run_id: str, *, begun: bool, why: str | None = None) -> None:
        """A run that came to nothing: the task is as it was before, for whoever comes next. `begun`: it may have cost money."""
        run = self._state.held(run_id)
        if run is None or run.state != "open":
            return
        with self._state.at_once():
            why = why or ("the worker ended in the middle of it" if begun else "it could not begin")
            if run.board_run is not None:
                self._state.post(run.run, run.task, "update", cut_off(run.board_run, why))
            elif run.own:
                self._state.post(run.run, run.task, "unborn", {"why": why})
            for kind, body in settle.given_back(run, self._config):
                self._state.post(run.run, run.task, kind, body)
            self._state.update(run.run, state="settling")
            if begun:
                self._state.spend(run.run, None, None)
            else:
                self._state.unreserve(run.run)
