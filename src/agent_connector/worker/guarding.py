"""The guard of a worker's runs: proven once for each host as it is here, then armed for each run."""

import asyncio
import json
import os
import secrets
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from agent_connector.errors import GuardError
from agent_connector.worker import canary, places, providers, walls
from agent_connector.worker.config import Config
from agent_connector.worker.egress.proxy import Egress
from agent_connector.worker.guard import arm, policy
from agent_connector.worker.guard.arm import Armed
from agent_connector.worker.guard.denials import Denials
from agent_connector.worker.guard.talks import TALKS
from agent_connector.worker.guard.values import Verdict
from agent_connector.worker.guard.ways import SWITCHES, WAYS, WINNING
from agent_connector.worker.private_home import Place
from agent_connector.worker.sandbox import landlock
from agent_connector.worker.sandbox.launch import starter
from agent_connector.worker.sandbox.policy import Kind
from agent_connector.worker.values import Stop
from agent_connector.worker.verdict import Denied
from agent_connector.worker.workspace import Workspace

T = TypeVar("T")
Seen = tuple[str, str, int, int]  # a host as it is here: its program, without links, and what tells another one from it
WAIT = 60.0  # seconds for the event loop to open or close a door
AGAIN, MOST = 60.0, 3600.0  # seconds until a proof that came to nothing is tried again: longer each time
SCRATCH = ("/tmp", "/var/tmp")  # noqa: S108 - a sandbox has its own


