"""The proof of a worker, with its sandbox and its proxy, of hosts over ACP: what is started there talks, and is guarded."""

import asyncio
import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.real.runs import PROGRAMS

from agent_connector.home.folders import remove_tree
from agent_connector.worker.config import Config, Ergonomics
from agent_connector.worker.egress.proxy import Egress
from agent_connector.worker.guarding import Guarding
from agent_connector.worker.sandbox.choose import kind
from agent_connector.worker.values import Stop

pytestmark = pytest.mark.real
# One whose key is in a file, one that serves at a port; those whose shell would want a terminal. See `talks`, too.
SHUT_IN = {"bubblewrap": ("droid", "opencode"), "landlock": ("claude-code", "gemini-cli", "cline", "qwen-code")}


@pytest.fixture
def folder() -> Generator[Path]:
    made = Path(tempfile.mkdtemp(prefix="ac-"))
    yield made
    remove_tree(str(made))


@pytest.mark.parametrize(("box", "host"), [(box, host) for box, hosts in SHUT_IN.items() for host in hosts])
def test_a_host_over_acp_is_proven_shut_in(box: str, host: str, folder: Path, program) -> None:
    said: list[str] = []
    for name in ("work", "runs", "home"):
        (folder / name).mkdir(0o700)
    config = Config(str(folder / "work"), str(folder / "state"), Ergonomics(str(folder / "STOP")))
    variables = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}

    async def scene() -> None:
        async with Egress() as egress:
            guarding = Guarding(config, variables, str(folder / "home"), str(folder / "runs"), egress, said.append)
            await guarding.prove(f"acp:{host}", program(f"acp:{host}"), kind(box), Stop())

    asyncio.run(scene())
    assert not any("WITHOUT" in line for line in said)
    assert (folder / "runs" / "guard-proofs.json").exists()
