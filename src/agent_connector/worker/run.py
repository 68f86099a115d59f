"""One run of a task, from the assignment to the result: route, place, shut in, guard, drive, collect, judge.

The loop takes tasks and writes back; what happens in between is here, and nothing here speaks with the board.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from agent_connector.drive import acp
from agent_connector.drive import home as fresh
from agent_connector.drive import run as driving
from agent_connector.drive.events import Job, Started
from agent_connector.drive.outcome import Outcome
from agent_connector.errors import AgentConnectorError, GuardError, WorkerError
from agent_connector.hosts.contract import Headless
from agent_connector.worker import (
    bundle,
    framing,
    inherit,
    model_access,
    private_home,
    providers,
    router,
    upstream_words,
    verdict,
    walls,
    workspace,
)
from agent_connector.worker.config import Config
from agent_connector.worker.egress.door import Door
from agent_connector.worker.egress.proxy import Egress
from agent_connector.worker.guard.arm import Armed, unlocked
from agent_connector.worker.meter import Meter
from agent_connector.worker.model_access import Access
from agent_connector.worker.private_home import Place
from agent_connector.worker.reported import line, reported
from agent_connector.worker.router import Route
from agent_connector.worker.sandbox.launch import starter
from agent_connector.worker.sandbox.policy import Kind, Policy
from agent_connector.worker.values import Assignment, Emit, Escalation, Result, Session, Stop
from agent_connector.worker.verdict import Denied, Verdict
from agent_connector.worker.workspace import Changes, Workspace

BUNDLE = "bundle.json"  # the note of the bundle's files, beside the run's folders
LASTING = ("awaiting_human", "cancelled")  # such a task may be taken up again: its home is kept


@dataclass(frozen=True, slots=True)
class Scene:
    """One run's surroundings: everything of it that stays the same from model to model."""

    facet: Headless
    program: str
    route: Route
    access: Access
    place: Place
    work: Workspace
    door: Door
    url: str | None
    armed: Armed
    policy: Policy
    variables: Mapping[str, str]


Arming = Callable[[str, Place, Workspace, Callable[[Denied], None]], AbstractAsyncContextManager[Armed]]
Proving = Callable[
    [str, str, Kind, Stop], Awaitable[None]
]  # (host, program, sandbox): GuardError when it does not deny
Checking = Callable[[Armed, Place], None]  # GuardError when the guard is no longer as it was armed


@dataclass(frozen=True, slots=True)
class Shop:
    """What all runs of a worker share. `home` is the person's, `runs` holds the folders of the tasks."""

    config: Config
    variables: Mapping[str, str]
    home: str
    runs: str
    egress: Egress
    kind: Kind
    facets: Mapping[str, Headless]
    programs: Mapping[str, str]
    arm: Arming
    prove: Proving
    check: Checking


@dataclass(slots=True)
class Seen:
    """What is heard of a run while it runs. `meter` is there once its host was started."""

    denied: list[Denied] = field(default_factory=list[Denied])
    egress: list[str] = field(default_factory=list[str])
    routing: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    meter: Meter | None = None


async def carry_out(shop: Shop, given: Assignment, emit: Emit, stop: Stop) -> Result:
    """Do the task. What goes wrong is in the result; one that is "cancelled" without a reason to stop could not begin."""
    try:
        route = router.route(given.task, given.roles, shop.config, shop.programs)
    except WorkerError as error:
        own = error.where == "role"  # the task's own fault; else this machine's
        return Result("failed" if own else "cancelled", "", str(error), started=False)
    for note in route.notes:
        emit("status", "worker", {"text": note})
    try:
        await shop.prove(route.host_id, shop.programs[route.host_id], shop.kind, stop)
    except (AgentConnectorError, OSError) as error:
        return Result("cancelled", "", str(error), host=route.host_id, started=False)
    if stop.event.is_set():
        return Result("cancelled", "", f"stopped: {stop.reason}", host=route.host_id, started=False)
    return await _begun(shop, given, route, emit, stop)


async def _begun(shop: Shop, given: Assignment, route: Route, emit: Emit, stop: Stop) -> Result:
    seen = Seen()
    try:
        async with _scene(shop, given, route, seen, emit) as scene:
            outcome, meter, model = await _tried(shop, given, scene, seen, emit, stop)
            stopped = stop.reason  # what comes later has nothing to stop
            changes = await asyncio.to_thread(workspace.collect, scene.work)
    except Exception as error:  # noqa: BLE001 - the top of a run: whatever it was, what was spent is told
        return _fault(route, seen, error)
    found = verdict.of(outcome, seen.denied, shop.config.hitl, stopped)
    found = upstream_words.of_verdict(found, upstream_words.named(scene.url, scene.access.base))
    await asyncio.to_thread(_tidy, scene, changes, found)
    for note in changes.notes:
        emit("status", "worker", {"text": note})
    return _result(scene, outcome, found, changes, meter, model, seen)


