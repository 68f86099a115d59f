"""Files that several hosts read: one entry that names none of them, and one memory block."""

import pytest

from agent_connector import stdio
from agent_connector.deploy.install import install
from agent_connector.deploy.plan import plan
from agent_connector.deploy.uninstall import uninstall
from agent_connector.home.ledger import FileRecord, Ledger, Row, value_hash
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Block, Whole
from agent_connector.hosts.table import HOSTS

LAUNCHER = "/home/me/.agent-connector/bin/agent-connector"


def planned(model, hosts, *rows, exists=()):
    machine = Machine("/home/me", "linux", {}, "/p", set(exists).__contains__)
    records = [FileRecord(file, file, "json", "/p", rows=(row,)) for file, row in rows]
    return plan(model, hosts, "project", machine, LAUNCHER, known=Ledger({r.target: r for r in records}))


def entries(result):
    return {c.host: c.node.value for c in result.changes if c.surface == "server" and c.file == "/p/.mcp.json"}


def blocks(result):
    return {c.host: c.file for c in result.changes if isinstance(c.node, Block) and c.op == "+"}


def row(kind, path, owner, surface):
    return Row(kind, path, value_hash({}), (("acme", owner),), surface, "project", {})


def test_two_hosts_of_one_file_get_one_entry_that_says_what_both_can(declared):
    model = declared(server=stdio("acme-mcp", timeout=5, include_tools=("query",)))
    said = entries(planned(model, ["claude-code", "copilot-cli"]))
    assert said["claude-code"] == said["copilot-cli"]
    assert "--host" not in said["claude-code"]["args"]
    assert (said["claude-code"]["timeout"], said["claude-code"]["tools"]) == (5000, ["query"])
    assert entries(planned(model, ["copilot-cli", "claude-code"])) == said


@pytest.mark.parametrize("host", ["claude-code", "copilot-cli"])
def test_a_host_that_has_the_file_alone_is_named_in_its_entry(declared, host):
    args = entries(planned(declared(), [host]))[host]["args"]
    assert args[args.index("--host") + 1] == host


@pytest.mark.parametrize("scope", ["user", "project"])
def test_no_host_s_content_stands_in_another_s_way(declared, scope):
    """Whole files that several hosts read have one text, in whatever order the hosts are asked."""

    def declare(connector):
        connector.memory("Use it.")
        connector.command("plan-it", prompt="Plan $ARGUMENTS", description="Plan it")
        connector.skill("layout", description="How it is laid out", body="So.")
        connector.subagent("dba", description="Reviews", prompt="Review.", tools={"allow": ["query"]})

    machine = Machine("/home/me", "linux", {}, "/p" if scope == "project" else None, lambda path: False)
    for hosts in (HOSTS, HOSTS[::-1]):
        changes = plan(declared(declare), hosts, scope, machine, LAUNCHER, known=Ledger({})).changes
        texts: dict[str, set[str]] = {}
        for change in changes:
            if isinstance(change.node, Whole):
                texts.setdefault(change.file, set()).add(change.node.text)
        assert len(texts) > 40
        assert {file: found for file, found in texts.items() if len(found) > 1} == {}


def test_a_host_of_an_earlier_install_counts(declared):
    model = declared(server=stdio("acme-mcp", include_tools=("query",)))
    there = ("/p/.mcp.json", row("key", ("mcpServers", "acme"), "copilot-cli", "server"))
    said = entries(planned(model, ["claude-code"], there))["claude-code"]
    assert "--host" not in said["args"]
    assert said["tools"] == ["query"]
    other = ("/p/.mcp.json", row("key", ("mcpServers", "x"), "claude-code", "server"))
    assert "--host" in entries(planned(model, ["claude-code"], other))["claude-code"]["args"]


@pytest.mark.parametrize(
    ("hosts", "exists", "found"),
    [
        (["copilot-cli"], (), {"copilot-cli": "AGENTS.md"}),
        (["copilot-cli"], ("CLAUDE.md",), {"copilot-cli": "CLAUDE.md"}),
        (["copilot-cli"], ("CLAUDE.md", "AGENTS.md"), {"copilot-cli": "AGENTS.md"}),
        (["claude-code", "copilot-cli"], (), {"claude-code": "CLAUDE.md", "copilot-cli": "CLAUDE.md"}),
        (["copilot-cli", "gemini-cli"], (), {"gemini-cli": "GEMINI.md", "copilot-cli": "GEMINI.md"}),
        (["copilot-cli", "codex"], (), {"codex": "AGENTS.md", "copilot-cli": "AGENTS.md"}),
        # its own file is wanted by another host anyway
        (
            ["claude-code", "codex", "copilot-cli"],
            (),
            {"claude-code": "CLAUDE.md", "codex": "AGENTS.md", "copilot-cli": "AGENTS.md"},
        ),
    ],
)
def test_a_host_that_reads_every_memory_file_gets_no_block_of_its_own(declared, hosts, exists, found):
    model = declared(lambda connector: connector.memory("Use it."))
    result = planned(model, hosts, exists=[f"/p/{name}" for name in exists])
    assert blocks(result) == {host: f"/p/{name}" for host, name in found.items()}


def test_the_block_of_an_earlier_install_is_enough(declared):
    model = declared(lambda connector: connector.memory("Use it."))
    there = ("/p/CLAUDE.md", row("block", ("acme/memory",), "claude-code", "memory"))
    assert blocks(planned(model, ["copilot-cli"], there)) == {"copilot-cli": "/p/CLAUDE.md"}
    anothers = ("/p/CLAUDE.md", row("block", ("other/memory",), "claude-code", "memory"))
    assert blocks(planned(model, ["copilot-cli"], anothers)) == {"copilot-cli": "/p/AGENTS.md"}


def test_one_after_the_other_and_out_again(home, acme):
    """The first host's entry is told to both, and stays for the one that is left."""
    machine = home.machine(project=True)
    before = home.files()

    def put(host):
        return install(acme, machine=machine, root=home.root, hosts=[host], scope="project").report

    assert not put("claude-code").failed
    assert "claude-code" in home.read("project/.mcp.json")
    assert not put("copilot-cli").failed
    shared = home.read("project/.mcp.json")
    assert '"--host"' not in shared
    assert not (home.project / "AGENTS.md").exists()
    put("claude-code")
    assert home.read("project/.mcp.json") == shared
    uninstall(machine=machine, root=home.root, connector="acme-db", hosts=["claude-code"])
    assert home.read("project/.mcp.json") == shared
    uninstall(machine=machine, root=home.root, connector="acme-db")
    assert home.files() == before
