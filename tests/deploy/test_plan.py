"""The plan: from values to changes, without a disk."""

import pytest

from agent_connector import http, stdio, ws
from agent_connector.deploy.plan import plan
from agent_connector.deploy.surfaces import Options
from agent_connector.home.ledger import FileRecord, Ledger, Row, value_hash
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Block, Item, Key

LAUNCHER = "/home/me/.agent-connector/bin/agent-connector"


def machine(project=None, **variables):
    return Machine("/home/me", "linux", variables, project)


def planned(model, hosts, scope="user", project=None, **more):
    return plan(model, hosts, scope, machine(project), LAUNCHER, **more)


def nodes(result, surface, host=None):
    return [c.node for c in result.changes if c.surface == surface and c.node and host in (None, c.host)]


def said(result, kind):
    return {(remark.host, remark.surface): remark.text for remark in result.remarks if remark.kind == kind}


def test_a_program_stands_behind_the_stable_launcher(declared):
    result = planned(declared(server=stdio("npx", "-y", "acme")), ["claude-code"])
    (node,) = nodes(result, "server")
    assert isinstance(node, Key)
    assert (node.file, node.path) == ("/home/me/.claude.json", ("mcpServers", "acme"))
    assert node.value["command"] == LAUNCHER
    assert node.value["args"] == ["serve", "--connector", "acme", "--host", "claude-code", "--", "npx", "-y", "acme"]


def test_a_restriction_that_a_subagent_will_not_have_is_said(declared):
    def two(connector):
        connector.subagent("free", description="Free", prompt="Free.")
        connector.subagent("dba", description="Reviews", prompt="Review.", tools={"allow": ["query"]})

    notes = said(planned(declared(two), ["codex", "claude-code"]), "note")
    assert notes == {("codex", "subagents"): "Codex CLI gives a subagent every tool, whatever is allowed to dba"}


def test_the_alias_is_the_name_in_the_hosts(declared):
    (node,) = nodes(planned(declared(alias="acme_db"), ["codex"]), "server")
    assert node.path == ("mcp_servers", "acme_db")
    assert "--connector" in node.value["args"] and "acme" in node.value["args"]


def test_a_secret_becomes_the_hosts_own_reference_or_a_name_to_pass_through(declared):
    model = declared(server=stdio("acme-mcp", env={"DSN": "${env:ACME_DSN}"}))
    values = {host: nodes(planned(model, [host]), "server")[0].value for host in ("claude-code", "codex", "opencode")}
    assert values["claude-code"]["env"] == {"DSN": "${ACME_DSN}"}
    assert values["opencode"]["environment"] == {"DSN": "{env:ACME_DSN}"}
    assert values["codex"]["env_vars"] == ["ACME_DSN"]


def test_memory_comes_last(declared):
    def parts(connector):
        connector.memory("Use it.")
        connector.command("go", prompt="Go")

    changes = planned(declared(parts), ["claude-code", "codex"]).changes
    assert [change.surface for change in changes][-2:] == ["memory", "memory"]
    assert isinstance(changes[-1].node, Block) and changes[-1].node.name == "acme/memory"


def test_what_a_host_lacks_is_said_and_is_no_failure(declared):
    def parts(connector):
        connector.statusline(lambda ctx: "")
        connector.action("go", label="Go")(lambda ctx: None)
        connector.hook("Notification")(lambda event: None)
        connector.native_hook("codex", "NoSuchEvent")(lambda raw: None)

    result = planned(declared(parts), ["codex"])
    assert "built-in items only" in said(result, "skip")["codex", "statusline"]
    assert ("codex", "actions") in said(result, "skip")
    assert "called NoSuchEvent" in said(result, "skip")["codex", "native_hooks"]
    assert "no event for Notification" in said(result, "skip")["codex", "hooks"]
    assert all(change.op != "!" for change in result.changes)


