"""What hosts were recorded to say, for the tests of each: `tests/hosts/<id>/` reads `tests/golden/<id>/`."""

import dataclasses
import itertools
import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Record
from agent_connector.testing import usage


@pytest.fixture(scope="module")
def golden(request: pytest.FixtureRequest) -> Path:
    """The folder of the host that the test's own folder is named after."""
    return Path(__file__).parents[1] / "golden" / request.path.parent.name.replace("_", "-")


@pytest.fixture(scope="module")
def payloads(golden: Path) -> dict[str, dict[str, Any]]:
    """Stdin of hooks, by event and tool."""
    return json.loads((golden / "hooks.json").read_text(encoding="utf-8"))["payloads"]


@pytest.fixture(scope="module")
def environment(golden: Path) -> dict[str, str]:
    """What stood in the environment of a hook; the values are not kept."""
    return dict.fromkeys(json.loads((golden / "environment.json").read_text(encoding="utf-8"))["names"], "1")


@pytest.fixture(scope="module")
def status(golden: Path) -> dict[str, Any]:
    """Stdin of the status line."""
    return json.loads((golden / "statusline.json").read_text(encoding="utf-8"))["payload"]


@pytest.fixture(scope="module")
def stream(golden: Path) -> list[str]:
    """The lines of a headless run: an MCP call and a last word."""
    return (golden / "stream.jsonl").read_text(encoding="utf-8").splitlines()


class Log:
    """A host's usage facet, fed by hand: what a scan does with files, one call for each reading."""

    def __init__(self, host: str) -> None:
        self.facet = usage.facet(host)
        self.states: dict[str, dict[str, Any]] = {}

    def read(
        self,
        kind: str,
        data: bytes | str | sqlite3.Connection,
        path: str = "/logs/file",
        beside: Mapping[str, bytes] | None = None,
    ) -> list[Record]:
        """The records of one reading of `path`; what it keeps in its state is there at the next one."""
        given = data.encode() if isinstance(data, str) else data
        state = self.states.setdefault(path, {})
        return usage.read(self.facet.READERS[kind], given, state, path=path, beside=beside)

    def total(self, *readings: Iterable[Record]) -> dict[str, float]:
        """Sums over the units of some readings, without what is 0."""
        sums = usage.totals(itertools.chain(*readings), self.facet.MERGE)
        return {name: value for name, value in dataclasses.asdict(sums).items() if value}

    def places(self, platform: str = "linux", project: str | None = None, **variables: str) -> list[tuple[str, ...]]:
        """Where the logs lie for a person named ada."""
        home = {"linux": "/home/ada", "darwin": "/Users/ada", "win32": "C:\\Users\\ada"}[platform]
        return [tuple(place) for place in self.facet.logs(Machine(home, platform, variables, project))]


@pytest.fixture
def log(request: pytest.FixtureRequest) -> Log:
    """The log of the host that the test's own folder is named after."""
    return Log(request.path.parent.name.replace("_", "-"))
