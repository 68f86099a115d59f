"""A rehearsal: the person's own host program, a scratch home with the connector in it, and a stand-in for the model."""

import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Literal

from agent_connector.connector.load import Loaded
from agent_connector.drive import home as homes
from agent_connector.drive import run as driving
from agent_connector.drive.events import Job
from agent_connector.drive.run import Outcome
from agent_connector.errors import RehearseError
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.hosts.contract import Headless
from agent_connector.rehearse import checks, listing, sample
from agent_connector.rehearse.effects import Scene
from agent_connector.rehearse.evidence import ServerSeen, hooks_seen, server_seen
from agent_connector.rehearse.findings import Finding, Rehearsal
from agent_connector.rehearse.install import Installed, dummies, install, rows
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import Script
from agent_connector.rehearse.stage import Stage, stage_of
from agent_connector.telemetry import tokenizer

LIMIT = 120.0  # seconds for the host
LINGER = 20.0  # seconds for the measuring process, which has the lowest priority, to write its last rows
Approve = Literal["server", "all", "nothing"]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be rehearsed. `variables` is the environment of the person, `added` what they chose to hand over."""

    loaded: Loaded
    host: str
    script: Script | None  # None: one is written for the tools of the server
    variables: Mapping[str, str]
    added: Mapping[str, str] = field(default_factory=dict[str, str])
    scope: str = "user"
    approve: Approve = "server"
    model: str | None = None  # the model that the host is to ask for
    trust: bool = False  # True: install with --trust, and let only that count
    seconds: float = LIMIT
    linger: float = LINGER
    keep: bool = False
    extra: tuple[str, ...] = ()  # further arguments for the host


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything a rehearsal can be judged by."""

    place: Scratch
    installed: Installed
    stand_in: StandIn
    outcome: Outcome
    server: ServerSeen


def rehearse(request: Request) -> Rehearsal:
    """Install, run, look, remove. Raises RehearseError or HostError when the host cannot be run at all."""
    headless = _headless(request.host)
    program = find_program(request.host, headless.PROGRAM, request.variables)
    stage = stage_of(headless)
    name = request.loaded.model.server_name
    made_up = dummies(request.loaded.model.server, request.added)
    with scratch(request.variables, {**made_up, **request.added}, keep=request.keep) as place, ExitStack() as stack:
        script = request.script or sample.script(listing.tools(request.loaded.model.server, place.environment))
        names = tool_names(request.host, stage)
        stand_in = stack.enter_context(StandIn(script, name, names, stage.searched, stage.routed))
        furnish(place, stage, stand_in.url, request.model)
        installed = install(request.loaded, request.host, request.scope, place, trust=request.trust)
        job = job_for(request, script, program, place, stage, stand_in.url)
        outcome = driving.run(
            headless, job, place.environment, seconds=request.seconds, linger=request.linger, marks=place.marks
        )
        seen = Seen(place, installed, stand_in, outcome, server_seen(place.records))
        return report(request, program, seen, job.api_key, tuple(made_up))


def _headless(host: str) -> Headless:
    facet = query.headless(host)
    if facet is None:
        raise RehearseError(f"{host} cannot be run without a person", remedy="Use `agent-connector simulate` instead.")
    return facet


def tool_names(host: str, stage: Stage) -> dict[str, tuple[str, ...]]:
    """Canonical name of a host's own tool -> the names that it may have at the model."""
    hooks = query.hooks(host)
    names = {canonical: tuple(more) for canonical, more in stage.tools.items()}
    for name, canonical in hooks.TOOLS.items() if hooks else ():
        names[canonical] = (*names.get(canonical, ()), name)
    return names


def find_program(host: str, name: str, variables: Mapping[str, str]) -> str:
    """The host's program on the person's PATH."""
    found = shutil.which(name, path=variables.get("PATH"))
    if found is None:
        raise RehearseError(
            f"there is no program {name!r} on the PATH", where=host, remedy=f"Install {query.facts(host).NAME} first."
        )
    return os.path.abspath(found)


def furnish(place: Scratch, stage: Stage, url: str, model: str | None = None) -> None:
    """Put down the files of a home that was used before."""
    homes.furnish(place.home, homes.filled(stage.files, url, model))


def job_for(request: Request, script: Script, program: str, place: Scratch, stage: Stage, url: str) -> Job:
    """The run as the host's facet is to be told of it. Trust is given: what that means in real life is in the steps."""
    one = request.approve == "server"
    return Job(
        prompt=script.prompt,
        cwd=place.project,
        program=program,
        model=request.model,
        endpoint=url,
        approvals="all" if request.approve == "all" or (one and not stage.approves_servers) else "default",
        approved_servers=(request.loaded.model.server_name,) if one and stage.approves_servers else (),
        trust=not request.trust,
        extra=request.extra,
    )


def report(request: Request, program: str, seen: Seen, key: str, made_up: tuple[str, ...]) -> Rehearsal:
    """All checks over what was seen."""
    return Rehearsal(
        host=request.host,
        program=program,
        connector=request.loaded.model.id,
        findings=tuple(findings(request, seen, key)),
        seconds=seen.outcome.seconds,
        requests=len(seen.stand_in.requests),
        steps=seen.installed.steps,
        notes=seen.installed.notes,
        made_up=made_up,
        kept=seen.place.folder if request.keep else None,
    )


def findings(request: Request, seen: Seen, key: str) -> list[Finding]:
    model, facet = seen.installed.model, query.hooks(request.host)
    hooks = hooks_seen(seen.place.records, facet, sorted({model.server_name, model.id}))
    scene = Scene(model.server_name, seen.server, seen.stand_in.requests)
    found = [*seen.installed.findings, *checks.run_ended(seen.outcome, request.seconds, checks.refused(facet, hooks))]
    if "server" in seen.installed.surfaces:
        found += checks.server(seen.server)
        found += checks.calls(seen.stand_in.actor, seen.server, checks.decided(facet, hooks))
    if {"hooks", "native_hooks"} & set(seen.installed.surfaces):
        found += checks.hooks_fired(model, request.host, facet, hooks)
        found += checks.honoured(scene, facet, hooks)
    found += checks.content_seen(model, seen.installed.surfaces, seen.stand_in.requests)
    if "server" in seen.installed.surfaces:
        root = paths.data_root(seen.place.environment, seen.place.home)
        found += checks.tokens(rows(root), seen.server, tokenizer.load())
    return [*found, *checks.keys(seen.stand_in.requests, key)]
