"""Where the hooks of one run report what they denied: a unix socket in a folder of its own.

Whoever can reach the socket, the agent's own programs too, can only add denials: nothing that is heard here allows a
thing, and what is heard is bounded.
"""

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, cast

from agent_connector.errors import GuardError
from agent_connector.worker import sockets
from agent_connector.worker.guard.names import RULES
from agent_connector.worker.guard.values import Verdict

NAME = "denials"
LONGEST = 64 * 1024  # bytes of a report
MOST = 1_000  # reports of one run; more of them say nothing new
SECONDS = 30.0  # for one report

OnDenial = Callable[[Verdict, str, str], None]  # (verdict, tool, what a person is shown of the call)


class Denials:
    """`async with Denials(on_denial) as listener:` hears denials at `listener.path` until the end.

    Its folder holds nothing else, and is there as long as the block lasts.
    """

    path = ""

    def __init__(self, on_denial: OnDenial) -> None:
        self._on_denial = on_denial
        self._heard = 0
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        folder = ""
        try:
            folder = sockets.make_folder()
            self.path = os.path.join(folder, NAME)
            self._server = await asyncio.start_unix_server(self._hear, self.path, limit=LONGEST)
            os.chmod(self.path, 0o600)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise GuardError(f"the guard's socket cannot be made: {error.strerror or error}", where=self.path) from None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """What was sent before the end is heard."""
        self._server.close()
        if self._open:
            await asyncio.wait(self._open, timeout=1.0)
        left = tuple(self._open)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        shutil.rmtree(os.path.dirname(self.path), ignore_errors=True)

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self._open.add(task)
        try:
            async with asyncio.timeout(SECONDS):
                line = await reader.readline()
            self._tell(line)
        except (TimeoutError, ValueError, OSError):
            return  # too slow, too long, or gone: it reported nothing
        finally:
            self._open.discard(task)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _tell(self, line: bytes) -> None:
        if not line.strip() or self._heard >= MOST:
            return
        try:
            told: object = json.loads(line)
        except (ValueError, RecursionError):  # the latter: nested too deep, which anybody can write
            return
        if not isinstance(told, dict):
            return
        said = cast("dict[str, Any]", told)
        rule = str(said.get("rule", ""))
        self._heard += 1
        verdict = Verdict(False, rule if rule in RULES else "guard", str(said.get("reason", ""))[:2000])
        self._on_denial(verdict, str(said.get("tool", ""))[:200], str(said.get("command", ""))[:4000])
