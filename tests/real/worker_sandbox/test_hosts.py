"""Real host programs in the sandboxes of this machine: they work, and their agent gets no further than the workspace.

The model is the stand-in, behind the worker's proxy: the key that it is shown is the worker's, which is nowhere inside.
"""

import asyncio
import os
from pathlib import Path

import pytest
from tests.real.runs import PROGRAMS

from agent_connector.drive.events import Job
from agent_connector.drive.outcome import Outcome
from agent_connector.drive.run import run
from agent_connector.hosts import query
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.script import Script, Step, ToolCall
from agent_connector.worker import programs
from agent_connector.worker.egress.proxy import Egress
from agent_connector.worker.sandbox import choose, launch
from agent_connector.worker.sandbox.policy import Policy

pytestmark = pytest.mark.real
KEY = "the-workers-key"
SECONDS = 120
COMMAND = "cat {secret}; echo made > made.txt; env | sort"
# host -> the name of its shell tool, the argument that is the command, the header of its key
HOSTS = {
    "claude-code": ("Bash", "command", "x-api-key"),
    "codex": ("exec_command", "cmd", "authorization"),
}


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
@pytest.mark.parametrize("host", list(HOSTS))
def test_a_host_works_inside_and_finds_nothing_of_the_person(host: str, kind: str, tmp_path: Path) -> None:
    for name in ("workspace", "home/tmp", "person"):
        (tmp_path / name).mkdir(parents=True)
    secret = tmp_path / "person" / "credentials"
    secret.write_text("mcp_abcdefgh_secret")
    tool, argument, header = HOSTS[host]
    steps = (
        Step(calls=(ToolCall("host:Bash", {argument: COMMAND.format(secret=secret), "description": "look"}),)),
        Step(say="All is done."),
    )
    with StandIn(Script(steps), "none", {"Bash": (tool,)}) as model:
        outcome, keys = asyncio.run(shut_in(host, kind, header, tmp_path, model))
    (returned,) = outcome.returned
    assert outcome.exit_code == 0 and "All is done." in outcome.said
    assert "mcp_abcdefgh_secret" not in str(returned.output) and "HOME=" in str(returned.output)
    assert (tmp_path / "workspace" / "made.txt").read_text() == "made\n"
    assert keys == {KEY} and KEY not in str(returned.output) and "BOARD_KEY" not in str(returned.output)


async def shut_in(host: str, kind: str, header: str, folder: Path, model: StandIn) -> tuple[Outcome, set[str]]:
    """The run, and the keys that the model was shown."""
    headless, shut = query.facet(host, "headless"), choose.choose(kind)
    variables = {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "home" / "tmp"),
        "IS_SANDBOX": "1",  # or Claude Code would not let root work without asking
    }
    os.environ["BOARD_KEY"] = "mcp_abcdefgh_secret"
    async with Egress() as egress:
        door = await egress.open("run", network="model", on_line=print, loopback=not shut.OWN_NETWORK)
        url = egress.add("run", model.url, KEY, header)
        policy = Policy(
            str(folder / "workspace"),
            str(folder / "home"),
            readable=programs.readable(str(PROGRAMS / headless.PROGRAM), variables["PATH"]),
            network="model",
            socket=door.socket,
            port=door.port,
        )
        job = Job(
            "Look around.",
            policy.workspace,
            program=str(PROGRAMS / headless.PROGRAM),
            endpoint=url,
            api_key=door.token,
            approvals="all",
        )
        start = launch.starter(shut, policy)
        outcome = await asyncio.to_thread(run, headless, job, variables, seconds=SECONDS, start=start)
    del os.environ["BOARD_KEY"]
    assert launch.alive(policy) == []
    return outcome, {key for request in model.requests for key in request.keys}
