"""The verbs as a person and a program meet them: what they print, what they exit with."""

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from agent_connector.cli.group import ALIASES, VERBS, verbs
from agent_connector.hosts import query

SESSIONS = ("run", "attach", "serve")  # a session in a terminal or of a host, no document
ACME = str(Path(__file__).parents[2] / "examples" / "acme" / "connector.py")


def names():
    return verbs.list_commands(click.Context(verbs))


def leaves(command):
    """The verbs below a group, however deep; a verb is its own."""
    if not isinstance(command, click.Group):
        return [command]
    context = click.Context(command)
    return [leaf for name in command.list_commands(context) for leaf in leaves(command.get_command(context, name))]


def test_every_verb_helps_with_examples_and_takes_json(run):
    for name in names():
        code, out, _ = run(name, "--help")
        assert code == 0
        shown = verbs.get_command(click.Context(verbs), name)
        assert all(any("--json" in p.opts for p in one.params) for one in leaves(shown) if one.name not in SESSIONS), (
            name
        )
        assert "agent-connector" in out, name


def test_the_list_of_verbs_is_shown_without_loading_any():
    code = (
        "import sys; from agent_connector.cli.main import main; main(['--help']);"
        "print([m for m in sys.modules if m.startswith('agent_connector.deploy') or m == 'rich'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.rstrip().endswith("[]")
    assert all(VERBS[name] in " ".join(done.stdout.split()) for name in names())


def test_what_hosts_execute_loads_no_command_line():
    code = (
        "import sys; sys.argv = ['agent-connector', 'serve']; from agent_connector.cli.main import main;"
        "code = main(); print(code, 'click' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.splitlines()[-1] == "2 False"


def test_the_aliases_are_the_same_verb(run):
    assert ALIASES == {"update": "upgrade", "sync": "upgrade"}
    assert run("update", "--help")[1].split("\n", 1)[1] == run("upgrade", "--help")[1].split("\n", 1)[1]


@pytest.mark.parametrize(
    ("words", "meant"),
    [(["instal"], "install"), (["unistall"], "uninstall"), (["usage", "reprot"], "report"), (["zzz"], None)],
)
def test_a_verb_that_is_nearly_right_is_told(home, run, words, meant):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert f"No such command '{words[-1]}'." in err
    assert f"Did you mean '{meant}'?" in err if meant else "Did you mean" not in err


@pytest.mark.parametrize(
    "words",
    [["nope"], ["install", "--nope"], ["install", "-s", "galaxy"], ["simulate"], ["install", "-c", "a", "--name", "b"]],
)
def test_wrong_usage_exits_with_2(home, run, words):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "Usage:" in err or "Error:" in err


def test_an_error_is_one_message_with_a_remedy_and_exits_with_1(home, run, run_json):
    code, out, err = run("install")
    assert (code, out) == (1, "")
    assert err.startswith(f"agent-connector: {home}/project: no connector is declared here\n  Write connector.py")
    code, document = run_json("install", "-c", "nope.py")
    assert (code, document["error"]["what"]) == (1, "there is no such file")


def test_broken_rules_are_listed_for_programs_too(home, run_json):
    (home / "project" / "connector.toml").write_text('id = "A B"\n[server]\ncommand = 3\n')
    code, document = run_json("install")
    assert code == 1
    assert [problem["path"] for problem in document["error"]["problems"]] == ["id", "server.command"]


def test_detect(home, run, run_json):
    code, out, _ = run("detect")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["host", "codex", "cursor"]
    code, document = run_json("detect")
    assert [host["host"] for host in document["hosts"]] == ["codex", "cursor"]
    assert document["running"] is None
    assert run_json("detect", "--client", "opencode")[1]["running"] == "opencode"


def test_what_one_broken_file_keeps_out_is_told_once(home, run):
    (home / ".cursor").mkdir(exist_ok=True)
    (home / ".cursor/hooks.json").write_text("{ broken")
    code, out, _ = run("install", "-c", ACME, "-t", "cursor")
    assert code == 1
    told = " ".join(out.split())
    assert told.count("line 1: ") == 1 and "hooks.preToolUse, hooks.beforeSubmitPrompt" in told
    assert told.count("Mend this place") == 1 and "By hand" not in told
    code, out, _ = run("doctor")
    assert code == 1 and out.count("Mend this place") == 1


def test_the_life_of_a_connector(home, run, run_json):
    before = {str(p): p.read_bytes() for p in home.rglob("*") if p.is_file()}

    code, out, _ = run("install", "-c", ACME, "--dry-run", "--diff")
    assert code == 0 and "+[mcp_servers.acme-db]" in out and "would be: " in out
    assert {str(p): p.read_bytes() for p in home.rglob("*") if p.is_file()} == before

    code, document = run_json("install", "-c", ACME)
    assert (code, document["hosts"], document["failed"]) == (0, ["codex", "cursor"], False)
    assert {change["op"] for change in document["changes"]} == {"+", "="}
    assert {remark["kind"] for remark in document["remarks"]} == {"note", "skip", "step"}

    code, out, _ = run("install", "-c", ACME)
    assert code == 0 and "nothing to do" in out and "Still to be done by you:" in out

    code, out, _ = run("status")
    assert code == 0 and "server ok  hooks ok" in out

    (home / ".cursor/mcp.json").write_text('{"mcpServers": {}}\n')
    code, out, _ = run("status")
    assert code == 0 and "server missing" in out
    code, out, _ = run("doctor")
    assert code == 1 and "missing  cursor server in ~/.cursor/mcp.json" in out
    assert re.search(r"(?m)^bad   \d+ of \d+ entries", out), "what is not all there is not told as ok"
    assert run_json("doctor")[1]["failed"] is True

    code, out, _ = run("upgrade")
    assert code == 0 and "1 added" in out
    assert run("doctor")[0] == 0

    code, out, _ = run("uninstall", "-c", "acme-db", "--purge")
    assert code == 0 and "our own home is removed" in out
    assert {str(p): p.read_bytes() for p in home.rglob("*") if p.is_file()} == before


def test_a_declaration_and_no_file_exclude_each_other(home, run):
    assert run("install", "--name", "everything", "-c", "x")[0] == 2


def test_a_command_after_two_dashes(home, run):
    code, out, _ = run(
        "install",
        "--name",
        "everything",
        "--env",
        "TOKEN",
        "--env",
        "MODE=fast",
        "-t",
        "codex",
        "--",
        "npx",
        "-y",
        "x",
        "--json",
    )
    assert code == 0 and "mcp_servers.everything" in out
    config = (home / ".codex/config.toml").read_text()
    assert '"--", "npx", "-y", "x", "--json"' in config
    assert 'env_vars = ["TOKEN"]' in config and 'MODE = "fast"' in config


def test_a_remote_server_without_a_file(home, run):
    code, _, _ = run("install", "--name", "acme", "--url", "https://x/mcp", "--bearer", "T", "--header", "X-A: b")
    assert code == 0
    assert 'bearer_token_env_var = "T"' in (home / ".codex/config.toml").read_text()
    assert json.loads((home / ".cursor/mcp.json").read_text())["mcpServers"]["acme"]["headers"]["X-A"] == "b"
    assert run("install", "--name", "acme", "--url", "https://x", "--header", "nonsense")[0] == 2


def test_project_scope_by_the_project_alone(home, run_json):
    code, document = run_json("install", "-c", ACME, "-t", "cursor", "--project", str(home / "project"))
    assert (code, document["scope"]) == (0, "project")
    assert (home / "project/.cursor/mcp.json").exists()
    assert json.loads((home / ".cursor/mcp.json").read_text()) == {"mcpServers": {}}


def test_what_was_left_with_a_warning_exits_with_1_and_says_the_edit(home, run):
    (home / ".cursor/mcp.json").write_text('{"mcpServers": {"acme-db": {"command": "theirs"}}}\n')
    code, out, _ = run("install", "-c", ACME, "-t", "cursor")
    assert code == 1
    assert "By hand: set `mcpServers.acme-db`" in out and "1 left" in out


def test_status_always_exits_with_0(home, run):
    assert run("status")[:2] == (0, "no connector is installed\n")
    assert run("status", "-c", "nope")[:2] == (0, "nope is not installed\n")
    run("install", "-c", ACME, "-t", "codex")
    (home / ".agent-connector/connectors/acme-db/install.json").write_text("{")
    code, out, _ = run("status")
    assert code == 0 and "it is damaged" in out
    (home / ".codex/config.toml").write_text("= broken")
    (home / ".agent-connector/ledger.json").write_text("{")
    assert run("status")[0] == 0


def test_the_status_of_every_host_is_a_page(home, run, run_json):
    run("install", "-c", ACME, "-t", "all")
    chosen = json.loads((home / ".agent-connector/connectors/acme-db/install.json").read_text())["installs"][0]["hosts"]
    (home / ".cursor/mcp.json").write_text('{"mcpServers": {}}\n')
    page = run("status")[1]
    assert len(page.splitlines()) < 24
    rows = [line for line in page.splitlines() if line.startswith("  user ")]
    assert all(any(f"{host}," in f"{row}," for row in rows) for host in chosen)
    assert [row for row in rows if "server missing" in row and row.endswith("  cursor")]
    assert "missing  cursor server in ~/.cursor/mcp.json" in page and "(--all tells them)" in page
    every = run("status", "--all")[1]
    assert sum(line.startswith("  ") and "  user  " in line for line in every.splitlines()) == len(chosen)
    assert "codex" in every.partition("if not done yet:")[2]
    assert len({finding["host"] for finding in run_json("status")[1]["connectors"][0]["findings"]}) == len(chosen)


def test_what_is_wrong_for_one_reason_is_said_once(home, run):
    run("install", "-c", ACME, "-t", "claude-code,codex,qwen-code,gemini-cli")
    (home / ".agent-connector/bin/agent-connector").unlink()
    for name in (".claude.json", ".qwen/settings.json", ".gemini/settings.json", ".codex/config.toml"):
        (home / name).unlink()
    told = [line.strip() for line in run("status")[1].splitlines() if " entries in " in line]
    assert [line.split(" in ")[1] for line in told] == ["claude-code, codex, qwen-code, gemini-cli"]
    assert "missing  codex server in ~/.codex/config.toml" in run("status", "--all")[1]


def test_explain(home, run, run_json):
    code, out, _ = run("explain", "-c", ACME, "-t", "all")
    assert code == 0
    assert out.splitlines()[1].split() == [
        "host", "server", "hooks", "commands", "skills", "subagents", "memory", "statusline",
    ]  # fmt: skip
    code, out, _ = run("explain", "-c", ACME, "-t", "codex", "--why")
    assert "PreToolUse: the host's PreToolUse" in out and "to be done by you: hooks: start codex" in out
    document = run_json("explain", "-c", ACME, "-t", "codex")[1]
    assert document["hosts"][0]["cells"]["server"]["support"] == "native"


def test_explain_an_installed_connector_by_its_id(home, run):
    run("install", "-c", ACME, "-t", "codex")
    assert run("explain", "-c", "acme-db", "-t", "codex")[0] == 0


def test_simulate(home, run, run_json):
    code, out, _ = run("simulate", "PreToolUse", "-c", ACME, "--tool", "acme_write", "--input", '{"sql": "x"}')
    assert code == 0
    said, codex, cursor, *others, more = out.splitlines()
    assert said == "PreToolUse: confirm_writes said ask 'acme_write changes the Acme database: confirm the write'"
    assert codex.split()[:3] == ["degraded", "(proven)", "codex"] and cursor.split()[2] == "cursor"
    assert sorted(line.split()[0] for line in others) == ["degraded", "honoured"]
    assert "claude-code" in out and all(line.endswith("(not found here)") for line in others) and "--all" in more
    words = ("simulate", "PreToolUse", "-c", ACME, "--tool", "acme_write")
    able = [host for host in query.hosts() if query.hooks(host)]
    every = run(*words, "--all")[1]
    assert every.count("confirm_writes said ask") == every.count("  reply: ") == len(able)
    assert run(*words, "--host", "codex")[1].splitlines()[-1].startswith('  reply: {"hookSpecificOutput"')
    assert len(run_json(*words)[1]["results"]) == len(able)
    assert run("simulate", "PreToolUse", "-c", ACME, "--tool", "nothing")[1].splitlines()[0] == (
        "PreToolUse: no handler is asked: none is declared for this event and tool"
    )
    (home / "project" / "connector.py").write_text(
        "from agent_connector import Connector, deny\nconnector = Connector(id='c')\n"
        "@connector.hook('PreToolUse', matcher='host:Bash')\ndef no(event):\n    return deny('no')\n"
    )
    hint = "(a tool of the host itself has host: before its name: --tool host:Bash; declared: host:Bash)"
    assert hint in run("simulate", "PreToolUse", "--tool", "Bash")[1]
    assert hint not in run("simulate", "PreToolUse", "--tool", "host:Bash")[1]
    code, document = run_json("simulate", "-c", ACME, "--host", "codex", "UserPromptSubmit", "--prompt", "customers?")
    (result,) = document["results"]
    assert (result["decisions"][0]["kind"], result["decisions"][0]["verdict"]) == ("context", "honoured")
    assert run("simulate", "Nope", "-c", ACME)[0] == 2
    assert run("simulate", "PreToolUse", "-c", ACME, "--tool", "x", "--input", "[")[0] == 2


def test_pin(home, run, run_json):
    code, out, _ = run("pin")
    assert code == 0 and out.startswith("~/project is pinned to ")
    assert run_json("pin", "--list")[1]["pins"][0]["installed"] is True
    assert run("pin", "--remove")[1] == "~/project is not pinned any more\n"
    assert run("pin", "--list")[1] == "no folder is pinned\n"
    assert run("pin", "1.0", "--list")[0] == 2


def test_output_is_plain_where_nobody_looks(home, run):
    assert "\033" not in run("explain", "-c", ACME)[1]


def test_a_data_root_that_is_no_folder_is_said_in_words(home, run, run_json, monkeypatch):
    (home / "file").write_text("")
    monkeypatch.setenv("AGENT_CONNECTOR_DATA_DIR", str(home / "file"))
    for verb in ("status", "doctor", "upgrade"):
        code, _, err = run(verb)
        assert code == 1 and "a part of the path is a file, not a folder" in err and "Traceback" not in err
    assert run_json("status")[1]["error"]["where"].endswith("file/connectors")


def test_what_nobody_foresaw_is_said_in_words_and_traced_when_asked(home, run, run_json, monkeypatch):
    def fail(*_):
        raise RuntimeError("no such luck")

    monkeypatch.setattr("agent_connector.deploy.record.connectors", fail)
    code, _, err = run("status")
    assert code == 1 and "RuntimeError: no such luck" in err and "test_verbs.py:" in err and "Traceback" not in err
    assert "AGENT_CONNECTOR_TRACE" in run_json("status")[1]["error"]["remedy"]
    monkeypatch.setenv("AGENT_CONNECTOR_TRACE", "1")
    assert "Traceback" in run("status")[2]
    monkeypatch.setattr("agent_connector.deploy.record.connectors", lambda *_: Path("/no/such/file").read_bytes())
    assert "/no/such/file: cannot be used: No such file" in run("status")[2]


@pytest.mark.parametrize("verb", [("telemetry", "report"), ("usage", "report", "--no-scan"), ("leaderboard",)])
def test_a_time_that_is_none_is_wrong_usage(run, verb):
    code, _, err = run(*verb, "--since", "tomorrow")
    assert (code, "--since: 'tomorrow' is no time" in " ".join(err.split())) == (2, True)
