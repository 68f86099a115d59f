"""A real ACP agent in a scratch home, with the stand-in model behind it: for the demo of byoa and for the tests of real hosts.

with stand_in_agent("gemini-cli", steps, os.environ) as stage:
    Room(launch(stage.host, stage.arguments, stage.environment), stage.place.project, stage.environment, ...)
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from agent_connector.drive import acp
from agent_connector.drive.events import Job
from agent_connector.hosts import query
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import furnish, tool_names
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import parse
from agent_connector.rehearse.stage import stage_of

SERVER = "byoa"


@dataclass(frozen=True)
class AgentStage:
    host: str
    place: Scratch
    model: StandIn
    environment: Mapping[str, str]
    arguments: Sequence[str]


@contextmanager
def stand_in_agent(host: str, steps: Sequence[dict[str, Any]], variables: Mapping[str, str]) -> Generator[AgentStage]:
    """Nothing is started yet but the model; all of it is gone at the end."""
    headless = query.headless(host)
    stage = stage_of(headless)
    script = parse({"prompt": "unused", "steps": list(steps)})
    with scratch(variables, {}) as place, StandIn(script, SERVER, tool_names(host, stage), stage.searched) as model:
        furnish(place, stage, model.url)
        job = Job("", place.project, endpoint=model.url, trust=True)
        environment = {**place.environment, **acp.environment(headless, job)}
        yield AgentStage(host, place, model, environment, acp.argv(headless, job)[len(headless.ACP) :])
