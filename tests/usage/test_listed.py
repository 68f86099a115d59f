"""Logs that are found through a host's own list of them, and conversations that hosts move among each other."""

import json
import sqlite3

from agent_connector.hosts.machine import Machine
from agent_connector.usage.index import open_index
from agent_connector.usage.scan import scan

SCHEMA = "CREATE TABLE sessions (id TEXT, parent_session_id TEXT, cost REAL, updated_at INTEGER)"


def project(folder, cost):
    folder.mkdir(parents=True)
    database = sqlite3.connect(folder / "crush.db")
    database.execute(SCHEMA)
    database.execute("INSERT INTO sessions VALUES (?, NULL, ?, 1796055000)", (str(folder), cost))
    database.commit()
    database.close()
    return str(folder)


def test_the_logs_that_a_list_names_are_read_and_a_missing_one_is_not_missed(tmp_path):
    folders = [
        project(tmp_path / "a" / ".crush", 0.5),
        project(tmp_path / "b" / ".crush", 0.25),
        str(tmp_path / "gone"),
    ]
    listed = tmp_path / "home" / ".local" / "share" / "crush" / "projects.json"
    listed.parent.mkdir(parents=True)
    listed.write_text(
        json.dumps({"projects": [{"data_dir": each} for each in [*folders, folders[0]]]}), encoding="utf-8"
    )
    machine = Machine(str(tmp_path / "home"), "linux", {})
    found = scan(str(tmp_path / "data"), machine, ["crush"])
    with open_index(str(tmp_path / "data")) as index:
        assert index.execute("SELECT count(*), sum(cost) FROM units").fetchone() == (2, 0.75)
    assert not found.problems
    listed.write_text("[", encoding="utf-8")
    assert not scan(str(tmp_path / "data"), machine, ["crush"]).problems
    with open_index(str(tmp_path / "data")) as index:
        assert index.execute("SELECT sum(cost) FROM units").fetchone() == (0.75,), "what was paid stays"


def test_a_conversation_that_was_carried_into_another_host_counts_once(tmp_path):
    usage = bytes((2 << 3, 100)) + b"\x5a\x03r-1"  # 100 new tokens of the answer r-1
    inner = bytes((4 << 3 | 2, len(usage))) + usage
    for store in ("antigravity-cli", "antigravity"):
        folder = tmp_path / ".gemini" / store / "conversations"
        folder.mkdir(parents=True)
        database = sqlite3.connect(folder / "c-1.db")
        database.execute("CREATE TABLE gen_metadata (idx INTEGER PRIMARY KEY, data BLOB)")
        database.execute("INSERT INTO gen_metadata VALUES (0, ?)", (bytes((1 << 3 | 2, len(inner))) + inner,))
        database.commit()
        database.close()
    scan(str(tmp_path / "data"), Machine(str(tmp_path), "linux", {}), ["antigravity", "antigravity-cli"])
    with open_index(str(tmp_path / "data")) as index:
        assert index.execute("SELECT count(*), sum(input) FROM units").fetchone() == (1, 100)