def _fault(route: Route, seen: Seen, error: Exception) -> Result:
    """A run that an error ended: a guard that cannot stand is a person's matter, all else failed, or never began."""
    ours = isinstance(error, AgentConnectorError | OSError)
    why = str(error) if ours else f"a fault of agent-connector itself: {type(error).__name__}: {error}"
    if isinstance(error, GuardError):
        status, escalation = "awaiting_human", Escalation("guard", why)
    else:
        status, escalation = ("failed" if seen.meter or not ours else "cancelled"), None
    return Result(
        status,
        "",
        why,
        escalation,
        host=route.host_id,
        provider=route.provider,
        usage=seen.meter.usage if seen.meter else None,
        cost_usd=seen.meter.cost_usd if seen.meter else None,
        cost_source=(seen.meter.source or "reserve") if seen.meter else None,
        routing=tuple(seen.routing),
        started=seen.meter is not None,
    )


@asynccontextmanager
async def _scene(shop: Shop, given: Assignment, route: Route, seen: Seen, emit: Emit) -> AsyncGenerator[Scene]:
    """A place to work, a way out, a guard and walls; the way out is closed at the end."""
    facet, program, config = shop.facets[route.host_id], shop.programs[route.host_id], shop.config
    access = model_access.access(route.host_id, facet, shop.variables, shop.home)
    if access.base is None and config.sandbox.network == "model":
        raise WorkerError(
            f"{route.host_id} reaches its model at its maker's own addresses, and `sandbox.network: model` lets it reach none",
            where="sandbox.network",
            remedy="Use `hosts` and list them in `allowHosts`, or another adapter.",
        )
    place = await asyncio.to_thread(private_home.place, shop.runs, given.task.id)
    work = await asyncio.to_thread(_prepared, config, place, given)

    def on_line(text: str) -> None:
        seen.egress.append(text)
        emit("line", "worker", {"text": text})

    def on_denial(denied: Denied) -> None:
        seen.denied.append(denied)
        emit(
            "noticed",
            "worker",
            {"kind": "denied", "rule": denied.rule, "text": denied.reason, "command": denied.command},
        )

    name = os.path.basename(place.folder)
    network = config.sandbox.network
    door = await shop.egress.open(
        name,
        network=network,
        hosts=config.sandbox.allow_hosts,
        on_line=on_line,
        loopback=walls.needs_port(shop.kind),
    )
    try:
        door.on_trouble = lambda text: emit("status", "worker", {"text": text})
        url = shop.egress.add(name, access.base, access.key, access.header) if access.base else None
        login = private_home.login(shop.home, access.login)
        own = (
            await asyncio.to_thread(inherit.texts, providers.bare(route.host_id), facet, shop.home)
            if config.inherit_home
            else {}
        )
        await asyncio.to_thread(private_home.furnish, place, {}, {**own, **login})
        async with shop.arm(route.host_id, place, work, on_denial) as armed:
            policy = walls.policy(program, work.path, place, armed, door, network, shop.variables)
            key = {facet.KEYS[0]: access.key} if access.key and url is None and facet.KEYS else {}
            variables = walls.environment(place, shop.kind, armed, door, shop.variables, key)
            yield Scene(facet, program, route, access, place, work, door, url, armed, policy, variables)
    finally:
        await shop.egress.close(name)


def _prepared(config: Config, place: Place, given: Assignment) -> Workspace:
    """The folder to work in, with what the board serves in it."""
    work = workspace.prepare(config.sandbox_dir, place.folder, given.task.id)
    if given.bundle is not None:
        folder = place.folder if work.is_git else os.path.dirname(place.folder)  # a shared folder has one note for all
        written = bundle.write(given.bundle, work.path, os.path.join(folder, BUNDLE))
        workspace.hide(work, written.served)
    return work


async def _tried(
    shop: Shop, given: Assignment, scene: Scene, seen: Seen, emit: Emit, stop: Stop
) -> tuple[Outcome, Meter, str | None]:
    """The models in order, until a run was no failure of the infrastructure; each goes on with the session before it."""
    session = given.session if given.session and given.session.host_id == scene.route.host_id else None
    meter = seen.meter = Meter(given.budget_usd, scene.facet, stop)
    for number, model in enumerate(scene.route.candidates):
        outcome = await _once(shop, given, scene, session, model, meter, emit, stop)
        if session is not None and _nothing_came(outcome) and not stop.event.is_set():
            emit("status", "worker", {"text": f"the session {session.id} cannot be gone on with; a new one begins"})
            session = None
            outcome = await _once(shop, given, scene, session, model, meter, emit, stop)
        failure = verdict.infrastructure(outcome, seen.egress)
        if failure is not None:
            failure = upstream_words.named(scene.url, scene.access.base)(failure)
        seen.routing.append(_tried_words(scene, model, outcome, failure))
        last = number + 1 == len(scene.route.candidates)
        if failure is None or last or stop.event.is_set():
            return outcome, meter, model
        emit("status", "worker", {"text": f"{model or scene.route.host_id}: {failure}; the next model goes on"})
        session = Session(scene.route.host_id, outcome.session, outcome.session_usage) if outcome.session else session
    raise AssertionError("a route has at least one candidate")


