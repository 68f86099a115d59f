"""A small MCP server over stdio: two tools over a SQLite database. The standard library only, so it starts at once.

It speaks both ages of the protocol: `initialize`, and the stateless revision with `server/discover`.
ACME_DSN names a database (`sqlite:///path`); without one, or when it is not there, a sample in memory is used.
"""

import json
import os
import sqlite3
import sys

VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
INFO = {"name": "acme-db", "title": "Acme database", "version": "1.0.0"}
INSTRUCTIONS = "Query the Acme database with acme_query; change it with acme_write."
SAMPLE = """
create table customers (id integer primary key, name text not null, city text not null);
create table orders (id integer primary key, customer integer not null references customers, total real not null);
insert into customers (name, city) values ('Ada', 'London'), ('Grace', 'New York'), ('Edsger', 'Rotterdam');
insert into orders (customer, total) values (1, 99.5), (1, 12.0), (3, 42.0);
"""
SQL = {
    "type": "object",
    "properties": {"sql": {"type": "string", "description": "One SQL statement."}},
    "required": ["sql"],
}
TOOLS = [
    {
        "name": "acme_query",
        "description": "Run one SELECT against the Acme database and get its rows.",
        "inputSchema": SQL,
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "acme_write",
        "description": "Run one INSERT, UPDATE or DELETE against the Acme database.",
        "inputSchema": SQL,
        "annotations": {"readOnlyHint": False, "destructiveHint": True},
    },
]


def connect(dsn: str) -> sqlite3.Connection:
    """The database of `dsn` when it is there, else the sample."""
    path = dsn.removeprefix("sqlite:///")
    if path and os.path.isfile(path):
        return sqlite3.connect(path, isolation_level=None)
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.executescript(SAMPLE)
    return database


def call(database: sqlite3.Connection, name: str, arguments: dict) -> dict:
    """The result of one tool call; what goes wrong is for the model to read."""
    sql = arguments.get("sql", "")
    if name == "acme_query" and not sql.lstrip().lower().startswith(("select", "with")):
        return text("acme_query takes a SELECT only", error=True)
    try:
        rows = database.execute(sql)
        if name == "acme_write":
            return text(f"{rows.rowcount} rows changed")
        names = [column[0] for column in rows.description or ()]
        return text("\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows) or "no rows")
    except sqlite3.Error as error:
        return text(f"{error}", error=True)


def text(said: str, error: bool = False) -> dict:
    """A tool result of one text."""
    return {"content": [{"type": "text", "text": said}], "isError": error}


def answer(database: sqlite3.Connection, method: str, params: dict) -> dict | None:
    """The result of a request, None for a method that is not known."""
    if method == "initialize":
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS[1:] else VERSIONS[1],
            "capabilities": {"tools": {}},
            "serverInfo": INFO,
            "instructions": INSTRUCTIONS,
        }
    if method == "server/discover":
        meta = {"io.modelcontextprotocol/serverInfo": INFO}
        kept = {"resultType": "complete", "ttlMs": 60_000, "cacheScope": "public"}
        known = {"supportedVersions": VERSIONS, "capabilities": {"tools": {}}, "instructions": INSTRUCTIONS}
        return {**kept, **known, "_meta": meta}
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS, "resultType": "complete", "ttlMs": 60_000, "cacheScope": "public"}
    if method == "tools/call":
        result = call(database, params.get("name", ""), params.get("arguments") or {})
        return {**result, "resultType": "complete"}
    return None


def main() -> None:
    """Answer line by line until stdin ends."""
    database = connect(os.environ.get("ACME_DSN", ""))
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(database, message.get("method", ""), message.get("params") or {})
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        if result is None:
            reply["error"] = {"code": -32601, "message": f"no method {message.get('method')}"}
        else:
            reply["result"] = result
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
