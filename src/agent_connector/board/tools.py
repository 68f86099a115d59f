"""The tools of the board: what each takes, and what it does in one transaction. Nothing here knows of HTTP or MCP."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_connector.board import leases, presence, requests, rules, runs, served, tasks
from agent_connector.board.engine import Tx, by_itself
from agent_connector.board.keys import Caller
from agent_connector.board.values import Connected

Arguments = Mapping[str, Any]
Answer = dict[str, Any]
Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
OBJECT: Schema = {"type": "object"}
FENCE: Schema = {"type": "integer", "description": "The number of the claim this is written under."}
REQUEST: Schema = {"type": "string", "description": "Makes a retry safe: a known one gets its first answer again."}
SAFE = {"fence": FENCE, "requestId": REQUEST}


@dataclass(frozen=True, slots=True)
class Tool:
    """`writes` says whether it needs a writing transaction; `by_itself`, whether each of its statements may stand alone."""

    name: str
    about: str
    run: Callable[[Tx, Caller, Arguments], Answer]
    takes: Mapping[str, Schema]
    needs: tuple[str, ...] = ()
    writes: bool = True
    by_itself: bool = False

    @property
    def schema(self) -> Schema:
        return {
            "type": "object",
            "properties": dict(self.takes),
            "required": list(self.needs),
            "additionalProperties": False,
        }


def call(tx: Tx, caller: Caller, tool: Tool, given: Arguments) -> Answer:
    """The tool's answer, or the first one to this `requestId`."""
    request = given.get("requestId") if "requestId" in tool.takes else None
    return requests.once(tx, caller.user_id, request, tool.name, lambda: tool.run(tx, caller, given))


@by_itself
def call_by_itself(tx: Tx, caller: Caller, tool: Tool, given: Arguments) -> Answer:
    """As `call`, of a tool that takes no `requestId`."""
    return tool.run(tx, caller, given)


# Tasks.


