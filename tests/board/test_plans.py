"""A poll's cost does not grow with the tasks that are parked: every page is a walk along an index, nothing is sorted."""

from unittest.mock import patch

import pytest
from sqlalchemy import text

from agent_connector.board import tasks
from agent_connector.board.engine import Tx
from agent_connector.board.store import Store

PLACE = tasks.Place(5, "x")
POLLS = {
    "first": {"status": ("todo",)},
    "two statuses": {"status": ("todo", "ready")},
    "of a board": {"board": "main", "status": ("todo",)},
    "since": {"since": 5},
    "since, of a board": {"since": 5, "board": "main"},
    "a later page": {"status": ("todo",), "since": 5, "after": PLACE},
    "all": {},
}


def plans(tx: Tx, poll: dict) -> list[str]:
    seen = []
    real = tx.connection.execute

    def explained(statement, *rest):
        compiled = statement.compile(tx.connection, compile_kwargs={"literal_binds": True})
        seen.extend(row[3] for row in real(text(f"EXPLAIN QUERY PLAN {compiled}")))
        return real(statement, *rest)

    with patch.object(tx.connection, "execute", explained):
        tasks.page(tx, **poll)
    return seen


@pytest.mark.parametrize("poll", POLLS)
def test_a_poll_walks_an_index(poll: str, store: Store):
    found = store.read(plans, POLLS[poll])
    assert found
    for line in found:
        assert "USING INDEX board_tasks_" in line, line
        assert "B-TREE" not in line, line