@dataclass(slots=True)
class Guarding:
    """`prove` before a host's first run, `arm` for each. `home` is the person's, `runs` the folder of the tasks."""

    config: Config
    variables: Mapping[str, str]
    home: str
    runs: str
    egress: Egress
    say: Callable[[str], None]
    now: Callable[[], float] = time.monotonic
    _unguarded: set[str] = field(default_factory=set[str])
    _known: set[Seen] = field(default_factory=set[Seen])
    _untried: dict[Seen, tuple[int, float]] = field(default_factory=dict[Seen, tuple[int, float]])  # times, until when
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    @asynccontextmanager
    async def arm(
        self, host: str, place: Place, work: Workspace, on_denial: Callable[[Denied], None]
    ) -> AsyncGenerator[Armed]:
        """The guard of one run, until the end of the block; without one where the configuration says so and none can be."""
        if host in self._unguarded:
            yield Armed()
            return

        def heard(verdict: Verdict, tool: str, command: str) -> None:
            on_denial(Denied(verdict.rule, verdict.reason, command or tool))

        rules = policy.rules(
            work.path,
            place.home,
            temporary=(place.scratch, *SCRATCH),
            allow=self.config.guard.allow,
            repository=self.config.sandbox_dir,
            protected=(place.guard,),
            secret=places.secret_folders(self.variables, self.home),
            network=self.config.sandbox.network,
            hosts=self.config.sandbox.allow_hosts,
        )
        async with Denials(heard) as listener:
            given = (providers.bare(host), place.guard, place.home, rules, listener.path)
            if providers.is_acp(host):
                armed = await asyncio.to_thread(arm.arm_over_acp, *given, heard)
            else:
                armed = await asyncio.to_thread(arm.arm, *given)
            await asyncio.to_thread(arm.check, armed)
            yield armed

    def check(self, armed: Armed, place: Place) -> None:
        """Between the models of a run and after it, while nothing of it lives: GuardError when the guard was undone."""
        if armed.host and armed.home != place.home:
            raise GuardError("the guard was armed for another home", where=place.home)
        arm.check(armed)

    def unguarded(self, host: str, why: GuardError) -> None:
        """Go on without a guard, which only the configuration's explicit word allows."""
        if not self.config.guard.allow_unguarded:
            raise why
        if host not in self._unguarded:
            self._unguarded.add(host)
            self.say(f"{host} runs WITHOUT a guard, as `guard.allowUnguarded` says: {why.what}")

    async def prove(self, host: str, program: str, kind: Kind, stop: Stop) -> None:
        """Once for the host as it is now: run it against a model that calls what is forbidden. NotProven: not to be run.

        It ends soon after `stop` is set, then without a word: the host may not have been proven. One that could not be
        tried and may run unguarded is tried again, later, before a run.
        """
        real = os.path.realpath(program)
        found = os.stat(real)
        seen = (host, real, found.st_size, found.st_mtime_ns)
        async with self._turn(stop) as mine:
            if not mine or seen in self._known or self.now() < self._untried.get(seen, (0, 0.0))[1]:
                return
            try:
                await self._proven(host, program, kind, stop)
            except GuardError as error:
                if stop.event.is_set():
                    return
                self.unguarded(host, error)
                if isinstance(error, canary.NotProven) and not error.tried and _can_be(host):
                    self._later(seen)
                    return
            else:
                self._guarded(host)
            if not stop.event.is_set():
                self._known.add(seen)

    def _later(self, seen: Seen) -> None:
        failed = self._untried.get(seen, (0, 0.0))[0] + 1
        pause = min(AGAIN * 2 ** min(failed - 1, 16), MOST)
        self._untried[seen] = (failed, self.now() + pause)
        self.say(f"{seen[0]} could not be tried; before a run in {pause / 60:.0f} min or later it is tried again")

    def _guarded(self, host: str) -> None:
        if host in self._unguarded:
            self._unguarded.discard(host)
            self.say(f"{host} runs with its guard from now on")

    @asynccontextmanager
    async def _turn(self, stop: Stop) -> AsyncGenerator[bool]:
        """One proof at a time; False when `stop` came first."""
        taking, stopped = asyncio.create_task(self._one.acquire()), asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((taking, stopped), return_when=asyncio.FIRST_COMPLETED)
            yield taking.done() and not stop.event.is_set()
        finally:
            stopped.cancel()
            if not taking.cancel() and not taking.cancelled():
                self._one.release()

    async def _proven(self, host: str, program: str, kind: Kind, stop: Stop) -> None:
        if (why := not_under(kind, host)) is not None:
            raise canary.NotProven(
                why,
                tried=True,
                where=host,
                remedy=f"Install bubblewrap and say `sandbox.kind: bubblewrap`, or use `{providers.bare(host)}` without `acp:`.",
            )
        await asyncio.to_thread(canary.prune, self.runs)
        with tempfile.TemporaryDirectory(prefix="agent-connector-") as home:
            version = await _whole(
                asyncio.to_thread(canary.version_of, program, home, self.variables, stop.event), stop
            )
        proof = canary.key(host, program, version, sandbox=kind.NAME, config=self._told(host))
        folder = os.path.join(self.runs, f"{canary.FOLDER}{secrets.token_hex(6)}")
        loop = asyncio.get_running_loop()

        @contextmanager
        def enter(model: str, armed: Armed, ground: canary.Ground) -> Generator[canary.Entered]:
            """The walls of a run, from the thread that the canary is run in."""
            name = os.path.basename(folder)

            def wait(coroutine: Coroutine[Any, Any, T]) -> T:
                return asyncio.run_coroutine_threadsafe(coroutine, loop).result(WAIT)

            port = walls.needs_port(kind)
            door = wait(self.egress.open(name, network="model", on_line=self.say, loopback=port))
            try:
                url = self.egress.add(name, model, "stand-in", "authorization")
                policy = walls.policy(program, ground.workspace, ground.place, armed, door, "model", self.variables)
                variables = walls.environment(ground.place, kind, armed, door, self.variables, {})
                start = starter(kind, policy, talks=providers.is_acp(host))
                yield canary.Entered(url, variables, start, door.token)
            finally:
                wait(self.egress.close(name))

        self.say(f"{host} {version.splitlines()[0] if version else ''}: seeing whether it denies what it must")
        proofs = canary.Proofs(self.runs)
        verdict = await _whole(canary.proven(host, program, enter, folder, proofs, proof, stop=stop.event), stop)
        if not verdict.allowed:
            raise canary.NotProven(
                verdict.reason,
                tried=verdict.rule != canary.UNTRIED,
                where=host,
                remedy="Use another adapter. `guard.allowUnguarded: true` would run it without a guard, at your own risk.",
            )

    def _told(self, host: str) -> str:
        """What of the configuration, and of how the host is armed, another proof is needed for."""
        config = self.config
        told: list[Any] = [asdict(config.guard), asdict(config.sandbox), config.inherit_home]
        bare = providers.bare(host)
        told += [WAYS.get(bare), SWITCHES.get(bare), WINNING.get(bare)]
        if providers.is_acp(host):
            talk = TALKS.get(bare)
            told.append(talk and [talk.by, talk.words, dict(talk.files)])
        return json.dumps(told, sort_keys=True)


def not_under(kind: Kind, host: str) -> str | None:
    """Why this host cannot be run in that sandbox, which is known before it is tried; None where nothing is known of that."""
    talk = TALKS.get(providers.bare(host)) if providers.is_acp(host) else None
    if talk is None or not talk.landlock or kind.NAME != landlock.NAME:
        return None
    return f"{host} cannot be run under Landlock, the sandbox of this machine: {talk.landlock}"


def _can_be(host: str) -> bool:
    """Guarded, if it can be tried."""
    return providers.bare(host) in (TALKS if providers.is_acp(host) else WAYS)


async def _whole(work: Coroutine[Any, Any, T], stop: Stop) -> T:
    """Its result. Cancelling this stops it first: nothing of a proof is left running."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop.set("shutdown")
        await asyncio.wait([task])
        raise
