"""A board with something in every table, and what its copy has to be."""

import json
from typing import Any

from sqlalchemy import insert, select

from agent_connector.board import leases, runs, schema, tasks
from agent_connector.board.store import Store
from agent_connector.testing.board_checks import event
from agent_connector.testing.board_stage import minted

HARD = "ünïcode 🐙 '\";--\n\u202e \\ %s :name"


def fill(store: Store, events: int = 1_200) -> str:
    """The key of its worker. More events than one statement carries."""
    key = minted(store, "worker@example.com")
    task = store.write(tasks.add, title="Mend the gate", description=HARD, by="ada@example.com", priority=-3)
    claim = store.write(leases.claim, task.id, connector="shed", instance="one", seconds=60)
    run = store.write(runs.create, task.id, connector="shed", fence=claim.fence)
    for first in range(0, events, 200):
        store.write(runs.append, run.id, [event(first + number) for number in range(200)], fence=claim.fence)
    store.write(runs.change, run.id, status="awaiting_human", cost=0.125, result={"text": HARD}, fence=claim.fence)
    store.write(tasks.comment, task.id, HARD, by="shed")
    with store.engine.begin() as connection:  # what only a page or a login writes
        user = connection.scalar(select(schema.users.c.id))
        for table, row in {
            schema.failures: {"id": "f", "subject": "s", "at": 1},
            schema.requests: {"user_id": user, "request_id": "r", "tool": "t", "answer": "{}", "created_at": 1},
            schema.presence: {
                "connector": "shed", "author": "a", "state": "idle", "runs": "[]", "version": "1", "hosts": "[]", "seen_at": 2**50,
            },
            schema.sessions: {"hash": "h", "kind": "page", "user_id": user, "csrf": "c", "created_at": 1, "expires_at": 2**50},
            schema.settings: {"name": "secret", "value": HARD},
            schema.roles: {
                "id": "role", "version": 1, "name": "mender", "fallback_models": "[]", "retired": True, "created_at": 1,
                "created_by": "a",
            },
            schema.bundles: {"name": "default", "version": 1, "created_at": 1, "created_by": "a"},
            schema.bundle_files: {"name": "default", "version": 1, "path": "AGENTS.md", "content": HARD},
        }.items():  # fmt: skip
            connection.execute(insert(table).values(**row))
    return key


def held(store: Store) -> dict[str, list[Any]]:
    """Every row of every table."""
    with store.engine.connect() as connection:
        return {
            table.name: sorted(json.dumps(list(row)) for row in connection.execute(select(table)))
            for table in schema.metadata.sorted_tables
        }
