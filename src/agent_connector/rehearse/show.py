"""A rehearsal for people and for programs."""

from collections.abc import Iterator
from typing import Any

from agent_connector.rehearse.findings import Rehearsal

_SIGNS = {"ok": "ok", "failed": "FAILED", "unseen": "unseen"}


def lines(rehearsal: Rehearsal) -> Iterator[str]:
    """What was found, one line each, failures last where they are noticed."""
    yield (
        f"{rehearsal.host}: {rehearsal.connector} on {rehearsal.program}, "
        f"{rehearsal.requests} model requests, {rehearsal.seconds:.1f} s"
    )
    width = max((len(finding.check) for finding in rehearsal.findings), default=0)
    for finding in rehearsal.findings:
        yield f"  {_SIGNS[finding.state]:6}  {finding.check:{width}}  {finding.detail}".rstrip()
    for note in rehearsal.notes:
        yield f"  note    {note}"
    for step in rehearsal.steps:
        yield f"  to do   {step}"
    if rehearsal.kept:
        yield f"  kept    {rehearsal.kept}"
    counts = {state: sum(f.state == state for f in rehearsal.findings) for state in _SIGNS}
    yield f"{counts['ok']} seen, {counts['failed']} failed, {counts['unseen']} could not be seen"


def plain(rehearsal: Rehearsal) -> dict[str, Any]:
    """The same for `--json`."""
    return {
        "host": rehearsal.host,
        "program": rehearsal.program,
        "connector": rehearsal.connector,
        "ok": rehearsal.ok,
        "seconds": round(rehearsal.seconds, 2),
        "requests": rehearsal.requests,
        "findings": [
            {"check": finding.check, "state": finding.state, "detail": finding.detail} for finding in rehearsal.findings
        ],
        "notes": list(rehearsal.notes),
        "steps": list(rehearsal.steps),
        "kept": rehearsal.kept,
    }
