"""How a host is recognised: its program on PATH, what it leaves in the person's home, what it calls itself as a client."""

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


def is_client(client: str, name: str) -> bool:
    """True when `client` is one of those that `name` of CLIENT_NAMES means: one that ends with `*` is a beginning."""
    return client.startswith(name[:-1]) if name.endswith("*") else client == name
