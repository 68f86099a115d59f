"""What one full connector becomes in every host, scope, system and surface: a page per host, read by people.

`pytest tests/hosts/test_matrix_render.py --snapshot-update` writes the pages again.
"""

import re
from pathlib import Path

import pytest
from tests.hosts.full_sample import PLATFORMS, full, launcher_of, page

from agent_connector.deploy.plan import plan
from agent_connector.hosts import query
from agent_connector.testing.host_samples import machine

PAGES = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("host", query.hosts())
def test_what_the_full_connector_becomes(host, request):
    file, text = PAGES / f"{host}.txt", page(host)
    if request.config.getoption("--snapshot-update"):
        PAGES.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert file.exists(), f"no page of {host} yet: run with --snapshot-update, and read it"
    assert file.read_text("utf-8") == text


def test_every_page_is_of_a_host():
    assert {file.stem for file in PAGES.glob("*.txt")} <= set(query.hosts())


@pytest.mark.parametrize("host", query.hosts())
def test_every_surface_that_a_host_takes_is_written_somewhere(host):
    """And what it does not take is said, never left out without a word."""
    written: set[str] = set()
    said: set[str] = set()
    for scope in query.places(host).SCOPES:
        for platform in PLATFORMS:
            there = machine(platform)
            planned = plan(full(host), [host], scope, there, launcher_of(there))
            written |= {change.surface for change in planned.changes if change.node is not None}
            said |= {remark.surface for remark in planned.remarks} | {c.surface for c in planned.changes if c.op == "!"}
    if written & {"hooks", "native_hooks"}:  # some hosts take both in one module
        written |= {"hooks", "native_hooks"}
    native = {s for s in query.SURFACES if query.surface_support(host, s).support == "native"}
    assert native - said <= written
    used = set(full(host).surfaces(host))
    assert used - written <= said | ({""} if "" in said else set())


@pytest.mark.parametrize("host", query.hosts())
def test_no_secret_and_no_path_of_another_system_is_written(host):
    for scope in query.places(host).SCOPES:
        there = machine("win32", variables={"ACME_DSN": "hunter2", "ACME_TOKEN": "hunter2"})
        planned = plan(full(host), [host], scope, there, launcher_of(there))
        for change in planned.changes:
            said = str(getattr(change.node, "value", "")) + str(getattr(change.node, "text", ""))
            assert "hunter2" not in said
            assert not re.search(r"/(home|Users)/user", said), f"{change.surface}: {said}"
            assert change.file.startswith("C:\\") and "/" not in change.file