async def _once(
    shop: Shop,
    given: Assignment,
    scene: Scene,
    session: Session | None,
    model: str | None,
    meter: Meter,
    emit: Emit,
    stop: Stop,
) -> Outcome:
    """One start of the host; afterwards the guard is still as it was armed, or GuardError."""
    job = _job(shop, given, scene, session, model, meter.left)
    if scene.url is not None:
        texts = fresh.files(scene.facet, scene.url, model, scene.door.token)
        texts = unlocked(texts, scene.place.home, scene.armed.locked)
        await asyncio.to_thread(private_home.furnish, scene.place, texts, {})

    def on_start(event: Started) -> None:
        used = session.used if session is not None and session.id == event.session else None
        given.began(Session(scene.route.host_id, event.session, used))

    whose = f"{scene.route.host_id} with {model or 'a model of its own choice'}"
    emit("status", "worker", {"text": f"the run begins: {whose}" + (f" at {scene.access.base}" if scene.url else "")})
    outcome = await _driven(shop, scene, job, meter, emit, stop, on_start)
    await asyncio.to_thread(shop.check, scene.armed, scene.place)
    return outcome


def _nothing_came(outcome: Outcome) -> bool:
    """The host ended at once, as it does when a session is gone."""
    silent = not (outcome.said or outcome.called)
    return outcome.why == "exited" and not outcome.ok and silent and not (outcome.usage and outcome.usage.output)


def _job(shop: Shop, given: Assignment, scene: Scene, session: Session | None, model: str | None, budget: float) -> Job:
    markers = shop.config.hitl.adapter_human_markers
    return Job(
        prompt=framing.frame(
            given.task,
            scene.route.role,
            given.answer,
            nonce=framing.new_nonce(),
            asking=markers[0] if markers else framing.ASKING,
        ),
        cwd=scene.work.path,
        program=scene.program,
        model=model,
        resume=session.id if session else None,
        endpoint=scene.url,
        api_key=scene.door.token,
        approvals="default" if scene.armed.permit else "all",  # what is asked for over ACP is answered there
        trust=True,
        system=framing.system_text(scene.route.role, given.bundle) or None,
        budget_usd=budget,
        spent=session.used if session else None,
        extra=scene.armed.argv,
    )


async def _driven(
    shop: Shop, scene: Scene, job: Job, meter: Meter, emit: Emit, stop: Stop, on_start: Callable[[Started], None]
) -> Outcome:
    """The host, in its sandbox, to its end. Cancelling this stops it first: nothing of a run is left behind."""

    def on_event(event: Any) -> None:
        meter.hear(event, job.model)
        if isinstance(event, Started) and event.session:
            on_start(event)
        emit(*reported(event))

    def on_line(channel: str, text: str) -> None:
        emit(*line(channel, text))

    config, talks = shop.config, providers.is_acp(scene.route.host_id)
    run = partial(
        partial(acp.run, permit=scene.armed.permit) if talks else driving.run,
        scene.facet,
        job,
        scene.variables,
        seconds=config.run_timeout_ms / 1000,
        stall=config.stall_timeout_ms / 1000,
        start=starter(shop.kind, scene.policy, talks=talks),
        stop=stop.event,
        grace=config.kill_grace_ms / 1000,
        on_event=on_event,
        on_line=on_line,
    )
    work = asyncio.create_task(asyncio.to_thread(run))
    try:
        outcome = await asyncio.shield(work)
    except asyncio.CancelledError:
        stop.set("shutdown")
        await asyncio.wait([work])
        raise
    meter.settle(outcome, job.model)
    return outcome


def _tried_words(scene: Scene, model: str | None, outcome: Outcome, failure: str | None) -> Mapping[str, Any]:
    told = {
        "host": scene.route.host_id,
        "model": model,
        "ended": outcome.why,
        "exitCode": outcome.exit_code,
        "seconds": round(outcome.seconds, 1),
        "failure": failure,
    }
    return {name: value for name, value in told.items() if value is not None}


def _tidy(scene: Scene, changes: Changes, found: Verdict) -> None:
    """What a later run does not need goes; what could not be taken into sandboxDir stays."""
    if not (changes.fetched and changes.clean):
        return
    over = found.status not in LASTING and not found.risky  # of risky words a person may be asked
    if workspace.remove(scene.work) and over:
        private_home.remove(scene.place)


def _result(
    scene: Scene, outcome: Outcome, found: Verdict, changes: Changes, meter: Meter, model: str | None, seen: Seen
) -> Result:
    session = outcome.session
    told = outcome.started.model if outcome.started and outcome.started.model else model
    return Result(
        status=found.status,
        summary=found.summary,
        reason=found.reason,
        escalation=found.escalation,
        host=scene.route.host_id,
        provider=scene.route.provider or scene.facet.PROVIDERS[0],
        model=told,
        usage=meter.usage,
        cost_usd=meter.cost_usd,
        cost_source=meter.source,
        session=Session(scene.route.host_id, session, outcome.session_usage) if session else None,
        branch=changes.branch,
        diff_stat=changes.diff_stat,
        exit_code=outcome.exit_code,
        routing=tuple(seen.routing),
        risky=found.risky,
    )
