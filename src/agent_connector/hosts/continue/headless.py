"""Continue's CLI without a person: `cn -p --format json` prints one object with the answer, and no calls."""

from collections.abc import Sequence

from agent_connector.drive.events import Finished, Job, Noticed, RunEvent
from agent_connector.hosts.dialects.stream_json import record
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "cn"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP: tuple[str, ...] = ()
APPROVES_SERVERS = False  # what servers offer runs without a question
TEXT = True  # no records in what it prints but the answer
PROVIDERS = ("continue",)
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".continue/config.yaml",)
TELLS = "nothing"
SURE = sure(proven="run endpoint", documented="resume system keys login")
HOME_FILES = {
    ".continue/config.yaml": """\
name: Local
version: 1.0.0
schema: v1
models:
  - name: Stand-in
    provider: openai
    model: "@NAME@"
    apiBase: "@MODEL@/v1"
    apiKey: "@KEY@"
    roles: [chat]
    capabilities: [tool_use]
"""
}

_MODES = {"default": (), "edits": ("--allow", "Edit", "--allow", "MultiEdit", "--allow", "Write"), "all": ("--auto",)}


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, "--print", "--format", "json", *_MODES[job.approvals]]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, job.text]


def resume(session: str) -> list[str]:
    """It goes on in a copy: there is no word for the session itself."""
    return ["--fork", session]


def environment(job: Job) -> dict[str, str]:
    return {"CONTINUE_TELEMETRY_ENABLED": "0"}


def read(line: str) -> Sequence[RunEvent]:
    """An answer that is no JSON comes wrapped; one that is comes as it is, and cannot be told from other lines."""
    said = record(line)
    if isinstance(said.get("response"), str):
        return (Finished(ok=said.get("status") == "success", reason=said.get("status"), text=said["response"]),)
    if said.get("status") and said.get("message"):
        return (Noticed(str(said["status"]), str(said["message"])),)
    return ()
