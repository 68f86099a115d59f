"""What authors' tests use, used as they would."""

import sys
import types

import pytest

from agent_connector.deploy.detect import detect
from agent_connector.errors import ConnectorError
from agent_connector.hosts import query
from agent_connector.testing import explain, simulate

pytest_plugins = ["pytester"]

TEXT = """
from agent_connector import *

connector = Connector(id="acme-guard", server=stdio("acme-mcp"))
connector.memory("Never force a push.")

@connector.hook("PreToolUse", matcher="host:Bash")
def no_force(event):
    if "--force" in event.tool_input["command"]:
        return deny("force pushes are for people")
"""
FORCED = {"command": "git push --force"}


@pytest.fixture
def guard(tmp_path):
    file = tmp_path / "guard.py"
    file.write_text(TEXT)
    return str(file)


def test_explain_says_what_each_surface_becomes(guard):
    told = explain(guard, "codex")
    assert (told.host, told.cells["hooks"].support, told.cells["memory"].support) == ("codex", "native", "native")
    assert explain(guard, "claude-desktop").cells["hooks"].support != "native"


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini-cli", "cursor"])
def test_simulate_asks_the_handlers(guard, host):
    (said,) = simulate(guard, "PreToolUse", host=host, tool="host:Bash", input=FORCED).decisions
    assert (said.kind, said.verdict, said.text) == ("deny", "honoured", "force pushes are for people")
    assert simulate(guard, "PreToolUse", host=host, tool="host:Bash", input={"command": "ls"}).decisions == ()


def test_a_connector_of_an_imported_module_is_found_with_its_code(guard, monkeypatch):
    module = types.ModuleType("acme_guard_module")
    module.__file__ = guard
    exec(compile(TEXT, guard, "exec"), vars(module))  # noqa: S102  as an import does
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert simulate(module.connector, "PreToolUse", tool="host:Bash", input=FORCED).decisions[0].kind == "deny"
    monkeypatch.delitem(sys.modules, module.__name__)
    with pytest.raises(ConnectorError, match="no imported module has this connector"):
        explain(module.connector, "codex")


def json_hosts():
    return [host for host in query.hosts() if query.hooks(host) and query.samples(host)]


@pytest.mark.parametrize("host", json_hosts())
def test_fire_runs_what_the_host_s_files_name(host, guard, agent_home, installed, fire):
    installed(guard, host)
    facet = query.hooks(host)
    if facet.honours("PreToolUse", "deny")[0] == "dropped":
        return
    fired = fire(host, "PreToolUse", tool="host:Bash", input=FORCED)
    assert "force pushes are for people" in fired.output + fired.stderr
    assert "force pushes" not in fire(host, "PreToolUse", tool="host:Bash", input={"command": "ls"}).output


def test_a_hook_that_is_not_registered_is_said(guard, agent_home, installed, fire):
    installed(guard, "codex")
    text = agent_home.read(".codex/hooks.json")
    agent_home.write(".codex/hooks.json", "{}")
    with pytest.raises(AssertionError, match="nothing of acme-guard is registered for PreToolUse in codex"):
        fire("codex", "PreToolUse", tool="host:Bash", input=FORCED)
    agent_home.write(".codex/hooks.json", text)


@pytest.mark.parametrize("host", query.hosts())
def test_a_home_has_the_hosts_that_are_asked_for(host, agent_home):
    agent_home.has(host)
    assert host in [found.host for found in detect(agent_home.machine()) if found.sure]


def test_install_goes_into_the_hosts_that_are_here(guard, agent_home, installed):
    agent_home.has("codex", "cursor")
    assert set(installed(guard).hosts) == {"codex", "cursor"}


def test_a_file_that_uninstall_does_not_bring_back_fails_the_test(pytester, guard):
    pytester.makeconftest('pytest_plugins = ["agent_connector.testing.pytest_plugin"]')
    pytester.makepyfile(
        f"""
        def test_good(installed, fire):
            installed({guard!r}, "codex")
            assert fire("codex", "PreToolUse", tool="host:Bash", input={FORCED!r}).reply

        def test_bad(installed, agent_home):
            agent_home.write(".codex/config.toml", "a = 1")
            installed({guard!r}, "codex")
            agent_home.write(".codex/config.toml", "a = 2")
        """
    )
    result = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*uninstall did not bring back: .codex/config.toml*"])
