"""An install into both of Kilo's hosts: one entry, one module, and the one of them that runs is the one that is named."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from agent_connector.connector.load import load
from agent_connector.deploy.install import install
from agent_connector.deploy.uninstall import uninstall
from agent_connector.hosts.machine import Machine

SOURCE = """
from agent_connector import Connector, deny, stdio

connector = Connector(id="acme", server=stdio("acme-mcp"))

@connector.hook("PreToolUse", matcher="host:Bash")
def before(event):
    return deny(f"not in {event.host}")

@connector.hook("Stop", host="kilo")
def stopped(event):
    return deny("only in the editor")
"""


@pytest.fixture
def person(tmp_path):
    (tmp_path / "acme.py").write_text(SOURCE)
    (tmp_path / ".config" / "kilo").mkdir(parents=True)
    (tmp_path / ".config" / "kilo" / "kilo.jsonc").write_text('{\n  "share": "disabled", // mine\n}\n')
    return tmp_path


def machine(person: Path) -> Machine:
    variables = {"HOME": str(person), "PATH": os.environ["PATH"]}
    return Machine(str(person), "linux", variables, None, os.path.exists, lambda program: None)


def test_one_entry_one_module_and_one_answer(person):
    root, loaded = str(person / ".agent-connector"), load(str(person / "acme.py"))
    kilo = person / ".config" / "kilo"
    before = (kilo / "kilo.jsonc").read_bytes()
    for hosts in (["kilo-cli"], ["kilo"]):
        report = install(loaded, machine=machine(person), root=root, hosts=hosts, scope="user")
        assert not report.report.failed, [change for change in report.report.changes if change.op == "!"]
    [module] = (kilo / "plugins").iterdir()
    text = (kilo / "kilo.jsonc").read_text()
    assert text.count("acme-mcp") == 1 and "--host" not in text
    config = json.loads(
        re.search(r"const CONFIG = (.*?)\n// agent-connector:config end", module.read_text(), re.DOTALL)[1]
    )
    assert set(config["hooks"]) == {"tool.execute.before", "session.idle"}

    call = {"input": {"tool": "bash"}, "output": {"args": {"command": "ls"}}}
    for variables, host in (({"KILO": "1"}, "kilo-cli"), ({"KILO": "1", "KILO_PLATFORM": "vscode"}, "kilo")):
        assert answer(person, config, "tool.execute.before", call, variables) == {"deny": f"not in {host}"}
    assert answer(person, config, "session.idle", {}, {"KILO": "1"}) == ""
    assert answer(person, config, "session.idle", {}, {"KILO": "1", "KILO_PLATFORM": "vscode"})

    uninstall(connector="acme", machine=machine(person), root=root, hosts=["kilo-cli"])
    assert module.exists() and "acme-mcp" in (kilo / "kilo.jsonc").read_text()
    uninstall(connector="acme", machine=machine(person), root=root)
    assert not module.exists() and (kilo / "kilo.jsonc").read_bytes() == before


def answer(person, config, event, payload, variables):
    """What our command answers the bridge."""
    done = subprocess.run(
        ["sh", "-c", config["hooks"][event]["command"]],
        input=json.dumps(payload).encode(),
        env={"HOME": str(person), "PATH": os.environ["PATH"], **variables},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else ""
