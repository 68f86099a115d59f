"""Which modules each path loads, by name. Time is not asserted: this is what it depends on."""

import json
import os
import subprocess
import sys
from pathlib import Path

from agent_connector.runtime import pack

DECLARATION = """
from agent_connector import Connector, ask
connector = Connector(id="acme", server={"transport": "stdio", "command": "true"})

@connector.hook("PreToolUse", matcher="write|drop")
def confirm(event): return ask("Really?")

@connector.hook("PreToolUse", matcher="read_.*")
def read(event): return ask("Really?")

@connector.hook("PostToolUse", matcher="(re|w)rite")
def regex(event): pass

@connector.statusline
def line(ctx): return ctx.model.display_name
"""
MISS = {
    "_json",
    "agent_connector",
    "agent_connector.connector",
    "agent_connector.connector.light",
    "agent_connector.connector.matching",
    "agent_connector.home",
    "agent_connector.home.paths",
    "agent_connector.home.system",
    "agent_connector.hosts",
    "agent_connector.hosts.claude_code",
    "agent_connector.hosts.claude_code.hooks",
    "agent_connector.hosts.dialects",
    "agent_connector.hosts.dialects.claude_hooks",
    "agent_connector.hosts.nodes",
    "agent_connector.runtime",
    "agent_connector.runtime.channel",
    "agent_connector.runtime.codec",
    "agent_connector.runtime.deadline",
    "agent_connector.runtime.decide",
    "agent_connector.runtime.dispatch",
    "agent_connector.runtime.hook",
    "gc",
}
HIT = MISS | {
    "_blake2",
    "acme",
    "agent_connector.connector.declare",
    "agent_connector.runtime.declaration",
    "agent_connector.runtime.handlers",
    "agent_connector.telemetry",
    "agent_connector.telemetry.append",
}
STATUSLINE = (MISS - {
    "agent_connector.hosts.claude_code.hooks",
    "agent_connector.hosts.dialects.claude_hooks",
    "agent_connector.runtime.hook",
}) | {
    "acme",
    "agent_connector.connector.contexts",
    "agent_connector.connector.declare",
    "agent_connector.hosts.claude_code.statusline",
    "agent_connector.hosts.dialects.claude_status",
    "agent_connector.runtime.declaration",
    "agent_connector.runtime.statusline",
}  # fmt: skip

# Writes down what has been loaded when the process ends itself, which it does without any teardown.
SPY = """
import posix, sys
before = set(sys.modules)
end = posix._exit

def spy(code):
    report = posix.open(sys.argv.pop(), posix.O_WRONLY | posix.O_CREAT, 0o600)
    posix.write(report, "\\n".join(sorted(set(sys.modules) - before)).encode())
    end(code)

posix._exit = spy
sys.argv = sys.argv[1:]
with open(sys.argv[0]) as stream:
    code = compile(stream.read(), sys.argv[0], "exec")
exec(code, {"__name__": "__main__", "__file__": sys.argv[0]})
"""


def loaded(home, words, payload, entry=None) -> set[str]:
    """The modules that a run adds to those of a bare interpreter."""
    report = home.folder / "report"
    report.unlink(missing_ok=True)
    command = [home.version.python, "-I", "-S", "-c", SPY, entry or home.entry[-1], *words, str(report)]
    done = subprocess.run(
        command, input=json.dumps(payload).encode(), env=home.variables, capture_output=True, timeout=60, check=True
    )
    assert done.stderr == b""
    return set(report.read_text().split()) - {"marshal", "posix"}


def test_a_miss_a_hit_and_a_status_line_load_these_and_nothing_else(home, call):
    home.connector(DECLARATION)
    hook = ["hook", "claude-code", "PreToolUse", "--connector", "acme"]
    assert loaded(home, hook, call(tool_name="Bash", mcp_server=None)) == MISS
    home.hook()  # makes the folder of the segments
    assert loaded(home, hook, call()) == HIT
    assert loaded(home, hook, call(tool_name="mcp__acme__read_all")) == HIT
    assert loaded(home, ["statusline", "claude-code", "--connector", "acme"], {}) == STATUSLINE
    assert home.logged() == []


def test_a_regex_beyond_names_and_prefixes_is_what_loads_re(home, call):
    home.connector(DECLARATION)
    words = ["hook", "claude-code", "PostToolUse", "--connector", "acme"]
    assert "re" in loaded(home, words, call(hook_event_name="PostToolUse"))


def test_without_a_bundle_the_same_are_loaded_one_by_one(home, call):
    home.connector(DECLARATION)
    hook = ["hook", "claude-code", "PreToolUse", "--connector", "acme"]
    source = Path(pack.__file__).parent / "entry.py"
    assert loaded(home, hook, call(tool_name="Bash", mcp_server=None), str(source)) == MISS


def test_hosts_and_dialects_keep_to_built_in_modules(home, call):
    """Of the standard library a bare start may add these alone; the bridge of OpenCode calls us from its own process."""
    allowed = {"_json", "_socket", "select", "zlib", "gc", "time", "_blake2"}
    home.connector(DECLARATION)
    for host in ("claude-code", "codex", "cursor", "gemini-cli"):
        found = loaded(home, ["hook", host, "x", "--connector", "acme"], {})
        assert {name for name in found if not name.startswith("agent_connector")} <= allowed


def test_the_bundle_holds_every_module_of_the_hook_path():
    package = os.path.dirname(os.path.dirname(pack.__file__))
    packed = set(pack.modules(package))
    assert {name for name in HIT | STATUSLINE if name.startswith("agent_connector")} <= packed
    assert not any(".cli." in name or ".deploy." in name or "pump" in name for name in packed)


def test_a_bundle_of_another_interpreter_is_not_looked_at(home, call, tmp_path):
    home.connector(DECLARATION)
    package = Path(home.entry[-1]).parent.parent
    copy = tmp_path / "versions" / "agent_connector"
    copy.parent.mkdir()
    subprocess.run(["cp", "-rH", str(package), str(copy)], check=True, timeout=60)
    (copy / "runtime" / pack.NAME).rename(copy / "runtime" / "bundle.cpython-27")
    program = [home.version.python, "-I", "-S", str(copy / "runtime" / "entry.py")]
    words = ["hook", "claude-code", "PreToolUse", "--connector", "acme"]
    assert home.run(words, json.dumps(call()).encode(), program).said["permissionDecision"] == "ask"


def test_a_package_that_is_not_whole_is_nothing_to_say(home, call, tmp_path):
    home.connector(DECLARATION)
    package = Path(home.entry[-1]).parent.parent
    copy = tmp_path / "versions" / "agent_connector"
    copy.parent.mkdir()
    subprocess.run(["cp", "-rH", str(package), str(copy)], check=True, timeout=60)
    program = [home.version.python, "-I", "-S", str(copy / "runtime" / "entry.py")]
    words = ["hook", "claude-code", "PreToolUse", "--connector", "acme"]
    for damage in (b"", b"\xff" * 8, (copy / "runtime" / pack.NAME).read_bytes()[:20_000]):
        (copy / "runtime" / pack.NAME).write_bytes(damage)
        ended = home.run(words, json.dumps(call()).encode(), program)
        assert (ended.code, ended.out, ended.err) == (0, b"{}", b"")
        ended = home.run(["action", "claude-code", "x"], b"", program)
        assert ended.code == 1 and b"agent-connector upgrade" in ended.err
    (copy / "runtime" / pack.NAME).unlink()
    (copy / "runtime" / "decide.py").unlink()
    assert home.run(words, b"{}", program).out == b"{}"
    assert sys.version_info >= (3, 11)
