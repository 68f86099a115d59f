"""A known `requestId` gets its first answer again, so that a worker may send again what it had no answer to."""

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import delete, select, tuple_

from agent_connector.board import rules, runs
from agent_connector.board.engine import Tx
from agent_connector.board.schema import requests

KEPT = 14 * 86_400  # seconds; a worker that was cut off for longer finds its task long taken by another
KEPT_OF_LOGS = 86_400  # there are many, and a log drops what it has by itself
_ANSWER = 4 * 1024 * 1024
_SECOND = 1_000_000
_AT_ONCE = 5_000


def once(tx: Tx, user_id: str, request_id: str | None, tool: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """`work()`, or what it once answered. What was refused was not done, and is judged anew."""
    if request_id is None:
        return work()
    rules.word(request_id, "requestId", rules.NAME)
    mine = {"user_id": user_id, "request_id": request_id}
    first = tx.insert(requests).values(**mine, tool=tool, answer="", created_at=tx.now)
    if tx.inserted(first):  # nobody else can come to this place with it until we commit
        answer = work()
        packed = runs.packed(answer, "answer", _ANSWER)
        tx.connection.execute(requests.update().where(*_is(mine)).values(answer=packed))
        return answer
    found = tx.connection.execute(select(requests.c.tool, requests.c.answer).where(*_is(mine))).one()
    if found.tool != tool:
        raise rules.refuse("conflict", "that requestId was another tool's", "requestId")
    return json.loads(found.answer)


def _is(mine: dict[str, str]) -> tuple[Any, Any]:
    return requests.c.user_id == mine["user_id"], requests.c.request_id == mine["request_id"]


def prune(tx: Tx) -> int:
    """Forget some of the old ones; how many. Not all at once: others wait for the writer."""
    old = (requests.c.created_at < tx.now - KEPT * _SECOND) | (
        (requests.c.tool == "agentops_run_log_append") & (requests.c.created_at < tx.now - KEPT_OF_LOGS * _SECOND)
    )
    some = select(requests.c.user_id, requests.c.request_id).where(old).limit(_AT_ONCE)
    these = tuple_(requests.c.user_id, requests.c.request_id).in_(some)
    return tx.connection.execute(delete(requests).where(these)).rowcount
