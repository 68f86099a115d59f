"""Oh My Pi without a person: `omp --mode json -p`, one JSON object a line.

Its model has no MCP tool as a tool: it writes the arguments to a route that its `write` takes.
"""

import json
from collections.abc import Mapping
from typing import Any

from agent_connector.drive.events import Job
from agent_connector.hosts.dialects import pi_run
from agent_connector.hosts.dialects.sureness import sure
from agent_connector.hosts.omp.hooks import tool_name

PROGRAM = "omp"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("omp", "acp")
APPROVES_SERVERS = False  # a server's tools are approved with everything else
ACP_USAGE = "turn"
PROVIDERS = ("omp",)
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN: tuple[str, ...] = ()  # its logins are in a database of its own
TELLS = "tokens and cost of each step"
SURE = sure(proven="run endpoint resume system usage acp", documented="keys")
HOME_FILES = {
    ".omp/agent/models.yml": f"""\
providers:
  {pi_run.STAND_IN}:
    baseUrl: "@MODEL@/v1"
    api: openai-completions
    apiKey: "@KEY@"
    models:
      - id: "@NAME@"
        name: {pi_run.STAND_IN}
        reasoning: false
        input: [text]
        contextWindow: 200000
        maxTokens: 8000
        cost: {{input: 0, output: 0, cacheRead: 0, cacheWrite: 0}}
"""
}

read = pi_run.read
acp_model = pi_run.model


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, "--mode", "json"]
    if job.approvals == "all":
        line.append("--auto-approve")
    elif job.approvals == "edits":
        line += ["--approval-mode", "write"]
    if model := pi_run.model(job):
        line += ["--model", model]
    if job.system:
        line.append(f"--append-system-prompt={job.system}")
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "-p", job.prompt]


def resume(session: str) -> list[str]:
    return ["--resume", session]


def environment(job: Job) -> dict[str, str]:
    return {"PI_OFFLINE": "1"} if job.endpoint else {}


def routed(server: str, tool: str, arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], str]:
    """The call that the model makes in the place of one of the server's tool, and what the system prompt says of it."""
    route = f"xd://{tool_name(server, tool)}"
    return "write", {"path": route, "content": json.dumps(dict(arguments))}, route