def _ping(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    return {"ok": True, "time": rules.iso(tx.time())}


def _list(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    status, since, cursor = given.get("status", []), given.get("updatedAfter"), given.get("cursor")
    found, behind = tasks.page(
        tx,
        board=given.get("board"),
        status=[status] if isinstance(status, str) else status,
        since=None if since is None else rules.micros(since, "updatedAfter"),
        after=None if cursor is None else tasks.Place.read(cursor),
        limit=rules.between(given.get("limit", rules.PAGE), "limit", 1, rules.MOST_TASKS),
    )
    more = {} if behind is None else {"nextCursor": behind.cursor()}
    return {"tasks": [task.wire() for task in found], **more}


def _get(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    return {"task": tasks.get(tx, given["id"]).wire(comments=True)}


def _comment(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    leases.check(tx, given["taskId"], given.get("fence"))
    return {"comment": tasks.comment(tx, given["taskId"], given["body"], by=caller.author).wire()}


def _set_status(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    leases.check(tx, given["taskId"], given.get("fence"))
    return {"task": tasks.set_status(tx, given["taskId"], given["status"], by=caller.author).wire()}


# Workers.


def _connect(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    if given.get("connectorId") is not None:
        presence.came(
            tx, given["connectorId"], author=caller.author, version=given["version"], hosts=given.get("hosts", [])
        )
    bundle = served.bundle(tx, given.get("bundleName") or served.DEFAULT)
    return Connected(bundle, tuple(served.served_roles(tx))).wire()


def _heartbeat(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    presence.beat(tx, given["connectorId"], author=caller.author, state=given["state"], runs=given.get("runs", []))
    return {"ok": True}


def _claim(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    return leases.claim(
        tx,
        given["taskId"],
        connector=given["connectorId"],
        instance=given["instanceId"],
        seconds=given["leaseSeconds"],
    ).wire()


def _release(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    leases.release(
        tx, given["taskId"], connector=given["connectorId"], instance=given["instanceId"], fence=given["fence"]
    )
    return {"ok": True}


def _run_create(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    run = runs.create(
        tx,
        given["taskId"],
        connector=given["connectorId"],
        role_id=given.get("roleId"),
        provider=given.get("provider"),
        model=given.get("model"),
        fence=given.get("fence"),
    )
    return {"run": run.wire()}


def _run_update(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    run = runs.change(
        tx,
        given["id"],
        status=given["status"],
        result=given.get("result"),
        finished_at=given.get("finishedAt"),
        metadata=given.get("metadata"),
        provider=given.get("provider"),
        model=given.get("model"),
        cost=given.get("cost"),
        fence=given.get("fence"),
    )
    return {"run": run.wire()}


def _log_append(tx: Tx, caller: Caller, given: Arguments) -> Answer:
    accepted, behind = runs.append(tx, given["runId"], given["events"], fence=given.get("fence"))
    return {"accepted": accepted, "next": behind}


# The table.

_STATUS: Schema = {"anyOf": [TEXT, {"type": "array", "items": TEXT, "maxItems": 20}]}
_EVENT: Schema = {
    "type": "object",
    "properties": {"seq": {"type": "integer"}, "ts": TEXT, "type": TEXT, "channel": TEXT, "payload": OBJECT},
    "required": ["seq", "ts", "type", "channel", "payload"],
}
_TEXTS: Schema = {"type": "array", "items": TEXT}
_LEASE: Schema = {"type": "integer", "minimum": rules.LEASE[0], "maximum": rules.LEASE[1]}
_ROUTE = {"provider": TEXT, "model": TEXT}

ALL = (
    Tool("ping", "Whether the board answers, and its time.", _ping, {}, writes=False),
    Tool(
        "tasks_tasks_list",
        "Tasks by updatedAt and id; all of one board or status, or from a time on.",
        _list,
        {
            "board": TEXT,
            "status": _STATUS,
            "updatedAfter": TEXT,
            "limit": {"type": "integer", "minimum": 1, "maximum": rules.MOST_TASKS, "default": rules.PAGE},
            "cursor": TEXT,
        },
        writes=False,
    ),
    Tool("tasks_task_get", "One task with its comments.", _get, {"id": TEXT}, ("id",), writes=False),
    Tool(
        "tasks_comment_add",
        "Say something on a task (64 KiB).",
        _comment,
        {"taskId": TEXT, "body": TEXT, **SAFE},
        ("taskId", "body"),
    ),
    Tool(
        "tasks_task_set_status",
        "Move a task.",
        _set_status,
        {"taskId": TEXT, "status": TEXT, **SAFE},
        ("taskId", "status"),
    ),
    Tool(
        "agentops_connect",
        "A worker comes: it gets its bundle and the roles.",
        _connect,
        {"connectorId": TEXT, "bundleName": TEXT, "version": TEXT, "hosts": _TEXTS},
        ("version",),
    ),
    Tool(
        "agentops_heartbeat",
        "A worker lives.",
        _heartbeat,
        {"connectorId": TEXT, "state": TEXT, "runs": _TEXTS},
        ("connectorId", "state"),
    ),
    Tool(
        "agentops_task_claim",
        "Take a task for a while, or prolong that. An expired lease is free; fence grows with every new holder.",
        _claim,
        {"taskId": TEXT, "connectorId": TEXT, "instanceId": TEXT, "leaseSeconds": _LEASE},
        ("taskId", "connectorId", "instanceId", "leaseSeconds"),
        by_itself=True,
    ),
    Tool(
        "agentops_task_release",
        "Give a task back.",
        _release,
        {"taskId": TEXT, "connectorId": TEXT, "instanceId": TEXT, "fence": FENCE},
        ("taskId", "connectorId", "instanceId", "fence"),
        by_itself=True,
    ),
    Tool(
        "agentops_run_create",
        "Begin a run of a task.",
        _run_create,
        {"taskId": TEXT, "connectorId": TEXT, "roleId": TEXT, **_ROUTE, **SAFE},
        ("taskId", "connectorId"),
    ),
    Tool(
        "agentops_run_update",
        "How a run stands.",
        _run_update,
        {
            "id": TEXT,
            "status": {"type": "string", "enum": list(rules.RUN_STATUSES)},
            "result": OBJECT,
            "finishedAt": TEXT,
            "metadata": OBJECT,
            **_ROUTE,
            "cost": {"type": "number", "minimum": 0},
            **SAFE,
        },
        ("id", "status"),
    ),
    Tool(
        "agentops_run_log_append",
        "Add events to a run's log: at most 200 and 256 KiB. A seq that is held is dropped, gaps are allowed.",
        _log_append,
        {"runId": TEXT, "events": {"type": "array", "items": _EVENT, "maxItems": rules.MOST_EVENTS}, **SAFE},
        ("runId", "events"),
    ),
)
BY_NAME = {tool.name: tool for tool in ALL}
