"""Crush without a person: `crush run` prints the answer and no events, so nothing is read of it. It approves all."""

from collections.abc import Sequence

from agent_connector.drive.events import Job, RunEvent
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "crush"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP: tuple[str, ...] = ()
APPROVES_SERVERS = False  # such a run approves by itself
TEXT = True  # no records in what it prints
PROVIDERS = ("crush", "charm")
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".local/share/crush/crush.json",)
TELLS = "nothing"
SURE = sure(documented="run endpoint resume system keys login")
HOME_FILES = {
    ".local/share/crush/crush.json": """{
  "providers": {
    "stand-in": {
      "type": "openai-compat",
      "base_url": "@MODEL@/v1",
      "api_key": "@KEY@",
      "models": [{ "id": "@NAME@", "name": "Stand-in", "context_window": 128000, "default_max_tokens": 8000 }]
    }
  },
  "models": {
    "large": { "provider": "stand-in", "model": "@NAME@" },
    "small": { "provider": "stand-in", "model": "@NAME@" }
  }
}
"""
}


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, "run", "--quiet"]
    if job.model:
        line += ["--model", f"stand-in/{job.model}" if job.endpoint else job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--", job.text]


def resume(session: str) -> list[str]:
    return ["--session", session]


def environment(job: Job) -> dict[str, str]:
    return {"CRUSH_DISABLE_METRICS": "1"} if job.endpoint else {}


def read(line: str) -> Sequence[RunEvent]:
    return ()
