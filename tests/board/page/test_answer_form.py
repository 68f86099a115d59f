"""The form that answers an escalation: it offers the statuses that workers use, and says what makes a task go on."""

from typing import Any

import pytest

from agent_connector.board import runs, tasks
from agent_connector.board.store import Store


def asked(store: Store, status: str) -> str:
    task = store.write(tasks.add, title="Mend the gate", by="x@example.com", status=status)
    run = store.write(runs.create, task.id, connector="lovelace")
    store.write(runs.change, run.id, status="awaiting_human")
    return task.id


def test_it_offers_what_workers_use_and_says_what_resumes(at_page: Any, store: Store, text_of: Any) -> None:
    task = asked(store, "blocked")

    async def work(owner: Any, member: Any) -> None:
        for path in ("/waiting", f"/tasks/{task}"):
            shown = await member.get(path)
            assert all(f'<option value="{status}"' in shown for status in ("todo", "doing", "review", "done"))
            assert "A worker goes on with it" in text_of(shown)
            assert "resumeStatus" in shown

    at_page(work)


@pytest.mark.parametrize("status", ["doing", "review"])
def test_a_task_that_somebody_moved_on_waits_for_nobody(at_page: Any, store: Store, text_of: Any, status: str) -> None:
    asked(store, status)

    async def work(owner: Any, member: Any) -> None:
        assert "Nobody waits" in text_of(await member.get("/waiting"))
        assert "need an answer" not in " ".join(text_of(await member.get("/")).split()).replace("0 need an answer", "")

    at_page(work)
