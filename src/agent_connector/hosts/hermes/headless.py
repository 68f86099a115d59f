"""Hermes Agent without a person: `hermes -z` prints the answer and no events, so nothing is read of it; ACP tells all."""

from collections.abc import Sequence

from agent_connector.drive.events import Job, RunEvent
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "hermes"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("hermes", "acp")
APPROVES_SERVERS = False  # such a run approves by itself
ACP_USAGE = "turn"  # it grows while the agent runs, which is one turn here; with what the cache gave in the input
ACP_CACHE_IN_INPUT = True
TEXT = True  # no records in what it prints
PROVIDERS = ("hermes", "nous")
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".hermes/.env", ".hermes/auth.json", ".hermes/config.yaml")
TELLS = "nothing"
SURE = sure(proven="run endpoint system acp", documented="resume keys", uncertain="login")
HOME_FILES = {
    ".hermes/config.yaml": """\
model:
  provider: custom
  default: "@NAME@"
  base_url: "@MODEL@/v1"
  api_key: "@KEY@"
  context_length: 128000
"""
}


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM]
    if job.model:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, f"--oneshot={job.text}"]


def resume(session: str) -> list[str]:
    return ["--resume", session]


def environment(job: Job) -> dict[str, str]:
    """Without a terminal a hook that the person has not agreed to would be passed over."""
    return {"HERMES_ACCEPT_HOOKS": "1"} if job.trust else {}


def read(line: str) -> Sequence[RunEvent]:
    return ()
