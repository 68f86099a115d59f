"""Recorded logs, and small builders of logs; what a host says of a usage is compared with what is known to be true."""

import json
import sqlite3
from pathlib import Path

import pytest

from agent_connector.testing import usage

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="session")
def golden():
    """`golden(host, name)`: the bytes of a recorded file."""
    return lambda host, name: (GOLDEN / host / "usage" / name).read_bytes()


@pytest.fixture(scope="session")
def truth():
    """`truth(host)`: what the requests of the recording really used."""

    def read(host, name="TRUTH.json"):
        known = json.loads((GOLDEN / host / "usage" / name).read_bytes())
        known.pop("origin")
        return usage.Totals(requests=known.pop("units"), **known)

    return read


@pytest.fixture(scope="session")
def database():
    """`database(sql, ...)`: the bytes of a database that these statements make."""

    def make(*statements):
        connection = sqlite3.connect(":memory:")
        for statement in statements:
            connection.executescript(statement.decode() if isinstance(statement, bytes) else statement)
        data = connection.serialize()
        connection.close()
        return data

    return make


@pytest.fixture(scope="session")
def lines():
    """`lines(row, ...)`: a log with a JSON object in each line."""
    return lambda *rows: b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.fixture(scope="session")
def document():
    """`document(value)`: a JSON file."""
    return lambda value: json.dumps(value).encode()
