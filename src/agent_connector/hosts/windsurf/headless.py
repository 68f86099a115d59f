"""Devin without a person: `devin -p`. It prints text for people, and so tells us nothing: ACP is the way to drive it."""

from collections.abc import Sequence

from agent_connector.drive.events import Job, RunEvent
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "devin"
ENDPOINT = None  # its models are behind its own service
ACP = ("devin", "acp")
TEXT = True  # no records in what it prints
PROVIDERS = ("devin", "windsurf")
UPSTREAM = None
KEYS: tuple[str, ...] = ()
KEY_HEADER = "authorization"
LOGIN: tuple[str, ...] = ()
TELLS = "nothing"
SURE = sure(documented="run resume system acp")

_MODES = {"default": (), "edits": ("--permission-mode", "accept-edits"), "all": ("--permission-mode", "bypass")}


def argv(job: Job) -> list[str]:
    """Names of modes differ between versions."""
    line = [job.program or PROGRAM, *_MODES[job.approvals]]
    if job.model:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "-p", job.text]


def resume(session: str) -> list[str]:
    return ["--resume", session]


def environment(job: Job) -> dict[str, str]:
    return {}


def read(line: str) -> Sequence[RunEvent]:
    """Nothing: there are no records in the text."""
    return ()
