"""Who does the runs of one worker: the hosts that are here, behind one proxy, in the sandbox that works, under the guard."""

import json
import os
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from agent_connector.errors import WorkerError
from agent_connector.hosts.machine import here
from agent_connector.worker import model_access, private_home, providers
from agent_connector.worker.config import Config
from agent_connector.worker.daemon import Crew
from agent_connector.worker.egress.proxy import Egress
from agent_connector.worker.guarding import Guarding, not_under
from agent_connector.worker.run import Shop, carry_out
from agent_connector.worker.sandbox import choose
from agent_connector.worker.sandbox.policy import Kind
from agent_connector.worker.values import Assignment, Emit, Result, Stop

_TOKEN = 16  # characters; what is shorter opens nothing
_NAMES = re.compile(r"(?:[a-z]+:)?//|/|[A-Za-z]:[\\/]")  # a folder or an address: hiding it would hide what was done
_LINE = re.compile(r"""(?i)(?:key|token|secret|password)["']?\s*[:=]\s*["']?([^\s"']{16,})""")


def logins(variables: Mapping[str, str], home: str) -> frozenset[str]:
    """What the files hold that are the login of a host that is here and has no key: a run gets them, nobody sees them."""
    found = set[str]()
    for host in providers.available(here()):
        try:
            access = model_access.access(host, providers.facets()[host], variables, home)
        except WorkerError:
            continue
        for name in access.login:
            with (
                suppress(OSError),
                open(os.path.join(home, *name.split("/")), encoding="utf-8", errors="replace") as file,
            ):
                found.update(_tokens(file.read()))  # what cannot be read, no run gets
    return frozenset(found)


def _tokens(text: str) -> Iterator[str]:
    try:
        return _strings(json.loads(text))
    except (ValueError, RecursionError):  # YAML, a file of variables
        return (match[1] for match in _LINE.finditer(text))


def _strings(value: object) -> Iterator[str]:
    """The long strings of a value of JSON that are not the name of something."""
    todo: list[Any] = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            held = cast("dict[str, Any]", one)
            todo += [inner for key, inner in held.items() if "model" not in key.casefold()]
        elif isinstance(one, list):
            todo += cast("list[Any]", one)
        elif isinstance(one, str) and len(one) >= _TOKEN and not _NAMES.match(one):
            yield one


def can_reach_a_model(
    adapter: str, programs: Iterable[str], variables: Mapping[str, str], home: str, say: Callable[[str], None]
) -> None:
    """WorkerError where neither the configured host nor another that is here has a key or a login."""
    try:
        model_access.access(adapter, providers.facets()[adapter], variables, home)
    except WorkerError as error:
        others = [host for host in programs if model_access.reaches(host, variables, home)]
        if not others:
            raise
        say(f"{error.what}; only these have one, for roles that name them: {', '.join(others)}")


def described(programs: Iterable[str], kind: Kind, variables: Mapping[str, str], home: str) -> list[str]:
    """A line of the hosts that can work here, and one for each reason for which others that are here cannot."""
    usable, keyless, others = list[str](), list[str](), list[str]()
    for host in programs:
        why = not_under(kind, host)
        if why is not None:
            others.append(why)
        elif model_access.reaches(host, variables, home):
            usable.append(host)
        else:
            keyless.append(host)
    lines = [f"hosts: {', '.join(usable) or 'none'}"]
    if keyless:
        lines.append(f"here, but without a key or a login: {', '.join(keyless)}")
    return [*lines, *others]


@asynccontextmanager
async def hire(
    config: Config, variables: Mapping[str, str], home: str, say: Callable[[str], None]
) -> AsyncGenerator[Crew]:
    """The runner, until the end of the block.

    SandboxError when no run could be shut in, WorkerError when no host is here or none of them reaches a model.
    """
    kind = choose.choose(config.sandbox.kind)
    programs = providers.available(here())
    if not programs:
        raise WorkerError(
            "no host that a worker could use is on this machine", remedy="Install one, such as Claude Code."
        )
    can_reach_a_model(config.adapter, programs, variables, home, say)
    walls = f"sandbox: {kind.NAME}, network: {config.sandbox.network}"
    if kind.NAME == "none":
        walls = (
            "NO sandbox, as `sandbox.kind: none` says: agents can read and write whatever you can, and reach every host"
        )
    usable, *others = described(programs, kind, variables, home)
    say(f"{walls}; {usable}")
    for line in others:
        say(line)
    runs = private_home.runs_folder(variables, home)
    async with Egress() as egress:
        guarding = Guarding(config, variables, home, runs, egress, say)
        guard = (guarding.arm, guarding.prove, guarding.check)
        shop = Shop(config, variables, home, runs, egress, kind, providers.facets(), programs, *guard)

        async def runner(given: Assignment, emit: Emit, stop: Stop) -> Result:
            return await carry_out(shop, given, emit, stop)

        yield Crew(runner, tuple(programs), runs)
