"""The worker's egress proxy: one door for each run, all in the worker's event loop.

async with Egress() as egress:
    door = await egress.open("run-1", network="model", hosts=(), on_line=print, loopback=False)
    url = egress.add("run-1", "https://api.anthropic.com", key, "x-api-key")   # ANTHROPIC_BASE_URL of the run
    policy = Policy(..., network="model", socket=door.socket, port=door.port)  # and door.token is its ANTHROPIC_API_KEY
    await egress.close("run-1")
"""

import os
import shutil
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from agent_connector.errors import SandboxError
from agent_connector.worker import sockets
from agent_connector.worker.egress import allow, dial, upstream
from agent_connector.worker.egress.door import Door


class Egress:
    """`resolve` and `connect` are the system's; another pair is for tests, and for people with a resolver of their own."""

    def __init__(self, resolve: dial.Resolve = dial.resolve, connect: dial.Connect = dial.connect) -> None:
        self._resolve = resolve
        self._connect = connect
        self._doors: dict[str, Door] = {}
        self._folder = ""
        self._opened = 0

    async def __aenter__(self) -> Self:
        self._folder = sockets.make_folder()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for run in list(self._doors):
            await self.close(run)
        shutil.rmtree(self._folder, ignore_errors=True)

    async def open(
        self, run: str, *, network: str, hosts: Sequence[str] = (), on_line: Callable[[str], None], loopback: bool
    ) -> Door:
        """A way out for `run`. `hosts` count where `network` is "hosts"; `loopback` where a sandbox has no network of its own."""
        if run in self._doors:
            raise SandboxError(f"the run {run} has a way out already")
        allowed = allow.parse(hosts) if network == "hosts" else ()
        self._opened += 1
        door = Door(allowed, on_line, self._resolve, self._connect)
        self._doors[run] = door
        return await door.listen(os.path.join(self._folder, f"{self._opened}.sock"), loopback)

    def add(self, run: str, base: str, key: str | None, header: str) -> str:
        """Lead the run to this model, in place of the one before; the base URL as the run sees it.

        The key goes into `header` of each request and is never inside. None: the run's host has a login of its own.
        """
        return self._doors[run].lead(upstream.parse(base, key, header))

    async def close(self, run: str) -> None:
        """Nothing of the run gets out from now on."""
        door = self._doors.pop(run, None)
        if door is not None:
            await door.close()
