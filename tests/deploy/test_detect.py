"""Which hosts are here, and which one runs this: pure functions of a machine."""

from agent_connector.deploy.detect import detect, running_host
from agent_connector.hosts.machine import Machine


def machine(*files, programs=(), platform="linux", home="/home/me", **variables):
    return Machine(home, platform, variables, None, set(files).__contains__, dict(programs).get)


def test_a_host_is_found_by_what_it_leaves_or_by_its_program():
    found = detect(machine("/home/me/.codex", "/home/me/.codex/config.toml", programs=[("claude", "/bin/claude")]))
    assert [(each.host, each.sure, each.program) for each in found] == [
        ("claude-code", True, "/bin/claude"),
        ("codex", True, None),
    ]
    assert "/home/me/.codex/config.toml" in found[1].found


def test_a_folder_that_others_share_is_too_little():
    found = detect(machine("/home/me/.gemini"))
    assert [(each.host, each.sure) for each in found] == [("gemini-cli", False)]


def test_a_moved_configuration_folder_is_honoured():
    found = detect(machine("/conf/claude/settings.json", CLAUDE_CONFIG_DIR="/conf/claude"))
    assert [each.host for each in found] == ["claude-code"]


def test_windows_paths_are_windows_paths():
    found = detect(machine("C:\\Users\\me\\.cursor", platform="win32", home="C:\\Users\\me"))
    assert [each.host for each in found] == ["cursor"]


def test_nothing_is_found_on_an_empty_machine():
    assert detect(machine()) == ()


CLAUDE = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s", "CLAUDE_CODE_ENTRYPOINT": "cli"}


def test_the_running_host_is_known_by_its_marks():
    assert running_host(CLAUDE) == "claude-code"
    assert running_host({"OPENCODE": "1"}) == "opencode"
    assert running_host({"CLAUDE_PROJECT_DIR": "/p"}) is None


def test_marks_of_an_enclosing_host_are_ignored():
    assert running_host({**CLAUDE, "GEMINI_CLI": "1", "GEMINI_SESSION_ID": "g"}) == "gemini-cli"


def test_the_clients_name_is_asked_last():
    assert running_host({}, "gemini-cli-mcp-client") == "gemini-cli"
    assert running_host(CLAUDE, "gemini-cli-mcp-client") == "claude-code"
    assert running_host({}, "somebody else") is None
    assert running_host({}, "dev.warp.Warp-Stable") == "warp"  # its name ends with the channel


def test_what_replaced_a_host_or_a_version_of_it_is_said():
    def replaced(*files, **more):
        return {each.host: each.replaced_by for each in detect(machine(*files, **more))}

    old = "/home/me/.kimi"
    assert "`kimi migrate`" in replaced(old, f"{old}/config.toml")["kimi"]
    assert replaced(old, f"{old}/config.toml", "/home/me/.kimi-code")["kimi"] is None
    assert replaced(programs=[("warp-cli", "/bin/warp-cli")]) == {"warp": "`oz`, the new name of `warp-cli`"}
    assert replaced(programs=[("warp-cli", "/bin/warp-cli"), ("oz", "/bin/oz")]) == {"warp": None}
    assert "Zoo Code" in replaced("/home/me/.roo")["roo-code"]
