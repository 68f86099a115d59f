"""Six words for what is in the hosts' files: ok, missing, drifted, stale, foreign, duplicate."""

import json
import os

import pytest

from agent_connector.connector.load import load
from agent_connector.deploy import record
from agent_connector.deploy.health import check, check_all
from agent_connector.deploy.install import install
from agent_connector.deploy.scan import ids
from agent_connector.hosts.query import nameable

OTHER = """
from agent_connector import Connector

connector = Connector(id="other")
connector.subagent("acme-dba", description="Another", prompt="Another.")
"""


@pytest.fixture
def cursor(lived_in, acme):
    """The example in Cursor alone."""
    install(acme, machine=lived_in.machine(), root=lived_in.root, hosts=["cursor"])
    return lived_in


def words(home):
    findings, _ = check(record.load(home.root, "acme-db"), home.machine(), home.root)
    return {finding.word for finding in findings if finding.word != "ok"}, {
        finding.surface: finding for finding in findings if finding.word != "ok"
    }


def edit(home, name, change):
    content = json.loads(home.read(name))
    change(content)
    home.write(name, json.dumps(content))


def test_all_is_ok_after_an_install(cursor):
    findings, remarks = check(record.load(cursor.root, "acme-db"), cursor.machine(), cursor.root)
    assert {finding.word for finding in findings} == {"ok"}
    assert [r.surface for r in remarks if r.kind == "step"] == ["server"]


def test_missing(cursor):
    edit(cursor, ".cursor/mcp.json", lambda c: c["mcpServers"].pop("acme-db"))
    found, by_surface = words(cursor)
    assert found == {"missing"}
    assert "upgrade" in by_surface["server"].remedy


def test_drifted(cursor):
    edit(cursor, ".cursor/mcp.json", lambda c: c["mcpServers"]["acme-db"].update(args=["mine"]))
    found, by_surface = words(cursor)
    assert (found, "By hand" in by_surface["server"].remedy) == ({"drifted"}, True)


def test_a_file_that_no_longer_parses_has_drifted(cursor):
    cursor.write(".cursor/mcp.json", "{")
    found, by_surface = words(cursor)
    assert (found, "line 1" in by_surface["server"].note) == ({"drifted"}, True)


def test_a_program_that_may_not_be_run_has_drifted(lived_in, acme):
    install(acme, machine=lived_in.machine(), root=lived_in.root, hosts=["mux"])
    hook = lived_in.folder / ".xum" / "tool_pre"
    hook.chmod(0o644)
    found, by_surface = words(lived_in)
    assert (found, "upgrade" in by_surface["hooks"].remedy) == ({"drifted"}, True)
    install(acme, machine=lived_in.machine(), root=lived_in.root, hosts=["mux"])
    assert os.access(hook, os.X_OK)
    assert words(lived_in)[0] == set()


def test_what_another_connector_holds_is_foreign(cursor):
    file = cursor.write("other.py", OTHER)
    install(load(str(file), hosts=nameable()), machine=cursor.machine(), root=cursor.root, hosts=["cursor"])
    assert words(cursor)[0] == set()
    findings, _ = check(record.load(cursor.root, "other"), cursor.machine(), cursor.root)
    assert {finding.word for finding in findings if finding.surface == "subagents"} == {"foreign"}


def test_foreign(cursor):
    cursor.write(".cursor/cli-config.json", json.dumps({"statusLine": {"type": "command", "command": "mine"}}))
    found, by_surface = words(cursor)
    assert (found, by_surface["statusline"].word) == ({"foreign"}, "foreign")


def test_stale(cursor):
    kept = record.load(cursor.root, "acme-db")
    kept.stored["declaration"]["command"][0]["prompt"] = "Another prompt"
    record.store(cursor.root, kept)
    found, by_surface = words(cursor)
    assert (found, by_surface["commands"].word) == ({"stale"}, "stale")


def test_what_is_not_wanted_any_more_is_stale(cursor):
    kept = record.load(cursor.root, "acme-db")
    del kept.stored["declaration"]["command"]
    record.store(cursor.root, kept)
    found, by_surface = words(cursor)
    assert (found, by_surface["commands"].note) == ({"stale"}, "we would not write it any more")


def test_duplicate(cursor):
    def twice(content):
        hooks = content["hooks"]["preToolUse"]
        hooks.append({**hooks[0], "timeout": 99})

    edit(cursor, ".cursor/hooks.json", twice)
    edit(cursor, ".cursor/mcp.json", lambda c: c["mcpServers"].update(copy=c["mcpServers"]["acme-db"]))
    found, by_surface = words(cursor)
    assert found == {"duplicate"}
    assert by_surface["server"].note == "also as copy"
    assert by_surface["hooks"].note == "2 elements in `hooks.preToolUse` are ours"


def test_a_damaged_record_is_an_error_of_its_connector_alone(cursor):
    cursor.write(".agent-connector/connectors/acme-db/install.json", "{")
    (checked,) = check_all(cursor.root, cursor.machine(), ("acme-db",))
    assert (checked.connector, checked.findings) == ("acme-db", ())
    assert "it is damaged" in checked.error and "Install acme-db again" in checked.error


def test_a_pipe_in_the_place_of_a_file_is_said_and_holds_nobody_up(cursor):
    for name in (".cursor/mcp.json", ".cursor/hooks.json"):
        (cursor.folder / name).unlink()
        os.mkfifo(cursor.folder / name)
    found, by_surface = words(cursor)
    assert found == {"drifted"} and "not a regular file" in by_surface["server"].note
    assert ids(cursor.machine(), ["cursor"]) == ("acme-db",)  # by its memory, and it comes back
