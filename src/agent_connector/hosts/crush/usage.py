"""What Crush wrote down of its model calls: a database in each project, and a list of them.

A session's cost is a sum and can be trusted. Its token columns are not sums: they hold the size of the last request, so
no tokens are taken from them. A subagent's session adds its cost to the one that it works for.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import LIST, local_data, xdg_data
from agent_connector.hosts.dialects.usage_tables import Row, columns, need, rows
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    dig,
    fingerprint,
    folder,
    mapping,
    moment,
    money,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "documented"
MERGE = "last"
NOTE = "Crush keeps what a session cost, and of tokens only the size of the last request: no tokens are shown"
SOURCES = (("source of charmbracelet/crush, about 0.90", "2026-11-30"),)


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The sessions that changed since the last time, a unit for each model that answered in them."""
    need(connection, "sessions", "id", "parent_session_id", "cost", "updated_at")
    since = count(state.get("since"))
    whose = rows(
        connection, "sessions", ("id", "parent_session_id", "cost", "updated_at"), "WHERE updated_at >= ?", (since,)
    )
    for session in list(whose):
        state["since"] = max(count(state.get("since")), count(session["updated_at"]))
        if not session["parent_session_id"]:
            yield from _session(connection, session, _project(source.path))


def _session(connection: sqlite3.Connection, session: Row, project: str) -> Iterator[Record]:
    """The cost stands at the model that answered most: the host does not split it."""
    answers = _answers(connection, session["id"])
    cost = money(session["cost"]) or None  # 0 is what it keeps for a model without a price
    for place, ((provider, model), number) in enumerate(answers.most_common() or [(("", ""), 1 if cost else 0)]):
        if number:
            yield Record(
                key=fingerprint(session["id"], provider, model),
                session=name(session["id"]),
                time=moment(session["updated_at"]),
                model=model,
                provider=provider,
                project=project,
                requests=number,
                cost=None if place else cost,
            )


def _answers(connection: sqlite3.Connection, session: Any) -> Counter[tuple[str, str]]:
    if "role" not in columns(connection, "messages"):
        return Counter()
    answers = "WHERE session_id = ? AND role = 'assistant' ORDER BY rowid"
    found = rows(connection, "messages", ("provider", "model"), answers, (session,))
    return Counter((name(each["provider"]), name(each["model"])) for each in found)


def _project(path: str) -> str:
    """The folder that the database's own one, `.crush`, lies in; a data folder that was moved says nothing."""
    above = path.replace("\\", "/").rpartition("/")[0]
    return folder(above.removesuffix("/.crush")) if above.endswith("/.crush") else ""


def projects(data: bytes, machine: Machine) -> list[Place]:
    """The data folders in the list of projects that were opened."""
    listed = [mapping(each) for each in sequence(dig(decode(data), "projects"))]
    folders = [folder(each.get("data_dir")) for each in listed]
    return [Place(each, "crush.db", "project") for each in dict.fromkeys(folders) if each]


READERS = {"project": Reader("database", 1, read), "projects": LIST}
LISTS = {"projects": projects}


def logs(machine: Machine) -> Sequence[Place]:
    """The list of projects in the state folder."""
    folder = local_data if machine.platform == "win32" else xdg_data
    return [Place(machine.variables.get("CRUSH_GLOBAL_DATA") or folder(machine, "crush"), "projects.json", "projects")]
