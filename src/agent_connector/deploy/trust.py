"""Trust that the person asked us to give (`--trust`), where it hangs on what a host's file says after our write.

Codex runs a hook only when the hash of its definition stands in the person's config.toml. The definition is read
back from the file, so this comes after it was written.
"""

import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Change, FileResult, Report
from agent_connector.deploy.identity import identity, marks
from agent_connector.deploy.plan import TRUST
from agent_connector.deploy.undo import releases
from agent_connector.home import ledger
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Key

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Trust


def give(report: Report, machine: Machine, root: str) -> Report:
    """`report` and what came of giving trust to the hooks that it brought about."""
    wanted: list[Change] = []
    hooked = {(c.owner, c.scope, c.file) for c in report.changes if c.surface == "hooks" and c.node and c.op in "+~="}
    for owner, scope, file in sorted(hooked):
        facet = query.trust(owner[1])
        if facet is not None:
            wanted += _hooks(facet, owner, scope, file, machine)
            wanted += _project(facet, owner, scope, machine)
    asked = {(change.owner, identity(change.node)) for change in wanted if change.node}
    gone = [
        change
        for owner in dict.fromkeys(change.owner for change in wanted)
        for change in releases(ledger.load(root), connector=owner[0], hosts=[owner[1]])
        if change.surface == TRUST and change.node and (owner, identity(change.node)) not in asked
    ]
    return joined(report, apply([*gone, *wanted], root=root)) if wanted else report


def _hooks(facet: "Trust", owner: tuple[str, str], scope: str, file: str, machine: Machine) -> Iterator[Change]:
    for name, value in facet.states(file, _hooks_of(file), marks(owner[0])).items():
        yield _key(owner, scope, machine, (*facet.PATH, name), value)


def _project(facet: "Trust", owner: tuple[str, str], scope: str, machine: Machine) -> Iterator[Change]:
    if scope == "project" and machine.project and hasattr(facet, "project"):
        path, value = facet.project(machine.project)
        yield _key(owner, scope, machine, path, value)


def _key(owner: tuple[str, str], scope: str, machine: Machine, path: tuple[str, ...], value: Any) -> Change:
    """Trust is kept in the person's own file, in every scope."""
    file = query.places(owner[1]).files("user", machine)["server"]
    register = query.register(owner[1])
    node = Key(file, register.FORMAT if register else "json", path, value)
    return Change("+", owner[1], TRUST, scope, file, node, owner)


def _hooks_of(file: str) -> Mapping[str, Any]:
    if not os.path.exists(file):
        return {}
    with open(file, encoding="utf-8-sig") as stream:
        content = json.load(stream)
    found = content.get("hooks", {}) if isinstance(content, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return cast("Mapping[str, Any]", found)


def joined(first: Report, second: Report) -> Report:
    """Two reports in a row as one: a file that both changed went from the first's bytes to the second's."""
    files = {result.file: result for result in first.files}
    for result in second.files:
        before = files.get(result.file)
        files[result.file] = FileResult(
            result.file, before.before if before else result.before, result.after, (before or result).backup
        )
    return Report((*first.changes, *second.changes), tuple(files.values()))
