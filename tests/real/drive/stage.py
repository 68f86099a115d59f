"""A real host before a stand-in model: in a home of its own, with the programs of `.hosts` first on its PATH."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.real.runs import PROGRAMS, SECRETS

from agent_connector.drive import acp, home
from agent_connector.drive.events import Job
from agent_connector.drive.hosts import FACETS
from agent_connector.drive.outcome import Outcome
from agent_connector.drive.run import run
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.model.turns import Asked
from agent_connector.rehearse.run import tool_names
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import parse
from agent_connector.rehearse.stage import stage_of

LIMIT = 180.0
MODEL = "acme-model-1"
SYSTEM = "Be brief, said the role."
COMMAND = "echo tool-ran"
DESCRIBED = {"command": COMMAND, "description": "say it"}
# How each host's shell is called.
SHELL: Mapping[str, Mapping[str, Any]] = {
    "claude-code": DESCRIBED,
    "codex": {"cmd": COMMAND},
    "gemini-cli": DESCRIBED,
    "qwen-code": {**DESCRIBED, "is_background": False},
    "copilot-cli": DESCRIBED,
    "opencode": DESCRIBED,
    "kilo-cli": DESCRIBED,
    "droid": {"command": COMMAND, "riskLevel": "low", "riskLevelReason": "x", "summary": "s", "timeout": 10},
    "cline": {"commands": [COMMAND]},
}
USAGE = {"input": 1000, "cache_read": 300, "cache_write": 0, "output": 40, "reasoning": 10}


@dataclass(frozen=True)
class Stage:
    host: str
    place: Scratch
    model: StandIn

    def job(self, prompt: str, **more: Any) -> Job:
        told = {"endpoint": self.model.url, "approvals": "all", "trust": True, "model": MODEL, **more}
        return Job(prompt, self.place.project, **told)

    @property
    def environment(self) -> dict[str, str]:
        """Claude Code approves all for root only where it is told that it is in a sandbox."""
        return {**self.place.environment, "IS_SANDBOX": "1"}

    def run(self, job: Job, **options: Any) -> Outcome:
        marks = self.place.marks
        return run(FACETS()[self.host], job, self.environment, seconds=LIMIT, marks=marks, **options)

    def talk(self, job: Job, **options: Any) -> Outcome:
        marks = self.place.marks
        return acp.run(FACETS()[self.host], job, self.environment, seconds=LIMIT, marks=marks, **options)

    def asked(self, prompt: str) -> list[Asked]:
        """The requests of the conversation in which `prompt` is the last that a person said."""
        return [one for one in self.model.requests if not one.side and one.has(prompt, "user")]


def shell(host: str) -> dict[str, Any]:
    """One step: the host's shell says that it ran."""
    return {"call": {"tool": "host:Bash", "arguments": SHELL.get(host, {"command": COMMAND})}}


@contextmanager
def staged(host: str, steps: list[dict[str, Any]]) -> Generator[Stage]:
    """All of it is gone at the end."""
    variables = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", **SECRETS}
    stage = stage_of(FACETS()[host])
    script = parse({"prompt": "unused", "usage": USAGE, "steps": steps})
    names = tool_names(host, stage)
    with scratch(variables, {}) as place, StandIn(script, "acme", names, stage.searched, stage.routed) as model:
        home.furnish(place.home, home.files(FACETS()[host], model.url, MODEL))
        yield Stage(host, place, model)
