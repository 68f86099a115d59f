"""Writes that are committed together: one that fails takes no other along, and nobody has an answer too early."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text

from agent_connector.board import rules, tasks
from agent_connector.board.engine import Tx
from agent_connector.board.store import Store
from agent_connector.errors import BoardRefused


def together(store: Store, *works: Callable[[Tx], Any]) -> list[Future[Any]]:
    """These writes, all waiting while another one has the turn."""
    inside, go_on = threading.Event(), threading.Event()

    def hold(tx: Tx) -> None:
        inside.set()
        assert go_on.wait(30)

    with ThreadPoolExecutor(len(works) + 1) as threads:
        first = threads.submit(store.write, hold)
        assert inside.wait(30)
        futures = [threads.submit(store.write, work) for work in works]
        batch = store._batch  # pyright: ignore[reportPrivateUsage]
        assert batch is not None
        while len(batch._waiting) < len(works):  # pyright: ignore[reportPrivateUsage]
            assert not first.done()
        go_on.set()
        first.result(30)
    return futures


def add(title: str) -> Callable[[Tx], Any]:
    return lambda tx: tasks.add(tx, title=title, by="x").title


def titles(store: Store) -> list[str]:
    return [task.title for task in store.read(tasks.page)[0]]


def test_one_that_is_refused_leaves_nothing_and_spoils_nothing(store: Store):
    def half(tx: Tx) -> None:
        tasks.add(tx, title="half", by="x")
        raise rules.refuse("invalid", "no")

    first, refused, last = together(store, add("a"), half, add("b"))
    assert (first.result(), last.result()) == ("a", "b")
    with pytest.raises(BoardRefused):
        refused.result()
    assert sorted(titles(store)) == ["a", "b"]


def test_one_that_the_database_stops_is_alone_with_it(store: Store):
    def broken(tx: Tx) -> None:
        tasks.add(tx, title="half", by="x")
        tx.connection.execute(text("INSERT INTO board_tasks (id) VALUES (NULL)"))

    first, stopped, last = together(store, add("a"), broken, add("b"))
    assert (first.result(), last.result()) == ("a", "b")
    assert stopped.exception() is not None
    assert sorted(titles(store)) == ["a", "b"]


def test_who_waits_is_woken_by_each(store: Store):
    told: list[set[str]] = []
    real = store.wake.tell
    store.wake.tell = lambda topics: told.append(set(topics)) or real(topics)  # type: ignore[method-assign]

    def say(topic: str) -> Callable[[Tx], None]:
        return lambda tx: tx.tell(topic)

    for future in together(store, say("one"), say("two")):
        future.result()
    assert {"one"} in told
    assert {"two"} in told
