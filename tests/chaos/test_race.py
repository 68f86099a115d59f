"""Several programs write one file at the same time: real processes, nobody loses anything."""

import json
import os
import subprocess
import sys

import pytest

from agent_connector.deploy.undo import undo
from agent_connector.home import ledger

pytestmark = pytest.mark.chaos

RACER = os.path.join(os.path.dirname(__file__), "racer.py")
ORIGINAL = b'{\n  "mine": 1\n}\n'


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "host" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(ORIGINAL)
    return path


def together(*commands):
    """Run all of them at once; all must end well."""
    running = [
        subprocess.Popen([sys.executable, RACER, *map(str, command)], stderr=subprocess.PIPE, text=True)
        for command in commands
    ]
    try:
        said = [process.communicate(timeout=300)[1] for process in running]
    finally:
        for process in running:
            process.kill()
    assert [process.returncode for process in running] == [0] * len(running), said


def connectors_in(settings):
    content = json.loads(settings.read_bytes())
    hooks = sorted(element["command"].rpartition(" ")[2] for element in content["hooks"]["Stop"])
    assert hooks == sorted(content["mcpServers"])
    return hooks


@pytest.mark.parametrize("rounds", [0, 15])
def test_two_installers_of_one_home_both_end_right(tmp_path, settings, rounds):
    root = tmp_path / "root"
    together(*(("installer", settings, root, connector, rounds) for connector in ("acme", "zeta")))
    assert connectors_in(settings) == ["acme", "zeta"]
    assert os.listdir(settings.parent) == ["settings.json"]
    for connector in ("acme", "zeta"):
        assert not undo(str(root), connector=connector).failed
    assert settings.read_bytes() == ORIGINAL
    assert ledger.load(str(root)) == ledger.Ledger()


def test_two_installers_that_share_no_lock_both_end_right(tmp_path, settings):
    roots = {connector: tmp_path / connector for connector in ("acme", "zeta")}
    together(*(("installer", settings, root, connector, 15) for connector, root in roots.items()))
    assert connectors_in(settings) == ["acme", "zeta"]
    for connector, root in roots.items():
        assert not undo(str(root), connector=connector).failed
    left = json.loads(settings.read_bytes())  # a parent that one home made and the other used belongs to neither
    assert left.pop("mine") == 1
    assert left in ({}, {"mcpServers": {}, "hooks": {"Stop": []}})
    assert os.listdir(settings.parent) == ["settings.json"]


@pytest.mark.parametrize("host", ["renaming", "in-place"])
def test_what_a_host_writes_meanwhile_is_never_lost(tmp_path, settings, host):
    rounds = 400
    together((host, settings, rounds), ("meddler", settings, tmp_path / "root", "acme", 25))
    assert json.loads(settings.read_bytes())["theirs"] == rounds - 1
    together(("installer", settings, tmp_path / "root", "acme", 0))
    content = json.loads(settings.read_bytes())
    assert content["theirs"] == rounds - 1
    assert connectors_in(settings) == ["acme"]
    assert not undo(str(tmp_path / "root"), connector="acme").failed
    left = json.loads(settings.read_bytes())
    assert {name: left[name] for name in ("theirs", "padding")} == {"theirs": rounds - 1, "padding": "x" * 5000}
    assert LAUNCHER not in settings.read_text()
    assert os.listdir(settings.parent) == ["settings.json"]


LAUNCHER = ".agent-connector/bin/agent-connector"
