"""Explain: the matrix of hosts and surfaces before anything is written."""

from agent_connector import stdio
from agent_connector.deploy.explain import explain
from agent_connector.hosts.machine import Machine


def explained(model, hosts, scope="user", project=None):
    machine = Machine("/home/me", "linux", {}, project)
    return {
        row.host: row for row in explain(model, hosts, scope, machine, "/home/me/.agent-connector/bin/agent-connector")
    }


def test_each_cell_says_whether_how_and_how_sure(declared):
    def parts(connector):
        connector.statusline(lambda ctx: "")
        connector.memory("Use it.")
        connector.native_hook("codex", "Interrupt")(lambda raw: None)
        connector.platform("cursor", server=False)

    rows = explained(declared(parts), ["claude-code", "codex", "cursor"])
    support = {host: {s: cell.support for s, cell in row.cells.items()} for host, row in rows.items()}
    assert support == {
        "claude-code": {"server": "native", "memory": "native", "statusline": "native", "native_hooks": "unused"},
        "codex": {"server": "native", "memory": "native", "statusline": "skip-warn", "native_hooks": "native"},
        "cursor": {"server": "off", "memory": "skip-warn", "statusline": "native", "native_hooks": "unused"},
    }
    assert rows["codex"].cells["server"].sure == "proven"
    assert "built-in items" in rows["codex"].cells["statusline"].how


def test_a_refused_cell_says_why(declared):
    rows = explained(declared(server=stdio("x", cwd="/srv", env={"A": "${env:B}", "B": "1"})), ["codex"])
    assert rows["codex"].cells["server"].support == "refused"


def test_events_say_what_each_decision_comes_to(declared):
    def parts(connector):
        connector.hook("PreToolUse")(lambda event: None)
        connector.hook("Notification")(lambda event: None)

    (tool, notification) = explained(declared(parts), ["codex"])["codex"].events
    assert (tool.event, tool.host_event, tool.decisions["deny"].verdict) == ("PreToolUse", "PreToolUse", "honoured")
    assert (notification.event, notification.host_event) == ("Notification", None)


def test_steps_are_those_of_the_scope(declared):
    rows = explained(declared(), ["codex"], "project", "/p")
    assert any("trust the project" in step for step in rows["codex"].steps)
