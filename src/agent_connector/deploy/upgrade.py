"""Upgrade: everything that was chosen is rendered again by this version, and the launcher is healed.

Nothing is downloaded and no host is touched that was not chosen. How to get a newer agent-connector is said, never
done; so is that an author's file has changed since it was installed.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_connector.deploy import declaration, launcher, origin, record, versions
from agent_connector.deploy.health import with_project
from agent_connector.deploy.install import Outcome, install
from agent_connector.deploy.record import Record
from agent_connector.deploy.surfaces import Options
from agent_connector.errors import DeployError
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.version import __version__

CHANNELS = ("stable", "preview")


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What came of it: one outcome per connector, scope and project; and what there is to say."""

    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...]
    guidance: str

    @property
    def failed(self) -> bool:
        return any(outcome.failed for outcome in self.outcomes)


def upgrade(
    *,
    machine: Machine,
    root: str,
    connectors: Sequence[str] | None = None,
    channel: str = "stable",
    force: bool = False,
    dry: bool = False,
) -> Upgraded:
    """Render `connectors` (None: every one) again, in the hosts and scopes that were chosen for them."""
    known = record.connectors(root)
    for connector in connectors or ():
        if connector not in known:
            raise DeployError(f"{connector} is not installed", remedy=f"Installed: {', '.join(known) or 'none'}.")
    if not dry:
        launcher.heal(machine.home, root)
    outcomes: list[Outcome] = []
    notes: list[str] = []
    for connector in known if connectors is None else connectors:
        kept = record.load(root, connector)
        for found in _again(kept, machine, root, force, dry) if kept else ():
            if isinstance(found, Outcome):
                outcomes.append(found)
            else:
                notes.append(found)
    if not dry:
        gone = versions.prune(root, [version for _, version in launcher.pins(root)])
        notes += [f"version {version} of agent-connector is no longer used; removed from our home" for version in gone]
    return Upgraded(tuple(outcomes), tuple(notes), guidance(channel))


def _again(kept: Record, machine: Machine, root: str, force: bool, dry: bool) -> Iterator[Outcome | str]:
    """One connector in each scope and project that was chosen for it; a text is a note."""
    loaded = kept.loaded(query.nameable())
    source = loaded.model.source
    if declaration.changed(root, kept.id, source):
        yield (
            f"{kept.id}: {source.path} has changed since it was installed; "
            f"to take it over: agent-connector install --connector {source.path}"
        )
    for chosen in kept.installs:
        if chosen.project and not os.path.isdir(chosen.project):
            yield f"{kept.id}: the project {chosen.project} is gone; left out"
            continue
        yield install(
            loaded,
            machine=with_project(machine, chosen.project),
            root=root,
            hosts=chosen.hosts,
            scope=chosen.scope,
            options=Options(chosen.measure_remote, chosen.trust),
            force=force,
            dry=dry,
            copy=False,
        )


def guidance(channel: str) -> str:
    """How this very installation gets a newer version."""
    how = origin.newer(origin.origin(), origin.tool(), channel == "preview")
    return f"agent-connector {__version__} ({channel}); for a newer one: {how}; then run upgrade again"
