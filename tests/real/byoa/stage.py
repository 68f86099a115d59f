"""A real ACP agent in a scratch home, pointed at the stand-in model, in a room that an app has joined."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.byoa.sessions.conftest import ORIGIN, Lines, Stage
from tests.real.runs import PROGRAMS, SECRETS
from tools.stand_in_agent import AgentStage, stand_in_agent

from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.sessions.acp_host import launch
from agent_connector.byoa.sessions.acp_room import Room
from agent_connector.byoa.sessions.typed import Typed
from agent_connector.drive import process
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.scratch import Scratch
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

LIMIT = 150.0
SETTLE = 10.0  # for what was killed to be gone
HOSTS = ("gemini-cli", "qwen-code", "opencode", "claude-code", "codex", "kimi", "copilot-cli")
NO_TOOLS = ("copilot-cli",)  # starts no server that a client hands it


@dataclass
class RealStage(Stage):
    model: StandIn
    place: Scratch

    def wait(self, seconds: float = 60.0) -> asyncio.Timeout:
        return asyncio.timeout(seconds)


Play = Callable[[RealStage], Awaitable[None]]


def play(
    host: str, steps: Sequence[dict], story: Play, prepare: Callable[[Scratch], None] = lambda place: None
) -> None:
    """Start the host's agent once and tell the story in it; everything of it is gone afterwards."""
    variables = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", **SECRETS}
    with stand_in_agent(host, steps, variables) as stage:
        prepare(stage.place)
        asyncio.run(_run(stage, story))
        until = time.monotonic() + SETTLE
        while (left := process.marked(stage.place.marks)) and time.monotonic() < until:
            time.sleep(0.1)
        assert not left, [Path("/proc", str(pid), "cmdline").read_bytes() for pid in left]


async def _run(stage: AgentStage, story: Play) -> None:
    app = ScriptedApp(ORIGIN, hold=2, mcp=ScriptedMcp({"search": lambda given: f"found {given['q']}"}))
    screen, port = Lines(), LivePort(app)
    files = RealFiles(str(Path(stage.place.home, ".byoa")))
    found = launch(stage.host, stage.arguments, stage.environment)
    room = Room(found, stage.place.project, stage.environment, files, screen, port, interactive=True)
    typed = Typed()
    told = RealStage(
        room, screen, typed, port, asyncio.create_task(room.run(typed, (ORIGIN,))), stage.model, stage.place
    )
    try:
        async with asyncio.timeout(LIMIT):
            await asyncio.wait(
                {told.running, telling := asyncio.ensure_future(story(told))}, return_when=asyncio.FIRST_COMPLETED
            )
            if not telling.done():
                telling.cancel()
                told.running.result()
            await telling
    except BaseException:
        for asked in stage.model.requests:
            last = [text[-80:] for role, text in asked.texts if role == "user"][-1:]
            print(asked.model, "side" if asked.side else "main", last)
        print("\n".join(screen.lines), "\n".join(room.agent.errors), sep="\n--\n")
        raise
    finally:
        told.running.cancel()
        await asyncio.gather(told.running, return_exceptions=True)
