"""The agent's process and the ACP connection to it: requests out, updates and questions in.

Messages are built by the official SDK's schema and read leniently (`acp_updates`). The process gets no signal of the
terminal: Ctrl-C belongs to the person's session, not to the agent.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from acp import PROTOCOL_VERSION, RequestError
from acp.connection import Connection
from acp.meta import AGENT_METHODS, CLIENT_METHODS
from acp.schema import (
    ClientCapabilities,
    Implementation,
    InitializeRequest,
    McpServerStdio,
    NewSessionRequest,
    PromptRequest,
    TextContentBlock,
)
from pydantic import BaseModel

from agent_connector.byoa.sessions.acp_updates import Object, table
from agent_connector.errors import HostError
from agent_connector.version import __version__

START_WITHIN = 90.0  # some need twenty seconds to load themselves, more on a busy machine
SETTLE_WITHIN = 20.0
CHUNK = 1 << 20
GRACE = 2.0
LOOK_EVERY = 0.1
TAIL = 20  # lines of its errors that are kept to be shown
SET_MODEL = "session/set_model"  # in use, and not in the SDK's schema

Heard = Callable[[Object], None]
Asked = Callable[[Object], Awaitable[str | None]]


class AgentError(Exception):
    """The agent refused a request, or is gone; the text is for the person."""


class Agent:
    """`heard` gets every `session/update`; `asked` answers permission requests with an option's id, or None."""

    def __init__(self, name: str, heard: Heard, asked: Asked) -> None:
        self.name = name
        self.version = ""
        self.errors: deque[str] = deque(maxlen=TAIL)
        self._heard = heard
        self._asked = asked
        self._process: asyncio.subprocess.Process | None = None
        self._connection: Connection | None = None
        self._reading: asyncio.Task[None] | None = None

    async def start(self, argv: Sequence[str], cwd: str, environment: Mapping[str, str]) -> None:
        """Start the program and shake hands; raises HostError with the end of what it complained about."""
        self._process = process = await _spawn(argv, cwd, environment)
        if process.stdin is None or process.stdout is None:
            raise HostError(f"{argv[0]!r} has no pipes")
        self._reading = asyncio.create_task(self._read_errors(process))
        self._connection = Connection(self._handle, process.stdin, process.stdout)
        hello = InitializeRequest(
            protocol_version=PROTOCOL_VERSION,
            client_capabilities=ClientCapabilities(),
            client_info=Implementation(name="agent-connector", title="agent-connector", version=__version__),
        )
        try:
            async with asyncio.timeout(START_WITHIN):
                answer = await self._request(AGENT_METHODS["initialize"], hello)
        except TimeoutError:
            await self.close()
            raise HostError(self._complaint(f"{self.name} did not answer in {START_WITHIN:.0f} s")) from None
        except AgentError as error:
            await self.close()
            raise HostError(self._complaint(str(error))) from None
        self.version = str(table(answer.get("agentInfo")).get("version") or "")

    async def gone(self) -> int:
        """Wait until the process is over; gives its exit code."""
        return 0 if self._process is None else await _over(self._process)

    async def open(self, cwd: str, servers: Sequence[McpServerStdio]) -> dict[str, Any]:
        """A new conversation: the answer to `session/new` as it came."""
        return await self._request(AGENT_METHODS["session_new"], NewSessionRequest(cwd=cwd, mcp_servers=list(servers)))

    async def prompt(self, session: str, text: str) -> str:
        """Hand over a prompt, as one structured block; gives the stop reason when the turn is over."""
        request = PromptRequest(session_id=session, prompt=[TextContentBlock(type="text", text=text)])
        answer = await self._request(AGENT_METHODS["session_prompt"], request)
        return str(answer.get("stopReason") or "")

    async def cancel(self, session: str) -> None:
        with suppress(ConnectionError, OSError):
            if self._connection is not None:
                await self._connection.send_notification(AGENT_METHODS["session_cancel"], {"sessionId": session})

    async def choose(self, session: str, option: str, value: str) -> dict[str, Any]:
        body = {"sessionId": session, "configId": option, "value": value}
        return await self._settle(AGENT_METHODS["session_set_config_option"], body)

    async def choose_model(self, session: str, model: str) -> None:
        await self._settle(SET_MODEL, {"sessionId": session, "modelId": model})

    async def choose_mode(self, session: str, mode: str) -> None:
        await self._settle(AGENT_METHODS["session_set_mode"], {"sessionId": session, "modeId": mode})

    async def close(self) -> None:
        """End the process and all that it started."""
        if self._connection is not None:
            await self._connection.close()
        if self._process is not None:
            await _end(self._process)
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _settle(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(SETTLE_WITHIN):
                return await self._request(method, params)
        except TimeoutError:
            raise AgentError(f"{self.name} did not answer in {SETTLE_WITHIN:.0f} s") from None

    async def _request(self, method: str, params: BaseModel | Mapping[str, Any]) -> dict[str, Any]:
        if self._connection is None:
            raise AgentError(f"{self.name} is not running")
        body = (
            params.model_dump(mode="json", by_alias=True, exclude_none=True)
            if isinstance(params, BaseModel)
            else params
        )
        try:
            return table(await self._connection.send_request(method, body))
        except RequestError as error:
            raise AgentError(f"{self.name} says: {error}{_detail(error.data)}") from None
        except (ConnectionError, OSError):
            raise AgentError(f"{self.name} has ended") from None

    async def _handle(self, method: str, params: Any, is_notification: bool) -> Any:
        """What the agent sends. Files and terminals are its own affair: it is offered none of ours."""
        if method == CLIENT_METHODS["session_update"]:
            self._heard(table(params))
            return None
        if method == CLIENT_METHODS["session_request_permission"]:
            chosen = await self._asked(table(params))
            return {"outcome": {"outcome": "selected", "optionId": chosen} if chosen else {"outcome": "cancelled"}}
        if is_notification:
            return None
        raise RequestError.method_not_found(method)

    async def _read_errors(self, process: asyncio.subprocess.Process) -> None:
        """A pipe that nobody reads would stop the agent; its last lines tell why it ended."""
        while process.stderr is not None and (line := await _line(process.stderr)):
            if said := line.decode("utf-8", "replace").strip():
                self.errors.append(said[:300])

    def _complaint(self, what: str) -> str:
        return "\n  ".join([what, *self.errors])


def _detail(data: object) -> str:
    """What an error carries beside its message, where that is a word."""
    found = table(data)
    return next((f" ({found[key]})" for key in ("details", "message") if isinstance(found.get(key), str)), "")


async def _line(stream: asyncio.StreamReader) -> bytes:
    """A line, or a piece of one that is longer than the buffer."""
    try:
        return await stream.readline()
    except ValueError:
        return await stream.read(CHUNK)


async def _spawn(argv: Sequence[str], cwd: str, environment: Mapping[str, str]) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    try:
        return await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            env=dict(environment),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            limit=CHUNK,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except FileNotFoundError:
        raise HostError(f"there is no program {argv[0]!r}", remedy="install the host, or put it on the PATH") from None
    except OSError as error:
        raise HostError(f"{argv[0]!r} cannot be started: {error}") from None


async def _over(process: asyncio.subprocess.Process) -> int:
    """Its exit code, as soon as it has one: `wait()` would wait for everything that holds its pipes."""
    while process.returncode is None:
        await asyncio.sleep(LOOK_EVERY)
    return process.returncode


async def _end(process: asyncio.subprocess.Process) -> None:
    """Close its input, then ask, then force: the program and the group it leads."""
    if process.stdin is not None:
        process.stdin.close()
    for step in (None, "SIGTERM", "SIGKILL"):
        if step is not None:
            _signal(process.pid, step)
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await _over(process)
                break
    if sys.platform != "win32":
        _signal(process.pid, "SIGKILL")  # what it left behind in its group
    with suppress(TimeoutError):
        async with asyncio.timeout(GRACE):
            await process.wait()


def _signal(pid: int, name: str) -> None:
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(pid)], check=False, capture_output=True)
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, getattr(signal, name))
