"""What Oh My Pi wrote down of its model calls: session files like Pi's, below a line that holds the title.

How a folder's name is made of the project changed between versions, so all folders are walked. Forks give the entries
that they copy new ids. `omp stats` makes a database of the same files: it is not read.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects import pi_sessions
from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "proven"
MERGE = "last"
NOTE = ""
SOURCES = (
    ("files of omp 18.2.3 after a scripted run", "2026-11-30"),
    ("docs of @oh-my-pi/pi-coding-agent 18.3.4", "2026-11-30"),
)


def read(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """As Pi's; a file in a folder that is named like a session is that session's subagent."""
    above = name_of(source.path, 1)
    if not state and "_" in above and above[:1].isdigit():
        state["parent"], state["agent"] = pi_sessions.session_of_file(above), "subagent"
    return pi_sessions.read(lines, state, source, pi_sessions.by_content)


READERS = {"session": Reader("lines", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The sessions of the default profile and of all named ones."""
    root = machine.join(machine.home, machine.variables.get("PI_CONFIG_DIR") or ".omp")
    agent = machine.variables.get("PI_CODING_AGENT_DIR") or machine.join(root, "agent")
    return [
        Place(machine.join(agent, "sessions"), "**/*.jsonl", "session"),
        Place(machine.join(root, "profiles"), "*/agent/sessions/**/*.jsonl", "session"),
    ]