def test_a_transport_that_a_host_lacks_is_said(declared):
    result = planned(declared(server=ws("wss://acme.com")), ["codex", "claude-code"])
    assert [c.host for c in result.changes if c.node] == ["claude-code"]
    assert said(result, "skip")["codex", "server"] == "the host has no ws transport"


def test_what_a_host_could_take_but_not_so_is_refused_with_the_way_out(declared):
    result = planned(declared(server=stdio("acme-mcp", cwd="/srv", env={"A": "${env:B}", "B": "1"})), ["codex"])
    (change,) = result.changes
    assert (change.op, change.node) == ("!", None)
    assert "another name" in change.remedy


def test_a_surface_that_is_switched_off_for_a_host_is_not_there(declared):
    def parts(connector):
        connector.memory("Use it.")
        connector.platform("codex", memory=False)

    result = planned(declared(parts), ["codex", "claude-code"])
    assert [c.host for c in result.changes if c.surface == "memory"] == ["claude-code"]


def test_a_platforms_fields_and_extra_reach_its_entry_alone(declared):
    def parts(connector):
        connector.platform("codex", server={"timeout": 7}, extra={"supports_parallel_tool_calls": True})

    result = planned(declared(parts), ["codex", "claude-code"])
    codex, claude = nodes(result, "server", "codex")[0].value, nodes(result, "server", "claude-code")[0].value
    assert (codex["tool_timeout_sec"], codex["supports_parallel_tool_calls"]) == (7, True)
    assert "timeout" not in claude and "supports_parallel_tool_calls" not in claude


def test_a_forced_scope_wins_and_a_scope_that_a_host_lacks_is_said(declared):
    def parts(connector):
        connector.platform("codex", scope="user")
        connector.platform("cursor", scope="managed")

    result = planned(declared(parts), ["codex", "claude-code", "cursor"], "project", "/code/shop")
    files = {c.host: c.file for c in result.changes if c.surface == "server"}
    assert files == {"codex": "/home/me/.codex/config.toml", "claude-code": "/code/shop/.mcp.json"}
    assert said(result, "skip")["cursor", ""] == "it has no managed scope (it has user, project)"


def test_project_changes_know_their_project_so_that_no_link_leads_out_of_it(declared):
    result = planned(declared(), ["claude-code"], "project", "/code/shop")
    assert {change.project for change in result.changes} == {"/code/shop"}


def test_hooks_carry_the_guarded_command_and_the_longest_time(declared):
    def parts(connector):
        connector.hook("PreToolUse", matcher="a", timeout=3)(lambda event: None)
        connector.hook("PreToolUse", matcher="host:Bash", timeout=30)(lambda event: None)

    (node,) = nodes(planned(declared(parts), ["claude-code"]), "hooks")
    assert isinstance(node, Item)
    hook = node.value["hooks"][0]
    assert hook["timeout"] == 30
    assert f"exec {LAUNCHER} hook claude-code PreToolUse --connector acme" in hook["command"]
    assert node.value["matcher"] == "mcp__acme__a|Bash"


def test_a_native_hook_on_a_normalized_event_shares_its_entry_and_catches_everything(declared):
    def parts(connector):
        connector.hook("PreToolUse", matcher="a")(lambda event: None)
        connector.native_hook("claude-code", "PreToolUse", timeout=20)(lambda raw: None)
        connector.native_hook("claude-code", "TaskCompleted")(lambda raw: None)

    found = nodes(planned(declared(parts), ["claude-code"]), "hooks")
    assert {node.path[-1]: node.value["hooks"][0]["timeout"] for node in found} == {
        "PreToolUse": 20,
        "TaskCompleted": 10,
    }
    assert next(node for node in found if node.path[-1] == "PreToolUse").value["matcher"] == "*"


def test_native_hooks_alone_are_written_too(declared):
    def parts(connector):
        connector.native_hook("codex", "Interrupt")(lambda raw: None)

    result = planned(declared(parts), ["codex", "claude-code"])
    assert [(c.host, c.surface, c.node.path) for c in result.changes if c.surface != "server"] == [
        ("codex", "native_hooks", ("hooks", "Interrupt"))
    ]


