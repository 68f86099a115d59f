"""Pi without a person: `pi --mode json -p`, one JSON object a line. It asks for no leave: every tool runs."""

import json

from agent_connector.drive.events import Job
from agent_connector.hosts.dialects import pi_run
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "pi"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("pi-acp",)
ACP_PACKAGE = "pi-acp"
PROVIDERS = ("pi",)
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".pi/agent/auth.json",)
TELLS = "tokens and cost of each step"
SURE = sure(proven="run endpoint resume system usage acp", documented="keys login")
HOME_FILES = {
    ".pi/agent/models.json": json.dumps(
        {
            "providers": {
                pi_run.STAND_IN: {
                    "baseUrl": "@MODEL@/v1",
                    "api": "openai-completions",
                    "apiKey": "@KEY@",
                    "models": [{"id": "@NAME@", "contextWindow": 200_000, "maxTokens": 8_000}],
                }
            }
        }
    )
}

read = pi_run.read
acp_model = pi_run.model


def argv(job: Job) -> list[str]:
    """The command line; `--approve` trusts the project's own files for this run."""
    line = [job.program or PROGRAM, "--mode", "json", "-p"]
    if job.trust:
        line.append("--approve")
    if model := pi_run.model(job):
        line += ["--model", model]
    if job.system:
        line += ["--append-system-prompt", job.system]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, job.prompt]


def resume(session: str) -> list[str]:
    return ["--session", session]


def environment(job: Job) -> dict[str, str]:
    return {"PI_OFFLINE": "1"} if job.endpoint else {}
