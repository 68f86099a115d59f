"""The files into which tokscale, a program of others, puts what a vendor's server says of an account.

For hosts that keep no counts on the machine. A person runs its `sync` first; we read what is there.
"""

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place


def caches(machine: Machine, folder: str, pattern: str, kind: str) -> list[Place]:
    """The cache of one host, in each place that tokscale has for its own folder."""
    moved = machine.variables.get("TOKSCALE_CONFIG_DIR")
    roots = [moved] if moved else [machine.join(machine.config("XDG_CONFIG_HOME", ".config"), "tokscale")]
    if machine.platform == "win32" and not moved:
        roots.append(machine.join(machine.config("APPDATA", "AppData", "Roaming"), "tokscale"))
    return [Place(machine.join(root, folder), pattern, kind) for root in roots]
