"""Fixtures for an author's tests; they are there where a conftest.py says so.

    pytest_plugins = ["agent_connector.testing.pytest_plugin"]

`agent_home`   a home that is thrown away; `agent_home.has("codex")` makes it look as if that host was there
`installed`    a function that installs a connector; behind the test it is taken out, and every file is as it was
`fire`         a function that runs the command which the host's files name for an event, as the host would
"""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_connector.deploy.install import Outcome
from agent_connector.deploy.launcher import heal
from agent_connector.home import paths
from agent_connector.testing.authors import Declared
from agent_connector.testing.scratch import Fired, ScratchHome, refused, scratch_home

__all__ = ["agent_home", "fire", "installed", "prepared_home"]


@pytest.fixture(scope="session")
def prepared_home(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Our own home as every install makes it, made once."""
    folder = str(tmp_path_factory.mktemp("prepared"))
    root = paths.data_root({}, folder)
    heal(folder, root, variables={}, platform=sys.platform)
    return root


@pytest.fixture
def agent_home(tmp_path: Path, prepared_home: str) -> ScratchHome:
    return scratch_home(os.path.join(tmp_path, "agent-home"), prepared_home)


@pytest.fixture
def installed(agent_home: ScratchHome) -> Iterator[Callable[..., Outcome]]:
    """`installed(connector, *hosts, scope="user")`; without hosts into those that are here."""
    before: dict[str, bytes] | None = None
    used: list[Declared] = []

    def install(connector: Declared, *hosts: str, **options: Any) -> Outcome:
        nonlocal before
        before = agent_home.files() if before is None else before
        used.append(connector)
        outcome = agent_home.install(connector, *hosts, **options)
        said = [f"{change.host} {change.surface}: {change.note}" for change in refused(outcome)]
        assert not said, "refused: " + "; ".join(said)
        return outcome

    yield install
    for connector in dict.fromkeys(reversed(used)):
        agent_home.uninstall(connector)
    if before is not None:
        after = agent_home.files()
        changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        assert not changed, f"uninstall did not bring back: {', '.join(changed)}"


@pytest.fixture
def fire(agent_home: ScratchHome) -> Callable[..., Fired]:
    """`fire(host, event, payload=None, *, tool=None, **given)`, see `ScratchHome.fire`."""
    return agent_home.fire
