"""Taking back what the ledger says is ours. It starts from the ledger, not from a declaration."""

import os
from collections.abc import Collection

from agent_connector.deploy.carry import carry, preview
from agent_connector.deploy.change import Change, Report
from agent_connector.deploy.identity import node_of
from agent_connector.home import ledger
from agent_connector.home.ledger import FileRecord, Ledger

MEMORY = "memory"  # installed last, removed first


def undo(
    root: str,
    *,
    connector: str | None = None,
    hosts: Collection[str] | None = None,
    scope: str | None = None,
    project: str | None = None,
    force: bool = False,
    dry: bool = False,
) -> Report:
    """Release every node of the matching owners. None matches all. `force` removes also what was changed since."""
    known = ledger.load(root)
    changes = releases(known, connector=connector, hosts=hosts, scope=scope, project=project)
    return preview(root, changes, force=force) if dry else carry(root, changes, force=force)


def releases(
    known: Ledger,
    *,
    connector: str | None = None,
    hosts: Collection[str] | None = None,
    scope: str | None = None,
    project: str | None = None,
) -> list[Change]:
    """A `-` for each share that a matching owner has in a node: memory first, the rest last in, first out."""
    found = [
        Change(
            "-", owner[1], row.surface, row.scope, _file(record), node_of(record, row), owner, project=record.project
        )
        for record, row in known.rows(connector)
        for owner in row.owned_by(connector, None)
        if (hosts is None or owner[1] in hosts)
        and scope in (None, row.scope)
        and (project is None or (record.project and os.path.realpath(record.project) == os.path.realpath(project)))
    ]
    found.reverse()
    return sorted(found, key=lambda change: change.surface != MEMORY)


def _file(record: FileRecord) -> str:
    """The path as the host names it, unless that leads to another file by now."""
    return record.path if os.path.realpath(record.path) == record.target else record.target
