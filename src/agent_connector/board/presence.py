"""Which workers are there: what they said last, and when."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from agent_connector.board import rules
from agent_connector.board.engine import Tx
from agent_connector.board.schema import presence

MOST = 500  # workers, runs of one, hosts of one
TOPIC = "presence"


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker as it was last heard of; `age` is in seconds, `author` whose key it used."""

    connector: str
    author: str
    state: str
    runs: tuple[str, ...]
    version: str
    hosts: tuple[str, ...]
    seen_at: str
    age: float


def came(tx: Tx, connector: str, *, author: str, version: str, hosts: Sequence[str]) -> None:
    """It connected."""
    told = {"author": author, "version": rules.word(version, "version", rules.NAME), "hosts": _packed(hosts, "hosts")}
    _keep(tx, connector, told, {"state": "connected", "runs": "[]"})


def beat(tx: Tx, connector: str, *, author: str, state: str, runs: Sequence[str]) -> None:
    """It lives, and works at these runs."""
    told = {"author": author, "state": rules.word(state, "state"), "runs": _packed(runs, "runs")}
    _keep(tx, connector, told, {"version": "", "hosts": "[]"})


def workers(tx: Tx) -> list[Worker]:
    """The one that was heard of last comes first."""
    now = tx.time()
    rows = tx.connection.execute(select(presence).order_by(presence.c.seen_at.desc()).limit(MOST))
    return [
        Worker(
            row.connector,
            row.author,
            row.state,
            tuple(json.loads(row.runs)),
            row.version,
            tuple(json.loads(row.hosts)),
            rules.iso(row.seen_at),
            max(0.0, (now - row.seen_at) / 1_000_000),
        )
        for row in rows
    ]


def _keep(tx: Tx, connector: str, told: dict[str, str], at_first: dict[str, str]) -> None:
    rules.word(connector, "connectorId", rules.NAME)
    row = tx.insert(presence).values(connector=connector, seen_at=tx.now, **told, **at_first)
    tx.connection.execute(row.on_conflict_do_update(index_elements=["connector"], set_={**told, "seen_at": tx.now}))
    tx.tell(TOPIC)


def _packed(words: Sequence[str], where: str) -> str:
    rules.between(len(words), where, 0, MOST)
    return json.dumps([rules.word(one, where, rules.NAME) for one in words])
