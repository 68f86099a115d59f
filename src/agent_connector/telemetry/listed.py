"""What a server tells of itself: every tool's definition and its instructions, by the official client library.

The library is imported here and late: it takes seconds.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from agent_connector.errors import TelemetryError
from agent_connector.home import progress

LIMIT = 60.0  # seconds
_PAGES = 1000
_SAID = 4096  # bytes of what the server complains with, the last ones
_TAKE = 1 << 16


@dataclass(frozen=True, slots=True)
class Listed:
    """Definitions as `tools/list` gives them, all pages; the server's instructions, "" for none."""

    tools: Sequence[Mapping[str, Any]]
    instructions: str


class _Stderr:
    """What a server writes to its stderr: the end of it. Some write without end, so it stays in no file."""

    def __init__(self, reading: int) -> None:
        self.reading = reading
        self.last = b""
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while data := os.read(self.reading, _TAKE):
            self.last = (self.last + data)[-_SAID:]
        os.close(self.reading)

    def line(self) -> str:
        """The last line."""
        self.thread.join(1.0)  # what the server started may still hold the other end
        said = [line.strip() for line in self.last.decode(errors="replace").splitlines() if line.strip()]
        return said[-1][:200] if said else ""


@contextmanager
def _stderr() -> Generator[tuple[_Stderr, Any]]:
    reading, writing = os.pipe()
    with open(writing, "w", encoding="utf-8") as end:
        yield _Stderr(reading), end


def ask(command: Sequence[str], variables: Mapping[str, str], limit: float = LIMIT) -> Listed:
    """Start the server, ask it and end it. Raises TelemetryError with the last line that it complained with."""
    with _stderr() as (stderr, end):
        try:
            with progress.during(f"asking {command[0]} for its tools"):
                return asyncio.run(asyncio.wait_for(_ask(command, variables, end), limit))
        except TimeoutError:
            why = f"no answer within {limit:g} s"
        except FileNotFoundError:
            why = "there is no such program"
        except Exception as error:  # noqa: BLE001  # whatever a server, or the library on it, comes up with
            why = _innermost(error)
    raise _failed(command, why, stderr.line())


async def _ask(command: Sequence[str], variables: Mapping[str, str], stderr: Any) -> Listed:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    logging.getLogger().addHandler(logging.NullHandler())  # else a line that is no message prints a traceback
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]), env=dict(variables))
    async with Client(stdio_client(parameters, errlog=stderr)) as client:
        tools: list[Mapping[str, Any]] = []
        cursor: str | None = None
        met = set[str]()
        while True:
            page = await client.list_tools(cursor=cursor)
            tools += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                return Listed(tools, client.instructions or "")
            if cursor in met or len(met) == _PAGES:
                raise TelemetryError(f"its list of tools has no end: the page {cursor[:40]!r} comes again")
            met.add(cursor)


def _failed(command: Sequence[str], why: str, said: str) -> TelemetryError:
    return TelemetryError(
        f"the server does not tell its tools: {why}" + (f" ({said})" if said else ""),
        where=command[0],
        remedy="Run the same command in this folder and see what it says; what stands behind -- must start a server "
        "that speaks MCP on its standard input and output.",
    )


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error.what if isinstance(error, TelemetryError) else str(error) or type(error).__name__
