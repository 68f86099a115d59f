"""A board is taken into another database: all of it, once, or not at all."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.board.copies import fill, held
from tests.board.test_cli import Run, run  # noqa: F401 - a fixture

from agent_connector.board import copy as copying
from agent_connector.board import keys, leases, runs, schema, tasks
from agent_connector.board.copy import copy
from agent_connector.board.store import Store, open_store
from agent_connector.errors import BoardError, BoardRefused
from agent_connector.testing.board_checks import event


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path}/target.db", upgrade=False)
    yield opened
    opened.close()


def test_everything_is_there_and_goes_on(store: Store, target: Store):
    key = fill(store)
    before = held(store)
    assert all(before.values()), "a table that is empty proves nothing"
    rows = copy(store, target)
    assert held(store) == before
    assert held(target) == before
    assert rows == {name: len(kept) for name, kept in before.items()}
    assert target.read(keys.caller, key) is not None
    task, last = target.read(tasks.page)[0][0], json.loads(before["board_clock"][0])[1]
    with pytest.raises(BoardRefused):
        target.write(runs.append, task.run_id, [event(5_000)], fence=0)
    assert target.write(tasks.set_status, task.id, "done", by="x").updated_at != task.updated_at
    assert json.loads(held(target)["board_clock"][0])[1] > last
    assert not target.write(leases.claim, task.id, connector="other", instance="i", seconds=60).claimed


def test_a_target_with_anything_in_it_is_left_as_it_is(store: Store, target: Store):
    fill(store)
    target.upgrade()
    target.write(tasks.add, title="mine", by="x")
    before = held(target)
    with pytest.raises(BoardError, match=r"not empty.*board_tasks"):
        copy(store, target)
    assert held(target) == before


def test_a_copy_that_is_cut_leaves_nothing(store: Store, target: Store, monkeypatch: pytest.MonkeyPatch):
    fill(store)
    real = copying._rows

    def cut(table, old, new):
        if table is schema.events:
            new.execute(text("INSERT INTO board_events SELECT * FROM nowhere"))
        return real(table, old, new)

    monkeypatch.setattr(copying, "_rows", cut)
    with pytest.raises(BoardError, match="was not copied"):
        copy(store, target)
    monkeypatch.undo()
    assert [name for name, rows in held(target).items() if rows] == ["board_clock", "board_lease_clock"]
    copy(store, target)
    assert held(target) == held(store)


def test_a_board_of_another_version_is_not_touched(tmp_path: Path, store: Store, target: Store):
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE board_version SET version_num = '0001'"))
    with pytest.raises(BoardError, match="board migrate"):
        copy(store, target)
    with store.engine.begin() as connection:
        assert connection.scalar(text("SELECT version_num FROM board_version")) == "0001"


def test_every_table_follows_those_that_it_refers_to():
    seen = set[str]()
    for table in copying._TABLES:
        assert {key.column.table.name for key in table.foreign_keys} <= seen | {table.name}
        seen.add(table.name)


def test_the_verb(run: Run, tmp_path: Path):  # noqa: F811
    there = f"sqlite:///{tmp_path}/there.db"
    code, _, err = run("copy", "--to", there)
    assert code == 1
    assert "no such file" in err
    assert not (tmp_path / "there.db").exists()
    assert run("task", "add", "Mend the gate")[0] == 0
    code, out, err = run("copy", "--to", there, "--json")
    assert code == 0, err
    assert json.loads(out)["rows"]["board_tasks"] == 1
    code, out, _ = run("task", "list", "--db", there)
    assert code == 0
    assert "Mend the gate" in out
    code, _, err = run("copy", "--to", there)
    assert code == 1
    assert "not empty" in err
    assert run("copy", "--to", "mysql://x")[0] == 2
    assert run("copy", "--from", f"sqlite:///{tmp_path}/none.db", "--to", there)[0] == 1
    assert not (tmp_path / "none.db").exists()


def test_the_verb_tells_what_it_copied(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    run("task", "add", "Mend the gate")
    monkeypatch.setenv("AGENT_CONNECTOR_BOARD_DB", f"sqlite:///{tmp_path}/there.db")
    code, out, _ = run("copy")
    assert code == 0
    assert any(line.split() == ["board_tasks", "1"] for line in out.splitlines())
