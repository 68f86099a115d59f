"""The worker's line to a board: its tools over MCP Streamable HTTP, through the official SDK.

A connection is opened by the first call, and again by the one after it was lost. Every call ends within its time, in an
answer or in BoardUnreachable, BoardRefused or BoardWrong. Arguments that a tool does not know are left out.
"""

import asyncio
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from agent_connector.board import client_answers as answers
from agent_connector.board import values
from agent_connector.board.client_http import LOOPBACK, SEEN, Seen, http_client
from agent_connector.board.client_line import Line
from agent_connector.board.values import Claim, Comment, Connected, Task
from agent_connector.errors import BoardRefused, BoardUnreachable, BoardWrong

if TYPE_CHECKING:
    import httpx2

SECONDS = 30.0  # of one call, connecting included
MOST_PAGES = 10_000  # of one list


class BoardClient:
    """Implements `board.port.Board`. `transport` takes the place of the network in tests."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        allow_insecure: bool = False,
        seconds: float = SECONDS,
        transport: "httpx2.AsyncBaseTransport | None" = None,
    ) -> None:
        self.url = endpoint(base_url, allow_insecure)
        self._key = key
        self._seconds = seconds
        self._transport = transport
        self._tools: dict[str, frozenset[str]] = {}
        self._line: Line | None = None
        self._opening = asyncio.Lock()

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(self._tools)

    def knows(self, tool: str, argument: str) -> bool:
        return argument in self._tools.get(tool, ())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await line.close()

    # The tools.

    async def ping(self) -> str:
        return values.text(await self._call("ping", {}), "time", "ping")

    async def tasks(
        self, *, board: str | None = None, status: Sequence[str] = (), updated_after: str | None = None, limit: int = 50
    ) -> list[Task]:
        asked = {"board": board, "status": list(status) or None, "updatedAfter": updated_after, "limit": limit}
        found: dict[str, Task] = {}
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            answer = await self._call("tasks_tasks_list", {**asked, "cursor": cursor})
            for task in values.several(answer, "tasks", "tasks_tasks_list", Task.read):
                found[task.id] = task  # one that moved while we read comes twice: what came last is how it is
            last, cursor = cursor, values.optional(answer, "nextCursor", "tasks_tasks_list")
            if cursor is None:
                return sorted(found.values(), key=lambda task: (task.updated_at, task.id))
            if cursor == last:
                break
        raise BoardWrong("the list of tasks does not end", where="tasks_tasks_list.nextCursor")

    async def task(self, task_id: str) -> Task:
        return Task.read((await self._call("tasks_task_get", {"id": task_id})).get("task"), "tasks_task_get.task")

    async def comment(
        self, task_id: str, body: str, *, fence: int | None = None, request_id: str | None = None
    ) -> Comment:
        asked = {"taskId": task_id, "body": body, "fence": fence, "requestId": request_id}
        return Comment.read((await self._call("tasks_comment_add", asked)).get("comment"), "tasks_comment_add.comment")

    async def set_status(
        self, task_id: str, status: str, *, fence: int | None = None, request_id: str | None = None
    ) -> Task:
        asked = {"taskId": task_id, "status": status, "fence": fence, "requestId": request_id}
        return Task.read((await self._call("tasks_task_set_status", asked)).get("task"), "tasks_task_set_status.task")

    async def connect(
        self, *, connector_id: str | None, bundle_name: str | None, version: str, hosts: Sequence[str]
    ) -> Connected:
        asked = {"connectorId": connector_id, "bundleName": bundle_name, "version": version, "hosts": list(hosts)}
        return Connected.read(await self._call("agentops_connect", asked), "agentops_connect")

    async def heartbeat(self, *, connector_id: str, state: str, runs: Sequence[str]) -> None:
        await self._call("agentops_heartbeat", {"connectorId": connector_id, "state": state, "runs": list(runs)})

    async def claim(self, task_id: str, *, connector_id: str, instance_id: str, lease_seconds: int) -> Claim:
        asked = {"taskId": task_id, "connectorId": connector_id, "instanceId": instance_id}
        answer = await self._call("agentops_task_claim", {**asked, "leaseSeconds": lease_seconds})
        return Claim.read(answer, "agentops_task_claim")

    async def release(self, task_id: str, *, connector_id: str, instance_id: str, fence: int) -> None:
        asked = {"taskId": task_id, "connectorId": connector_id, "instanceId": instance_id, "fence": fence}
        await self._call("agentops_task_release", asked)

    async def run_create(
        self,
        task_id: str,
        *,
        connector_id: str,
        role_id: str | None = None,
        provider: str | None = None,
        model: str | None = None,
        fence: int | None = None,
        request_id: str | None = None,
    ) -> str:
        asked = {"taskId": task_id, "connectorId": connector_id, "roleId": role_id, "provider": provider}
        asked |= {"model": model, "fence": fence, "requestId": request_id}
        answer = values.record((await self._call("agentops_run_create", asked)).get("run"), "agentops_run_create.run")
        return values.text(answer, "id", "agentops_run_create.run")

    async def run_update(
        self,
        run_id: str,
        *,
        status: str,
        result: Mapping[str, Any] | None = None,
        finished_at: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        provider: str | None = None,
        model: str | None = None,
        cost: float | None = None,
        fence: int | None = None,
        request_id: str | None = None,
    ) -> None:
        asked = {"id": run_id, "status": status, "result": result, "finishedAt": finished_at, "metadata": metadata}
        asked |= {"provider": provider, "model": model, "cost": cost, "fence": fence, "requestId": request_id}
        await self._call("agentops_run_update", asked)

    async def log_append(
        self,
        run_id: str,
        events: Sequence[Mapping[str, Any]],
        *,
        fence: int | None = None,
        request_id: str | None = None,
    ) -> int:
        asked = {"runId": run_id, "events": [dict(event) for event in events], "fence": fence, "requestId": request_id}
        answer = await self._call("agentops_run_log_append", asked)
        return values.whole(answer, "next", "agentops_run_log_append", 0)

    # How a call goes.

    async def _call(self, tool: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """Once more where the board had forgotten the session: it did nothing then."""
        try:
            async with asyncio.timeout(self._seconds):
                try:
                    return await self._once(tool, asked)
                except answers.SessionLost:
                    return await self._once(tool, asked)
        except answers.SessionLost:
            raise BoardUnreachable("the board forgets its sessions", where=tool) from None
        except TimeoutError:
            raise BoardUnreachable(f"no answer within {self._seconds:g} s", where=tool) from None

    async def _once(self, tool: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        from mcp.shared.exceptions import MCPError

        seen = Seen()
        token = SEEN.set(seen)
        try:
            line = await self._connected()
            seen.forget()
            if tool not in self._tools:
                raise BoardRefused("the board has no such tool", code="unknown_tool", where=tool)
            given = {k: v for k, v in asked.items() if v is not None and k in self._tools[tool]}
            async with line.trouble(tool):
                result = await line.client.call_tool(tool, given)
            return answers.read(tool, result)
        except MCPError as error:
            if seen.broken is not None or answers.closed(error) or answers.session_lost(seen, error):
                self._give_up()
            raise answers.judged(tool, seen, error) from error
        finally:
            SEEN.reset(token)

    async def _connected(self) -> "Line":
        """The line, opened where there is none; who comes while it is being opened waits for it."""
        async with self._opening:
            if self._line is not None and self._line.lost:
                await self.close()
            if self._line is None:
                line = Line(self.url, http_client(self.url, self._key, self._seconds, self._transport))
                try:
                    await line.open()
                    self._tools = await line.tools()
                except BaseException:  # whatever it was goes on; no half-open line stays
                    await line.close()
                    raise
                self._line = line
            return self._line

    def _give_up(self) -> None:
        if self._line is not None:
            self._line.give_up()


def endpoint(base_url: str, allow_insecure: bool) -> str:
    """`<base>/mcp`; BoardRefused for an address that a key must not be sent to."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise BoardRefused(
            "that is no address of a board", code="invalid", where="baseUrl", remedy="Give https://HOST[:PORT][/PATH]."
        )
    if parts.scheme == "http" and parts.hostname not in LOOPBACK and not allow_insecure:
        raise BoardRefused(
            "a key is not sent in the clear",
            code="invalid",
            where="baseUrl",
            remedy="Use https, or set allowInsecure where the way there is safe.",
        )
    return base_url.partition("?")[0].partition("#")[0].rstrip("/") + "/mcp"
