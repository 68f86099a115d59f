"""What the hosts can do, for authors and their tools: `capabilities_of`, `hosts_supporting`, `surface_support`.

    capabilities_of("codex").decisions["PreToolUse"]["ask"].verdict
    surface_support("codex", "skills")          native, skip-warn or disabled, how sure, and a line that says how
    hosts_supporting("statusline")              ids of hosts
    SURFACE_PREDICATES["memory"]("codex")       does the code for it stand there?

All of it is asked of `hosts/query.py`, the one door to what is written about a host.
"""

from agent_connector.hosts.query import (
    SURFACE_PREDICATES,
    SURFACES,
    Capabilities,
    Honour,
    SurfaceSupport,
    capabilities_of,
    hosts,
    hosts_supporting,
    surface_support,
)

__all__ = [
    "SURFACES",
    "SURFACE_PREDICATES",
    "Capabilities",
    "Honour",
    "SurfaceSupport",
    "capabilities_of",
    "hosts",
    "hosts_supporting",
    "surface_support",
]
