"""What Pi wrote down of its model calls: its session files.

`/fork` and `/clone` copy entries, with their ids and times, into a file of their own.
"""

from collections.abc import Sequence

from agent_connector.hosts.dialects import pi_sessions
from agent_connector.hosts.dialects.usage_places import LIST, is_absolute
from agent_connector.hosts.dialects.usage_values import decode, folder, mapping
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader

SURE = "proven"
MERGE = "last"
NOTE = ""
SOURCES = (
    ("files of pi 1.6.0 after a scripted run", "2026-11-30"),
    ("docs/session-format.md of @earendil-works/pi-coding-agent 1.6.0", "2026-11-30"),
)


def moved(data: bytes, machine: Machine) -> list[Place]:
    """The folder of sessions that the person's settings name; one below a project cannot be known from here."""
    named = folder(mapping(decode(data)).get("sessionDir"))
    if named.startswith("~"):
        named = machine.join(machine.home, named[1:].lstrip("/\\"))
    return [Place(named, "**/*.jsonl", "session")] if is_absolute(machine, named) else []


READERS = {"session": Reader("lines", 1, pi_sessions.read), "settings": LIST}
LISTS = {"settings": moved}


def logs(machine: Machine) -> Sequence[Place]:
    """The folder of sessions, whatever moves it."""
    base = machine.config("PI_CODING_AGENT_DIR", ".pi", "agent")
    own = machine.variables.get("PI_CODING_AGENT_SESSION_DIR")
    folders = dict.fromkeys((own, machine.join(base, "sessions")))
    return [
        *(Place(each, "**/*.jsonl", "session") for each in folders if each),
        Place(base, "settings.json", "settings"),
    ]
