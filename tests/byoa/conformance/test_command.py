"""`byoa conformance` against an app on a real port, with a program for its person."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_connector.cli.main import main

SERVED, PERSON = (Path(__file__).parent / name for name in ("served.py", "person.py"))


@pytest.fixture
def served(monkeypatch):
    with subprocess.Popen([sys.executable, str(SERVED)], stdout=subprocess.PIPE, text=True) as process:
        address = f"127.0.0.1:{process.stdout.readline().strip()}"  # it listens: who comes early waits
        monkeypatch.setenv("SERVED", f"http://{address}")
        yield address
        process.kill()


def run(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "agent_connector.cli.main", "byoa", "conformance", *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
        env=dict(os.environ),
    )
    return done.returncode, done.stdout, done.stderr


def test_a_real_app_with_a_program_for_its_person(served):
    code, out, err = run(served, "--json", "--cookie", "person=ada", "--person-command", f"{sys.executable} {PERSON}")
    report = json.loads(out)
    assert code == 0, [one for one in report["checks"] if one["verdict"] == "fail"]
    left = {one["name"] for one in report["checks"] if one["verdict"] == "n/a"}
    assert {name for name in left if "mcp" not in name and "tool" not in name} == {
        "a-code-dies",
        "turns-of-a-session-that-is-away-end",
    }
    assert "the first poll is pending" in err, "no progress is shown"


def test_what_is_no_app_fails_with_the_sentence(served):
    code, out, _ = run("127.0.0.1:9")
    assert code == 1
    assert "discovery-is-there-and-strict" in out and "`app.id` is 1 to 64" in out
    assert main(["byoa", "conformance", "http://notes.example"]) == 2
