"""Rehearsals of the real programs: each configuration starts its host once, and the last lines say what was driven."""

import glob
import os
import tempfile
from collections.abc import Callable, Generator

import pytest
from tests.real.runs import HOSTS, NO_PROJECT, PROGRAMS, Run, driven, honoured, request, runs

from agent_connector.drive import process
from agent_connector.hosts import query
from agent_connector.rehearse.findings import Rehearsal
from agent_connector.rehearse.run import rehearse
from agent_connector.rehearse.scratch import PREFIX

LIMIT = 240.0
DRIVEN: dict[str, dict[str, str]] = {host: {} for host in HOSTS}
NOT_DRIVEN: dict[str, dict[str, str]] = {host: {} for host in HOSTS}


@pytest.fixture(scope="session", autouse=True)
def programs() -> None:
    """The pinned programs are there."""
    missing = [host for host in HOSTS if not (PROGRAMS / query.facet(host, "headless").PROGRAM).exists()]
    assert not missing, f"{', '.join(missing)}: run `python tools/hosts.py` first"


@pytest.fixture(scope="session", autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    """Scratch homes lie where no other process makes any; in a short path, since hosts put sockets there."""
    tmp_path_factory.getbasetemp()  # pytest's own stay where they are
    folder = tempfile.mkdtemp(prefix="ac-")
    before, tempfile.tempdir = tempfile.tempdir, folder
    yield
    tempfile.tempdir = before
    os.rmdir(folder)


@pytest.fixture(scope="session")
def rehearsed(programs: None) -> Callable[[str, str], Rehearsal]:
    """The rehearsal of one of a host's runs, made once; nothing of it may be left."""
    kept: dict[tuple[str, str], Rehearsal] = {}

    def once(host: str, name: str) -> Rehearsal:
        if (host, name) not in kept:
            run: Run = runs(host)[name]
            kept[host, name] = rehearse(request(host, run.script, seconds=LIMIT, **run.options))
            assert leftovers() == []
        return kept[host, name]

    return once


def leftovers() -> list[str]:
    """Scratch folders of rehearsals, and processes that know one."""
    folders = glob.glob(os.path.join(tempfile.gettempdir(), PREFIX + "*"))
    return folders + [str(pid) for folder in folders for pid in process.marked([f"HOME={folder}/home"])]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was driven and what was not, host by host: the last lines of `make test-hosts`, and of CI from a file."""
    if not any(DRIVEN.values()):  # another run than that of the hosts: this file is read for every one
        return
    told = [line for host in HOSTS for line in summary(host)]
    for line in told:
        terminalreporter.write_line(line)
    (PROGRAMS.parent / "driven.txt").write_text("\n".join([*told, ""]), encoding="utf-8")


def summary(host: str) -> list[str]:
    """A host's lines: each thing that was seen, and each that its page says it honours and no run covered."""
    covered = {pair for run in runs(host).values() for pair in run.covers if pair in driven(host)}
    return [
        f"{query.facts(host).NAME}:",
        *(f"  driven      {what}: {detail}" for what, detail in DRIVEN[host].items()),
        *(
            f"  not driven  {event} {kind}: {NOT_DRIVEN[host].get(event, 'not run')}"
            for event, kind in honoured(host)
            if (event, kind) not in covered
        ),
        *(f"  not driven  project scope: {reason}" for reason in [NO_PROJECT.get(host)] if reason),
    ]
