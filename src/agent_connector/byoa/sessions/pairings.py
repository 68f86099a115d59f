"""Pairing outside of a session: connect and disconnect for a host, and what its files under `~/.byoa` say.

Nothing registers from here: sessions of the host find the credential and join by themselves.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from agent_connector.byoa.core.effects import Say
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.core.ports import FilePort, HttpPort
from agent_connector.byoa.core.provenance import plain_name
from agent_connector.byoa.core.store import Store
from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
from agent_connector.byoa.protocol import Credential, ToolCache
from agent_connector.byoa.sessions import inert
from agent_connector.byoa.sessions.acp_host import AcpHost, speaking
from agent_connector.version import __version__

FOLDER = ".byoa"


@dataclass(frozen=True, slots=True)
class PairedApp:
    """An app that a host's file speaks of."""

    id: str
    name: str
    origin: str
    account: str
    newcomer: bool  # another origin had this id first
    shares: tuple[str, ...]
    tools: int | None  # in the cache; None: there is none
    cached: float | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class HostFiles:
    """What the files of one host say. `note` says why an app's turns do not start there, where they do not."""

    host: str
    apps: tuple[PairedApp, ...]
    problems: tuple[str, ...]
    note: str = ""


def root(home: str) -> str:
    """The folder that every pairer of the machine shares."""
    return os.path.join(home, FOLDER)


def hosts(files: FilePort) -> tuple[str, ...]:
    """Those that have a folder of credentials."""
    return tuple(sorted(files.list("credentials")))


def look(files: FilePort, host: str) -> HostFiles:
    """Reads the files alone; no app is asked."""
    store = Store(files, host)
    found = store.credentials()
    policy, problem = store.policy()
    apps = tuple(_app(store, each, policy.of(each.app.id, each.newcomer)) for each in found.found)
    problems = (*found.problems, *([problem] if problem else []))
    note = inert.refusal(host) if host in speaking() and inert.of(host) is None else ""
    return HostFiles(host, apps, problems, note)


def _app(store: Store, credential: Credential, shares: tuple[str, ...]) -> PairedApp:
    cache = store.tools(credential.origin)
    known = cache if isinstance(cache, ToolCache) else None
    return PairedApp(
        credential.app.id,
        plain_name(credential.app.name),
        str(credential.origin),
        plain_name(credential.account),
        credential.newcomer,
        shares,
        None if known is None else len(known.tools),
        None if known is None else known.time,
        cache if isinstance(cache, str) else "",
    )


async def connect(host: str, files: FilePort, http: HttpPort, address: str, heard: Callable[[Say], None]) -> bool:
    """Pair an app with `host`; `heard` gets what is said while it lasts. True: paired."""
    return await _do(host, files, http, lambda driver: driver.connect(address), heard)


async def disconnect(host: str, files: FilePort, http: HttpPort, which: str, heard: Callable[[Say], None]) -> bool:
    return await _do(host, files, http, lambda driver: driver.disconnect(which), heard)


async def _do(
    host: str,
    files: FilePort,
    http: HttpPort,
    act: Callable[[Driver], AsyncIterator[Say]],
    heard: Callable[[Say], None],
) -> bool:
    adapter = AcpHost(host, False, lambda band, toast: None)
    driver = Driver(Pairer(adapter, files, SystemClock(), SystemRandom(), version=__version__), adapter, http)
    running = asyncio.create_task(driver.run())
    try:
        await asyncio.sleep(0)  # the first tick reads the files
        ok = False
        async for say in act(driver):
            heard(say)
            ok = say.ok
        return ok
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
