"""Where Kimi reads on three systems, and what is served where only the program before it is."""

import pytest

from agent_connector.hosts.kimi import places
from agent_connector.telemetry.origin import host_of_client
from agent_connector.testing.hosts import machine


@pytest.mark.parametrize(
    ("platform", "variables", "home"),
    [
        ("linux", {}, "/home/user/.kimi-code"),
        ("darwin", {}, "/Users/user/.kimi-code"),
        ("win32", {}, r"C:\Users\user\.kimi-code"),
        ("linux", {"KIMI_CODE_HOME": "/x"}, "/x"),
    ],
)
def test_a_persons_files(platform, variables, home):
    there = machine(platform, variables=variables)
    files = places.files("user", there)
    assert files["server"] == there.join(home, "mcp.json")
    assert files["hooks"] == files["config_patch"] == there.join(home, "config.toml")
    assert files["statusline"] == there.join(home, "tui.toml")
    assert files["memory"] == there.join(home, "AGENTS.md")
    assert files["skills"] == there.join(there.home, ".agents", "skills")
    assert files["commands"] == there.join(home, "skills")


def test_a_project_has_no_hooks():
    files = places.files("project", machine(variables={"KIMI_CODE_HOME": "/x"}))
    assert (files["server"], files["memory"]) == ("/code/app/.kimi-code/mcp.json", "/code/app/AGENTS.md")
    assert files["subagents"] == "/code/app/.kimi-code/agents"
    assert not {"hooks", "native_hooks", "statusline", "config_patch"} & set(files)
    assert places.files("managed", machine()) == {}


@pytest.mark.parametrize(
    ("there", "variables", "server"),
    [
        (("/home/user/.kimi",), {}, "/home/user/.kimi/mcp.json"),
        (("/share",), {"KIMI_SHARE_DIR": "/share"}, "/share/mcp.json"),
        (("/home/user/.kimi", "/home/user/.kimi-code"), {}, "/home/user/.kimi-code/mcp.json"),
    ],
)
def test_where_only_the_old_program_is_it_gets_the_server(there, variables, server):
    files = places.files("user", machine(variables=variables, exists=set(there).__contains__))
    assert files["server"] == server
    assert ("hooks" in files) == (".kimi-code" in server)


def test_the_program_is_better_evidence_than_a_folder():
    assert places.installed(machine()) is None
    old = places.installed(machine(exists={"/home/user/.kimi/config.toml"}.__contains__))
    new = places.installed(machine(exists={"/home/user/.kimi-code/config.toml"}.__contains__))
    program = places.installed(machine(which={"kimi": "/usr/bin/kimi"}.get))
    assert old["confidence"] < new["confidence"] < program["confidence"]


def test_it_leaves_no_mark_but_its_client():
    assert not places.running({"KIMI_MODEL_NAME": "m", "KIMI_CODE_HOME": "/x"})
    assert places.running({"KIMI_PLUGIN_ROOT": "/p"})
    assert host_of_client("kimi-code") == "kimi"
