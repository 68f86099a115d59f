"""What a worker calls: any board that answers these is good enough.

`offers` holds the names of the server's tools, known once it was reached; what a server lacks is refused by its caller with
`BoardRefused(code="unknown_tool")`. Every call ends in bounded time, with an answer or one of three errors: BoardUnreachable
(ask again later), BoardRefused (its `code` says why), BoardWrong (the answer breaks the contract).

Writing calls take `fence`, the number of the claim they are made under, and `request_id`: a known one gets its first
answer again, so that a retry is safe.
"""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self

from agent_connector.board.values import Claim, Comment, Connected, Task


class Board(Protocol):
    """A board as its worker sees it."""

    @property
    def offers(self) -> frozenset[str]:
        """The server's tools; empty before it was first reached."""
        ...

    def knows(self, tool: str, argument: str) -> bool:
        """Whether the server's tool takes that argument: `fence`, `requestId`, `cost` and the like are optional. What
        it does not take is left out of the call. False before the server was first reached."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def ping(self) -> str:
        """The board's time, as ISO text."""
        ...

    async def tasks(
        self, *, board: str | None = None, status: Sequence[str] = (), updated_after: str | None = None, limit: int = 50
    ) -> list[Task]:
        """Every task that fits, by `updated_at` and then `id`; `limit` is the size of one page, all pages are read."""
        ...

    async def task(self, task_id: str) -> Task:
        """One task with its comments, oldest first."""
        ...

    async def comment(
        self, task_id: str, body: str, *, fence: int | None = None, request_id: str | None = None
    ) -> Comment: ...

    async def set_status(
        self, task_id: str, status: str, *, fence: int | None = None, request_id: str | None = None
    ) -> Task: ...

    async def connect(
        self, *, connector_id: str | None, bundle_name: str | None, version: str, hosts: Sequence[str]
    ) -> Connected:
        """Say who comes; get the bundle and the roles, newest version first."""
        ...

    async def heartbeat(self, *, connector_id: str, state: str, runs: Sequence[str]) -> None: ...

    async def claim(self, task_id: str, *, connector_id: str, instance_id: str, lease_seconds: int) -> Claim:
        """Take the task, or prolong the lease on it. `fence` grows whenever the holder changes."""
        ...

    async def release(self, task_id: str, *, connector_id: str, instance_id: str, fence: int) -> None:
        """Give it back. To release what is not held any more is no error; a stale fence is one."""
        ...

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
        """A new run of the task; its id."""
        ...

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
    ) -> None: ...

    async def log_append(
        self,
        run_id: str,
        events: Sequence[Mapping[str, Any]],
        *,
        fence: int | None = None,
        request_id: str | None = None,
    ) -> int:
        """Events `{seq, ts, type, channel, payload}`; one whose seq is held is dropped. The next seq that is wanted."""
        ...
