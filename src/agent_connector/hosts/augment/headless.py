"""Auggie without a person: `auggie --print`, with one JSON object at the end. It takes no stand-in model."""

from collections.abc import Sequence

from agent_connector.drive.events import Finished, Job, RunEvent
from agent_connector.hosts.dialects.stream_json import record
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "auggie"
ENDPOINT = None  # its models are behind its own service
ACP = ("auggie", "--acp")
PROVIDERS = ("augment", "auggie")
UPSTREAM = None
KEYS = ("AUGMENT_SESSION_AUTH",)
KEY_HEADER = "authorization"
LOGIN = (".augment/session.json",)
TELLS = "nothing"
SURE = sure(documented="run resume system acp", uncertain="keys login")


def argv(job: Job) -> list[str]:
    """There is no word that allows everything: what is allowed is said for each tool, in `extra` or in the settings."""
    line = [job.program or PROGRAM, "--output-format", "json"]
    if job.model:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--print", job.text]


def resume(session: str) -> list[str]:
    return ["--resume", session]


def environment(job: Job) -> dict[str, str]:
    return {}


def read(line: str) -> Sequence[RunEvent]:
    """The result; it tells no tokens. Nothing is printed before it."""
    said = record(line)
    if said.get("type") != "result":
        return ()
    text = said.get("result")
    return (
        Finished(
            ok=not said.get("is_error"),
            reason=said.get("subtype"),
            text=text if isinstance(text, str) else None,
            session=said.get("session_id"),
            turns=said.get("num_turns"),
        ),
    )
