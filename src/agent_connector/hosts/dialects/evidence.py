"""Why a host is thought to be installed: its program on PATH, and what it leaves in the person's home."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

PROGRAM = 0.95


def evidence(machine: "Machine", programs: "Sequence[str]", traces: "Sequence[tuple[str, float]]") -> "Evidence | None":
    """`traces` are paths with the confidence that each alone gives; the strongest one counts."""
    found: list[str] = []
    confidence = 0.0
    program = next((path for name in programs if (path := machine.which(name))), None)
    if program:
        found.append(program)
        confidence = PROGRAM
    for path, weight in traces:
        if machine.exists(path):
            found.append(path)
            confidence = max(confidence, weight)
    return {"confidence": confidence, "found": found, "program": program} if found else None
