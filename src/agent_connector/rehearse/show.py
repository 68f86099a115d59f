"""A rehearsal for people and for programs."""

from collections.abc import Iterator
from typing import Any

from agent_connector.rehearse.findings import Rehearsal

SIGNS = {"ok": "ok", "failed": "FAILED", "unseen": "unseen"}


def rows(rehearsal: Rehearsal) -> Iterator[tuple[str, str, str]]:
    """(sign, what, detail) of everything that there is to say, in order."""
    for finding in rehearsal.findings:
        yield SIGNS[finding.state], finding.check, finding.detail
    for variable in rehearsal.made_up:
        yield "note", variable, f"has a made-up value; --give {variable}=VALUE hands over another"
    for surface, text in rehearsal.notes:
        yield "note", surface, text
    for surface, text in rehearsal.steps:
        yield "to do", surface, text
    if rehearsal.kept:
        yield "kept", "", rehearsal.kept


def head(rehearsal: Rehearsal) -> str:
    """What was run."""
    return (
        f"{rehearsal.connector} on {rehearsal.program}: "
        f"{rehearsal.requests} requests to the model, {rehearsal.seconds:.1f} s"
    )


def summary(rehearsal: Rehearsal) -> str:
    """How many of each."""
    seen, failed, unseen = (sum(f.state == state for f in rehearsal.findings) for state in SIGNS)
    return f"{seen} seen, {failed} failed, {unseen} could not be seen"


def plain(rehearsal: Rehearsal) -> dict[str, Any]:
    """All of it for `--json`."""
    return {
        "host": rehearsal.host,
        "program": rehearsal.program,
        "connector": rehearsal.connector,
        "ok": rehearsal.ok,
        "seconds": round(rehearsal.seconds, 2),
        "requests": rehearsal.requests,
        "findings": [{"check": f.check, "state": f.state, "detail": f.detail} for f in rehearsal.findings],
        "made_up": list(rehearsal.made_up),
        "notes": [{"surface": surface, "text": text} for surface, text in rehearsal.notes],
        "steps": [{"surface": surface, "text": text} for surface, text in rehearsal.steps],
        "kept": rehearsal.kept,
    }
