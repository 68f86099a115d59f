"""MiMoCode without a person: `mimo run --format json`, one JSON object a line."""

from agent_connector.drive.events import Job
from agent_connector.hosts.dialects import opencode_run
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "mimo"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("mimo", "acp")
PROVIDERS = ("mimo", "xiaomi")
UPSTREAM = opencode_run.UPSTREAM
KEYS = opencode_run.KEYS
KEY_HEADER = opencode_run.KEY_HEADER
LOGIN = (".local/share/mimocode/auth.json",)
TELLS = "tokens and cost of each step"
SURE = sure(documented="run resume system acp", uncertain="endpoint usage keys login")
HOME_FILES = opencode_run.HOME_FILES

resume = opencode_run.resume
read = opencode_run.read


def argv(job: Job) -> list[str]:
    return opencode_run.argv(job, PROGRAM, "--dangerously-skip-permissions")


def environment(job: Job) -> dict[str, str]:
    """What is added to the run's environment; a stand-in model is told here, so that no file is touched."""
    return opencode_run.environment(job, "MIMOCODE")
