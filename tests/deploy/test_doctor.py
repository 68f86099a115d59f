"""Doctor: what is wrong is said, and nothing is mended."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_connector.connector.load import from_command
from agent_connector.deploy.doctor import diagnose
from agent_connector.deploy.install import install
from agent_connector.deploy.probe import probe
from agent_connector.deploy.uninstall import uninstall
from agent_connector.home import paths
from agent_connector.hosts.query import hosts
from agent_connector.runtime import log
from agent_connector.version import __version__


@pytest.fixture
def codex(lived_in, acme):
    install(acme, machine=lived_in.machine(), root=lived_in.root, hosts=["codex"])
    return lived_in


def look(home, **more):
    return diagnose(home.machine(), home.root, **more)


def bad(home):
    return {line.text: line.remedy for line in look(home).lines if line.level == "bad"}


def test_nothing_is_wrong_after_an_install_and_the_persons_part_is_said(codex):
    diagnosis = look(codex)
    assert not diagnosis.failed
    assert ("codex", "hooks") in {(host, surface) for host, surface, _ in diagnosis.steps}
    assert any("in codex" in line.text for line in diagnosis.lines)


def test_nothing_is_installed(home, tmp_path):
    diagnosis = diagnose(home.machine(), str(tmp_path / "nowhere"))
    assert [(line.level, line.text) for line in diagnosis.lines] == [("note", "nothing is installed yet")]


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda root, home: os.unlink(paths.launcher_path(home)), "is missing: hooks and servers do nothing"),
        (lambda root, home: os.unlink(paths.manifest(root, "acme-db")), "its manifest is missing or damaged"),
        (lambda root, home: Path(paths.manifest(root, "acme-db")).write_text("{"), "its manifest is missing or damaged"),
        (lambda root, home: os.rename(paths.declaration_folder(root, "acme-db"), root + "/x"), "the copy of its code is gone"),
        (lambda root, home: Path(paths.connector_python(root, "acme-db")).write_text("/gone\n"), "its interpreter is gone: /gone"),
        (lambda root, home: Path(paths.connector_python(root, "acme-db")).write_bytes(b"\xff\0\n"), "its interpreter is gone: none is named"),
        (lambda root, home: Path(paths.version_python(root, __version__)).write_bytes(b"/x\0\n"), "the interpreter for hooks is gone: none is named"),
        (lambda root, home: Path(paths.version_tools(root, __version__)).write_bytes(b"/x\0\n"), "the interpreter of the command line is gone"),
        (lambda root, home: Path(paths.manifest(root, "acme-db")).write_text('{"a":' * 9000), "its manifest is missing or damaged"),
        (lambda root, home: Path(paths.install_record(str(root), "acme-db")).write_text('{"a":' * 9000), "it is damaged (RecursionError"),
        (lambda root, home: Path(paths.ledger(root)).write_text('{"a":' * 9000), "the ledger is damaged"),
        (lambda root, home: os.unlink(paths.current_version(root)), "no version is in use"),
        (lambda root, home: Path(paths.pins(root)).write_text("/work\t9.9.9\n"), "pinned to version 9.9.9, which is not installed"),
        (lambda root, home: Path(paths.ledger(root)).write_text("{"), "the ledger is damaged"),
    ],
)  # fmt: skip
def test_what_is_broken_in_our_home_is_said_with_a_remedy(codex, break_it, said):
    break_it(codex.root, str(codex.folder))
    found = {text: remedy for text, remedy in bad(codex).items() if said in text}
    assert len(found) == 1 and all(found.values())


def test_what_failed_open_is_counted_per_kind(codex):
    for _ in range(3):
        error = ValueError("bad day")
        log.note(codex.root, "hook", "raised", error, connector="acme-db", host="codex", event="Stop", handler="guard")
    log.note(codex.root, "hook", "raised", None, connector="another", host="codex")
    (line,) = [line for line in look(codex).lines if line.level == "bad"]
    assert line.text.startswith("guard raised ValueError: bad day (3x, last ")
    assert line.text.endswith("codex Stop)")


def test_a_changed_declaration_is_a_note(lived_in, tmp_path):
    from agent_connector.connector.load import load

    file = tmp_path / "acme.py"
    file.write_text("from agent_connector import *\nconnector = Connector(id='acme', server=stdio('x'))\n")
    install(load(str(file), hosts=hosts()), machine=lived_in.machine(), root=lived_in.root, hosts=["codex"])
    file.write_text(file.read_text() + "# more\n")
    notes = [line.text for line in look(lived_in).lines if line.level == "note"]
    assert notes == [f"{file} has changed since it was installed"]


def test_what_an_uninstall_had_to_leave_is_a_note(codex):
    toml = codex.folder / ".codex" / "config.toml"
    toml.write_text(toml.read_text().replace('"serve", ', '"serve", "--mine", '))
    uninstall(machine=codex.machine(), root=codex.root)
    assert ("note", "acme-db", "agent-connector uninstall --connector acme-db --force") in {
        (line.level, line.about, line.remedy) for line in look(codex).lines
    }
    uninstall(machine=codex.machine(), root=codex.root, force=True)
    assert "acme-db" not in {line.about for line in look(codex).lines}


def test_a_connector_that_is_not_installed_is_bad(codex):
    assert look(codex, connectors=["nope"]).failed


def test_a_live_server_is_asked_what_it_is(codex):
    (probed,) = look(codex, live=True).probes
    assert (probed.error, probed.server, probed.protocol) == ("", "acme-db", "2026-07-28")
    assert probed.tools == ("acme_query", "acme_write")


OLD = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    r = {"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                        "serverInfo": {"name": "old", "version": "1"}},
         "ping": {}, "tools/list": {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}}.get(m["method"])
    e = {"error": {"code": -32601, "message": "no"}} if r is None else {"result": r}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], **e}), flush=True)
"""


def test_a_server_of_the_older_protocol_answers_a_ping(tmp_path):
    script = tmp_path / "old.py"
    script.write_text(OLD)
    model = from_command("old", ["python3", str(script)]).model
    probed = probe(model, "/no/launcher", dict(os.environ))
    assert (probed.error, probed.protocol, probed.tools) == ("", "2025-06-18", ("t",))
    assert probed.ping_ms is not None


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["/no/such/program"], "no such program"),
        (["python3", "-c", "import sys; sys.exit('out of order')"], "out of order"),
        (["python3", "-c", "import time; time.sleep(60)"], "no answer within"),
    ],
)
def test_a_server_that_does_not_answer_is_said_with_why(argv, said):
    probed = probe(from_command("dead", argv).model, "/no/launcher", dict(os.environ), limit=5)
    assert said in probed.error


def test_lines_of_the_log_with_impossible_times_are_passed_over(codex):
    Path(paths.hooks_log(codex.root)).write_text('{"t":"x","what":"a"}\n{"t":1e300,"what":"b"}\n{"t":null}\n{"t":[]}\n')
    assert not bad(codex)


def test_a_server_that_prints_other_things_too_is_asked_quietly():
    code = (
        "import os; from agent_connector.deploy.probe import probe;"
        "from agent_connector.connector.load import from_command;"
        "model = from_command('noisy', ['sh', '-c', 'echo loading; exec cat']).model;"
        "print(probe(model, '/no/launcher', dict(os.environ), limit=20).error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() and done.stderr == ""
