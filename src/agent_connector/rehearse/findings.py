"""What a rehearsal found: one line for each thing that was looked at, and whether it was seen."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "failed", "unseen"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`ok`: seen as it should be; `failed`: seen to be otherwise; `unseen`: could not be seen, and why."""

    check: str
    state: State
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """One host's rehearsal.

    `steps` are what a person still has to do in real life and `notes` what install had to say, as (surface, text);
    `made_up` names variables of the server that got a value of ours; `kept` is the scratch folder, when it was kept.
    """

    host: str
    program: str
    connector: str
    findings: tuple[Finding, ...]
    seconds: float
    requests: int
    steps: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    made_up: tuple[str, ...] = ()
    kept: str | None = None

    @property
    def ok(self) -> bool:
        return not any(finding.state == "failed" for finding in self.findings)
