"""What starts a real host for a proof of its guard: a home of its own, nothing of the person's, no sandbox."""

import contextlib
import os
import tempfile
from collections.abc import Callable, Generator

import pytest
from tests.real.runs import PROGRAMS

from agent_connector.drive import process
from agent_connector.hosts import query
from agent_connector.worker import canary, private_home, providers
from agent_connector.worker.canary import Entered, Ground
from agent_connector.worker.guard.arm import Armed


@pytest.fixture
def here() -> Generator[Ground]:
    """In a short path, since sockets lie there; every process of it is ended."""
    folder = tempfile.mkdtemp(prefix="ac-")
    made = canary.ground(folder)
    yield made
    process.sweep([f"HOME={made.place.home}"])
    private_home.remove(made.place)


@pytest.fixture
def program() -> Callable[[str], str]:
    def path(host: str) -> str:
        facet = query.headless(providers.bare(host))
        return str(PROGRAMS / (facet.ACP[0] if providers.is_acp(host) else facet.PROGRAM))

    return path


@pytest.fixture
def variables() -> Callable[[Ground], dict[str, str]]:
    """IS_SANDBOX: Claude Code lets root approve everything in one only."""
    own = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    return lambda ground: private_home.variables(ground.place, own, {"IS_SANDBOX": "1"})


@pytest.fixture
def walls(variables: Callable[[Ground], dict[str, str]]) -> canary.Enter:
    @contextlib.contextmanager
    def enter(url: str, armed: Armed, ground: Ground) -> Generator[Entered]:
        yield Entered(url, variables(ground))

    return enter