def test_hosts_that_load_each_others_hooks_are_named_so_that_one_event_is_answered_once(declared):
    def parts(connector):
        connector.hook("Stop")(lambda event: None)

    model = declared(parts)
    both = planned(model, ["claude-code", "cursor"])
    assert both.shares_hooks == ("claude-code", "cursor")
    assert "loads the hooks of claude-code" in said(both, "note")["cursor", "hooks"]
    assert planned(model, ["cursor"]).shares_hooks == ()
    assert planned(model, ["cursor"], others=["claude-code"]).shares_hooks == ("claude-code", "cursor")


@pytest.mark.parametrize("path", ["mcp_servers.acme.command", "approval_policy", "sandbox_mode"])
def test_a_patch_of_what_is_the_persons_own_is_refused(declared, path):
    def parts(connector):
        connector.config_patch("codex", path, "x", reason="r")
        connector.config_patch("codex", "tui.theme", "dark", reason="r")

    result = planned(declared(parts), ["codex"])
    ops = {
        (c.op, c.note[: len(path)] if c.op == "!" else c.node.path)
        for c in result.changes
        if c.surface == "config_patch"
    }
    assert ops == {("!", path), ("+", ("tui", "theme"))}


def test_a_remote_server_is_told_as_it_is_or_behind_the_measuring_bridge(declared):
    model = declared(server=http("https://acme.com/mcp", bearer="ACME_TOKEN", headers={"X-Team": "a"}))
    (plain,) = nodes(planned(model, ["claude-code"]), "server")
    assert plain.value["url"] == "https://acme.com/mcp"
    assert plain.value["headers"]["Authorization"] == "Bearer ${ACME_TOKEN}"
    (bridged,) = nodes(planned(model, ["claude-code"], options=Options(measure_remote=True)), "server")
    assert bridged.value["command"] == LAUNCHER
    assert bridged.value["args"][4:] == [
        "claude-code", "--url", "https://acme.com/mcp", "--transport", "http", "--bearer", "ACME_TOKEN",
    ]  # fmt: skip
    assert bridged.value["env"] == {"ACME_TOKEN": "${ACME_TOKEN}"}


def test_trust_is_written_only_when_it_was_asked_for(declared):
    (plain,) = nodes(planned(declared(), ["gemini-cli"]), "server")
    (trusted,) = nodes(planned(declared(), ["gemini-cli"], options=Options(trust=True)), "server")
    assert ("trust" in plain.value, trusted.value["trust"]) == (False, True)


def test_steps_are_said_for_what_was_written_in_that_scope(declared):
    user, project = planned(declared(), ["cursor"]), planned(declared(), ["cursor"], "project", "/p")
    assert len([r for r in user.remarks if r.kind == "step"]) == 1
    assert len([r for r in project.remarks if r.kind == "step"]) == 2


def test_what_an_earlier_install_put_and_this_one_does_not_want_is_released(declared):
    old = Row("key", ("mcpServers", "old-name"), value_hash({}), (("acme", "claude-code"),), "server", "user", {})
    kept = Row("key", ("mcpServers", "acme"), "h", (("acme", "claude-code"),), "server", "user", {})
    others = Row("key", ("mcpServers", "x"), "h", (("other", "claude-code"),), "server", "user", {})
    record = FileRecord("/home/me/.claude.json", "/home/me/.claude.json", "json", rows=(old, kept, others))
    changes = planned(declared(), ["claude-code"], known=Ledger({record.target: record})).changes
    assert [(c.op, c.node.path) for c in changes] == [("-", ("mcpServers", "old-name")), ("+", ("mcpServers", "acme"))]


def test_hosts_that_are_no_targets_take_no_part(declared):
    assert planned(declared(targets=["codex"]), ["codex", "claude-code"]).hosts == ("codex",)
