"""Uninstall: every node that the ledger says is ours goes, memory first; then what we remember; then, asked to, our home."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from agent_connector.deploy import record
from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Change, Report
from agent_connector.deploy.plan import TRUST
from agent_connector.deploy.scan import ids as scanned
from agent_connector.deploy.scan import scan as scan_files
from agent_connector.deploy.scan import spot
from agent_connector.deploy.undo import releases
from agent_connector.errors import DeployError
from agent_connector.home import ledger, lock, paths, private
from agent_connector.home.recover import follow_moves
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine


@dataclass(frozen=True, slots=True)
class Removal:
    """What an uninstall did, or (`dry`) would do. `gone` are connectors that are installed nowhere any more."""

    connectors: tuple[str, ...]
    gone: tuple[str, ...]
    report: Report
    purged: bool = False
    dry: bool = False

    @property
    def failed(self) -> bool:
        return self.report.failed


def uninstall(
    *,
    machine: Machine,
    root: str,
    connector: str | None = None,
    hosts: Sequence[str] | None = None,
    scope: str | None = None,
    purge: bool = False,
    scan: bool = False,
    force: bool = False,
    dry: bool = False,
) -> Removal:
    """Take `connector` (None: every one) out of `hosts` (None: all that it is in)."""
    for host in hosts or ():
        query.known(host)
    known = follow_moves(ledger.load(root))
    installed = {*record.connectors(root), *(owner[0] for _, row in known.rows() for owner in row.owners)}
    if scan and connector is None:
        installed.update(scanned(machine, hosts))
    connectors = tuple(sorted(installed)) if connector is None else (connector,)
    if connector is not None and connector not in installed and not scan:
        there = f"Installed: {', '.join(sorted(installed))}." if installed else "No connector is installed."
        raise DeployError(
            f"{connector} is not installed", remedy=f"{there} Without our records, find its entries with --scan."
        )
    changes = _changes(known, connectors, hosts, scope, machine, scan)
    if dry:
        return Removal(connectors, (), apply(changes, root=root, force=force, dry=True), dry=True)
    with lock.held(root):
        report = apply(changes, root=root, force=force)
        gone = tuple(each for each in connectors if _forget(root, each, hosts, scope, machine))
    purged = purge and not report.failed and not record.connectors(root)
    if purged:
        _purge(root, machine)
    return Removal(connectors, gone, report, purged)


def _changes(
    known: ledger.Ledger,
    connectors: Sequence[str],
    hosts: Sequence[str] | None,
    scope: str | None,
    machine: Machine,
    scan: bool,
) -> list[Change]:
    project = machine.project
    changes: list[Change] = []
    for connector in connectors:
        owned = releases(known, connector=connector, hosts=hosts, scope=scope)
        # Trust for a project's hooks stands in the person's own file, so it has no project of its own.
        changes += [c for c in owned if project is None or c.project == project or c.surface == TRUST]
    if scan:
        seen = {spot(change) for change in changes} | {(change.file, change.owner) for change in changes}
        found = scan_files(machine, connectors, hosts)
        changes += [c for c in found if spot(c) not in seen and (c.file, c.owner) not in seen]
    return changes


def _forget(
    root: str,
    connector: str,
    hosts: Sequence[str] | None,
    scope: str | None,
    machine: Machine,
) -> bool:
    """What was chosen is chosen no more. True when the connector is in no host now, and its folder is gone."""
    kept = record.load(root, connector)
    if kept is not None:
        for install in kept.installs:
            here = machine.project is None or install.project == machine.project
            if scope in (None, install.scope) and here:
                kept = kept.without(install.scope, install.project, hosts or install.hosts)
        if kept.installs:
            record.store(root, kept)
            return False
    shutil.rmtree(paths.connector_folder(root, connector), ignore_errors=True)
    return True


def _purge(root: str, machine: Machine) -> None:
    """Our whole home, by name: a data root that a person chose may hold other things."""
    for folder in (
        paths.versions_folder(root),
        paths.connectors_folder(root),
        paths.environments_folder(root),
        paths.telemetry_folder(root),
        paths.backups_folder(root),
        os.path.join(root, "claims"),
        paths.bin_folder(machine.home),
    ):
        shutil.rmtree(folder, ignore_errors=True)
    hooks_log = paths.hooks_log(root)
    for file in (paths.pins(root), paths.ledger(root), paths.lock(root), hooks_log, hooks_log + ".1"):
        private.remove(file)
    for folder in dict.fromkeys((root, os.path.dirname(paths.bin_folder(machine.home)))):
        if os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
