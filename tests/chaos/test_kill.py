"""A process that is killed at any call to the system leaves each file old or new, and the next run makes all right."""

import collections
import importlib.util
import json
import os
import subprocess
import sys

import pytest

from agent_connector.home import ledger

pytestmark = pytest.mark.chaos

STEPPER = os.path.join(os.path.dirname(__file__), "stepper.py")


def module_at(path):
    spec = importlib.util.spec_from_file_location("stepper", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


stepper = module_at(STEPPER)


def tree(folder):
    """Every file of the host with its bytes, and every folder."""
    found = {}
    for place, folders, names in os.walk(os.path.join(folder, "host")):
        for name in folders:
            found[os.path.relpath(os.path.join(place, name), folder)] = None
        for name in names:
            with open(os.path.join(place, name), "rb") as stream:
                found[os.path.relpath(os.path.join(place, name), folder)] = stream.read()
    return found


def real_files(found):
    return {name: data for name, data in found.items() if data is not None and ".agent-connector-" not in name}


def killed_at_every_call(scratch, scenario):
    done = subprocess.run(
        [sys.executable, STEPPER, str(scratch), scenario], stdout=subprocess.PIPE, text=True, timeout=600, check=True
    )
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    return [run for run in runs if run["call"]], runs[-1]["number"]


@pytest.mark.parametrize("scenario", list(stepper.SCENARIOS))
def test_old_or_new_and_the_next_run_converges(tmp_path, monkeypatch, scenario):
    monkeypatch.setattr(stepper.swap, "_rename", stepper.swap._rename)  # some scenarios take it away: give it back
    stepper.prepare(str(tmp_path / "before"), scenario)
    before = tree(str(tmp_path / "before"))
    killed, last = killed_at_every_call(tmp_path, scenario)
    after = tree(str(tmp_path / str(last)))
    seen = collections.Counter(run["call"] for run in killed)
    assert {"open", "write", "fsync", "replace", "unlink"} <= set(seen), seen
    assert ("exchange" in seen) == ("without" not in scenario)
    for run in killed:
        folder = str(tmp_path / str(run["number"]))
        for name, data in real_files(tree(folder)).items():
            assert data in (before.get(name), after.get(name)), (run, name)
        gone = real_files(before).keys() - tree(folder).keys()
        assert gone <= real_files(before).keys() - real_files(after).keys(), run
        step = stepper.SCENARIOS[scenario][1]
        assert not step(folder).failed, run
        assert tree(folder) == after, run
        assert ledger.load(os.path.join(folder, "root")).pending == {}, run
        for connector in ("acme", "zeta"):
            assert not stepper.remove(folder, connector).failed, run
        assert tree(folder) == originals(scenario), run
        assert ledger.load(os.path.join(folder, "root")) == ledger.Ledger(), run


def originals(scenario):
    """What the host's folder was before anything of ours."""
    settings = stepper.SETTINGS + (b"\n" if "host's write" in scenario else b"")
    return {"host/settings.json": settings, "host/AGENTS.md": stepper.GUIDE}
