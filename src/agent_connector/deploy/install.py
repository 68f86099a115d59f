"""Install: plan, our own home, then the hosts' files, then what was chosen is remembered.

Nothing of a host is written before what its entries point to is there: the launcher, the author's copy, the manifest.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent_connector.connector.load import Loaded
from agent_connector.connector.model import ConnectorModel
from agent_connector.deploy import declaration, record, trust
from agent_connector.deploy.advice import advice
from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Report
from agent_connector.deploy.detect import detect
from agent_connector.deploy.launcher import heal
from agent_connector.deploy.plan import Plan, Remark, plan
from agent_connector.deploy.record import Install, Record
from agent_connector.deploy.surfaces import Options
from agent_connector.errors import DeployError
from agent_connector.home import environments, ledger, lock, paths
from agent_connector.home.recover import follow_moves
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.version import __version__


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an install did, or (`dry`) would do."""

    connector: str
    version: str
    scope: str
    hosts: tuple[str, ...]
    report: Report
    remarks: tuple[Remark, ...]
    warnings: tuple[str, ...] = ()
    dry: bool = False

    @property
    def failed(self) -> bool:
        return self.report.failed


def install(
    loaded: Loaded,
    *,
    machine: Machine,
    root: str,
    hosts: Sequence[str] | None = None,
    scope: str = "user",
    options: Options | None = None,
    force: bool = False,
    dry: bool = False,
    copy: bool = True,
) -> Outcome:
    """Install into `hosts` (None: those that were named before, else those that are here).

    `copy` False keeps the author's code as it is in our home.
    """
    model = loaded.model
    known = follow_moves(ledger.load(root))
    before = record.load(root, model.id)
    same = before.at(scope, machine.project if scope == "project" else None) if before else []
    named = all(each.named for each in same) if same else hosts is not None
    if hosts is None and named:
        meant = model.targets
        hosts = [host for each in same for host in each.hosts if meant is None or host in meant]
    targets = choose(model, hosts, machine)
    options = options or Options()
    # Trust once given is not taken back by the next install.
    options = replace(options, trust=options.trust or any(each.trust for each in same))
    planned = plan(
        model,
        targets,
        scope,
        machine,
        paths.launcher_path(machine.home, machine.platform),
        known=known,
        options=options,
        others=before.hosts if before else (),
    )
    if dry:
        report = apply(planned.changes, root=root, force=force, dry=True)
        return _outcome(loaded, scope, machine, planned, report, before, dry=True)
    with lock.held(root):
        _settle_home(loaded, planned, machine, root, copy)
        report = apply(planned.changes, root=root, force=force)
        if options.trust:
            report = trust.give(report, machine, root)
        _remember(loaded, planned, scope, machine, root, options, named)
    return _outcome(loaded, scope, machine, planned, report, before)


def choose(model: ConnectorModel, hosts: Sequence[str] | None, machine: Machine) -> tuple[str, ...]:
    """The hosts to install into: those named, else those detected, of those that the connector is for."""
    allowed = model.targets
    if hosts is None:
        found = [detected.host for detected in detect(machine) if detected.sure]
        chosen = tuple(host for host in found if allowed is None or host in allowed)
        if not chosen:
            names = ", ".join(query.facts(host).NAME for host in query.hosts())
            raise DeployError(
                "no host was found on this machine" if not found else "none of the hosts here is among its targets",
                remedy=f"Name one with --targets to install all the same. Known: {names}.",
            )
        return chosen
    for host in hosts:
        query.known(host)
        if allowed is not None and host not in allowed:
            raise DeployError(f"{model.id} is not meant for {host}", remedy=f"Its targets: {', '.join(allowed)}.")
    return tuple(dict.fromkeys(hosts))


def _settle_home(loaded: Loaded, planned: Plan, machine: Machine, root: str, copy: bool) -> None:
    heal(machine.home, root)
    environments.settle(root, loaded.model.id, loaded.model.source.requires)
    declaration.settle(root, loaded.model, planned.shares_hooks, copy=copy)


def _remember(
    loaded: Loaded, planned: Plan, scope: str, machine: Machine, root: str, options: Options, named: bool
) -> None:
    """The chosen hosts, by the scope that each really got."""
    model = loaded.model
    kept = record.load(root, model.id) or Record(model.id, {})
    kept = replace(kept, stored=loaded.stored, framework=__version__)
    forced = {host: model.platform(host).scope for host in planned.hosts}
    scopes = {host: own.word if own is not None else scope for host, own in forced.items()}
    for each in dict.fromkeys(scopes.values()):
        project = machine.project if each == "project" else None
        these = tuple(host for host in planned.hosts if scopes[host] == each)
        kept = kept.chosen(Install(each, project, these, options.measure_remote, options.trust, named))
    record.store(root, kept)


def _outcome(
    loaded: Loaded,
    scope: str,
    machine: Machine,
    planned: Plan,
    report: Report,
    before: Record | None,
    dry: bool = False,
) -> Outcome:
    model = loaded.model
    was, now = before.origin if before else "", Record(model.id, loaded.stored).origin
    moved = (f"until now {model.id} came from {was}",) if was not in ("", now) else ()
    warnings = (*loaded.warnings, *moved, *advice(model, scope, machine))
    return Outcome(model.id, model.version, scope, planned.hosts, report, planned.remarks, warnings, dry)


def project_folder(given: str | None, scope: str) -> str | None:
    """The project of an install: the folder named, or in project scope the working folder."""
    if given is None and scope != "project":
        return None
    folder = os.path.realpath(given or os.getcwd())
    if not os.path.isdir(folder):
        raise DeployError("there is no such project folder", where=folder)
    return folder
