"""The ready status line of the examples: set in every host that has a place for it, and taken back byte for byte."""

from pathlib import Path

import pytest

from agent_connector.connector.load import load
from agent_connector.deploy.install import install
from agent_connector.deploy.uninstall import uninstall
from agent_connector.hosts.query import hosts_supporting, nameable

RECIPE = Path(__file__).parents[2] / "examples" / "status-line" / "connector.py"


@pytest.mark.parametrize("host", hosts_supporting("statusline"))
def test_it_is_installed_and_leaves_the_person_s_files_as_they_were(lived_in, host):
    files, folders = lived_in.files(), lived_in.folders()
    done = install(
        load(str(RECIPE), hosts=nameable()), machine=lived_in.machine(), root=lived_in.root, hosts=[host], scope="user"
    )
    assert ("+", host, "statusline") in [(change.op, change.host, change.surface) for change in done.report.changes]
    written = [lived_in.read(name) for name, digest in lived_in.files().items() if files.get(name) != digest]
    assert any(f"statusline {host} --connector status-line" in text for text in written)
    removal = uninstall(machine=lived_in.machine(), root=lived_in.root, connector="status-line")
    assert not removal.failed and (lived_in.files(), lived_in.folders()) == (files, folders)
