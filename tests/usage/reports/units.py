"""An index with units that a test makes up."""

# ruff: noqa: S608  # the columns are names of this file

from pathlib import Path
from typing import Any

from agent_connector.usage import index

CONTEXT = ("host", "session", "parent", "model", "provider", "project", "project_name", "tier", "agent", "source")
COUNTS = ("input", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning", "requests")
USUAL: dict[str, Any] = {
    "host": "claude-code", "session": "s1", "parent": "", "model": "claude-sonnet-4-5", "provider": "anthropic",
    "project": "aa11bb22", "project_name": "shop", "tier": "", "agent": "", "source": "host-reported",
    "input": 0, "cache_read": 0, "cache_write_5m": 0, "cache_write_1h": 0, "output": 0, "reasoning": 0, "requests": 1,
    "cost": None, "credits": None, "time": 1_795_000_000_000,
}  # fmt: skip

Unit = dict[str, Any]


def unit(**fields: Any) -> Unit:
    """A unit as the index has it; what is not said is as usual."""
    assert fields.keys() <= USUAL.keys() | {"key"}
    return USUAL | fields


def put(root: Path, units: list[Unit]) -> None:
    """Write units into the index below `root`; one whose key is there already is replaced."""
    with index.writing(str(root)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
        first = connection.execute("SELECT coalesce(max(key), 0) + 1 FROM facts").fetchone()[0]
        for number, one in enumerate(units, first):
            context = tuple(one[name] for name in CONTEXT)
            where = " AND ".join(f"{name} = ?" for name in CONTEXT)
            found = connection.execute(f"SELECT id FROM contexts WHERE {where}", context).fetchone()
            if found is None:
                marks = ", ".join("?" * len(CONTEXT))
                done = connection.execute(f"INSERT INTO contexts ({', '.join(CONTEXT)}) VALUES ({marks})", context)
                found = (done.lastrowid,)
            columns = ("key", "file", "context", "time", *COUNTS, "cost", "credits")
            row = (
                one.get("key", number),
                1,
                found[0],
                one["time"],
                *(one[c] for c in COUNTS),
                one["cost"],
                one["credits"],
            )
            changes = ", ".join(f"{name} = excluded.{name}" for name in columns[1:])
            connection.execute(
                f"INSERT INTO facts ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
                f" ON CONFLICT (key) DO UPDATE SET {changes}",
                row,
            )
            connection.execute(
                "INSERT OR REPLACE INTO hours SELECT ?, value FROM meta WHERE name = 'generation'",
                (one["time"] // 3_600_000,),
            )
        connection.execute("COMMIT")


def take(root: Path, key: int) -> None:
    """Take a unit out of the index."""
    with index.writing(str(root)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
        connection.execute("DELETE FROM facts WHERE key = ?", (key,))
        connection.execute("COMMIT")
