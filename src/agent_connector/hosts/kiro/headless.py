"""Kiro's CLI without a person. It prints text for people, and so tells us nothing: ACP is the way to drive it."""

from collections.abc import Sequence

from agent_connector.drive.events import Job, RunEvent
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "kiro-cli"
ENDPOINT = None  # its models are behind its own service
ACP = ("kiro-cli", "acp")
TEXT = True  # no records in what it prints
PROVIDERS = ("kiro",)
UPSTREAM = None
KEYS = ("KIRO_API_KEY",)
KEY_HEADER = "authorization"
LOGIN: tuple[str, ...] = ()
TELLS = "nothing"
SURE = sure(documented="run resume system acp keys")


def argv(job: Job) -> list[str]:
    """The newer engine, which runs the hooks that we write."""
    line = [job.program or PROGRAM, "chat", "--no-interactive", "--v3"]
    if job.approvals == "all":
        line += ["--trust-all-tools"]
    elif job.approved_servers:
        line += ["--trust-tools=" + ",".join(f"@{server}" for server in job.approved_servers)]
    if job.model:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--", job.text]


def resume(session: str) -> list[str]:
    return ["--resume-id", session]


def environment(job: Job) -> dict[str, str]:
    return {}


def read(line: str) -> Sequence[RunEvent]:
    """Nothing: there are no records in the text."""
    return ()
