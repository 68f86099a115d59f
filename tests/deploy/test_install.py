"""Install and uninstall on real files: written once, shown before as it happens, and taken back byte for byte."""

import json
import os
from pathlib import Path

import pytest

from agent_connector import Connector, stdio
from agent_connector.connector.freeze import freeze
from agent_connector.connector.load import from_command, load
from agent_connector.connector.locate import Found
from agent_connector.connector.model import Source
from agent_connector.deploy import record
from agent_connector.deploy.install import install, project_folder
from agent_connector.deploy.surfaces import Options
from agent_connector.deploy.uninstall import uninstall
from agent_connector.errors import DeployError, HostError
from agent_connector.home import paths
from agent_connector.hosts.query import hosts

EVERY = hosts()


def put(home, loaded, targets=None, *, scope="user", **more):
    return install(
        loaded, machine=home.machine(project=scope == "project"), root=home.root, hosts=targets, scope=scope, **more
    )


def ops(report):
    return [(change.op, change.host, change.surface) for change in report.changes]


def test_a_second_install_writes_nothing(lived_in, acme):
    assert any(op == "+" for op, _, _ in ops(put(lived_in, acme).report))
    files = lived_in.files()
    times = {path: path.stat().st_mtime_ns for path in lived_in.folder.rglob("*") if path.is_file()}
    again = put(lived_in, acme)
    assert {op for op, _, _ in ops(again.report)} == {"="}
    assert (again.report.files, lived_in.files()) == ((), files)
    changed = {str(p) for p, t in times.items() if p.stat().st_mtime_ns != t}
    assert changed == set()


@pytest.mark.parametrize("targets", [[host] for host in EVERY] + [list(EVERY)], ids=[*EVERY, "all"])
@pytest.mark.parametrize("scope", ["user", "project"])
def test_uninstall_brings_every_file_and_folder_back(lived_in, acme, targets, scope):
    files, folders = lived_in.files(), lived_in.folders()
    done = put(lived_in, acme, targets, scope=scope)
    assert (lived_in.files() != files) == bool(
        {"+", "~"} & {op for op, _, _ in ops(done.report)}
    )  # some take nothing here
    machine = lived_in.machine(project=scope == "project")
    removal = uninstall(machine=machine, root=lived_in.root, connector="acme-db")
    assert not removal.failed
    assert (lived_in.files(), lived_in.folders()) == (files, folders)
    assert removal.gone == ("acme-db",)
    assert not os.path.exists(paths.connector_folder(lived_in.root, "acme-db"))


@pytest.mark.parametrize("scope", ["user", "project"])
def test_a_dry_run_says_what_the_install_then_does_and_touches_nothing(lived_in, acme, scope):
    before = {p: p.read_bytes() for p in lived_in.folder.rglob("*") if p.is_file()}
    dry = put(lived_in, acme, scope=scope, dry=True)
    assert {p: p.read_bytes() for p in lived_in.folder.rglob("*") if p.is_file()} == before
    real = put(lived_in, acme, scope=scope)
    assert ops(dry.report) == ops(real.report)
    assert [(f.file, f.before, f.after) for f in dry.report.files] == [
        (f.file, f.before, f.after) for f in real.report.files
    ]
    assert dry.remarks == real.remarks


def test_the_files_that_hosts_read(lived_in, acme, snapshot):
    """What a person finds in each file afterwards; the home folder is shown as ~."""
    put(lived_in, acme)
    written = {
        name: lived_in.read(name)
        .replace(str(lived_in.folder), "~")
        .replace(os.path.dirname(acme.found.source.path), "ACME")
        for name in lived_in.files()
        if not name.endswith(".js")
    }
    assert written == snapshot


def test_without_a_host_there_is_nothing_to_install_into(home, acme):
    with pytest.raises(DeployError, match="no host was found"):
        put(home, acme)
    with pytest.raises(HostError, match="no host 'vim'"):
        put(home, acme, ["vim"])
    assert not os.path.exists(paths.connector_folder(home.root, "acme-db"))


def test_a_host_that_is_not_here_can_be_named(home, acme):
    assert put(home, acme, ["codex"]).hosts == ("codex",)
    assert "acme-db" in home.read(".codex/config.toml")


def test_hosts_that_are_chosen_later_join_those_of_before(lived_in, acme):
    put(lived_in, acme, ["codex"])
    put(lived_in, acme, ["cursor"])
    put(lived_in, acme, ["cursor"], scope="project")
    kept = record.load(lived_in.root, "acme-db")
    assert [(i.scope, i.hosts) for i in kept.installs] == [("user", ("codex", "cursor")), ("project", ("cursor",))]


def loaded(build, **fields):
    """A connector that is declared in this process."""
    connector = Connector(**{"id": "acme", "server": stdio("acme-mcp"), **fields})
    build(connector)
    stored = {"source": {}, "defaults": {}, "declaration": {}, "texts": {}}
    source = Source("toml", "/author/connector.toml")
    model = freeze(connector, source, hosts=hosts())
    from agent_connector.connector.load import Loaded

    return Loaded(model, Found(source, ""), stored)


def test_what_the_declaration_no_longer_has_goes(lived_in):
    def both(connector):
        connector.command("one", prompt="1")
        connector.command("two", prompt="2")

    put(lived_in, loaded(both), ["claude-code"])
    report = put(lived_in, loaded(lambda connector: connector.command("two", prompt="3")), ["claude-code"]).report
    assert [c for c in ops(report) if c[2] == "commands"] == [
        ("-", "claude-code", "commands"),
        ("~", "claude-code", "commands"),
    ]
    assert not (lived_in.folder / ".claude/commands/one.md").exists()
    assert "3" in lived_in.read(".claude/commands/two.md")


def test_a_persons_own_status_line_is_kept_and_said(lived_in, acme):
    lived_in.write(".claude/settings.json", '{"statusLine": {"type": "command", "command": "mine"}}')
    outcome = put(lived_in, acme, ["claude-code"])
    assert ("!", "claude-code", "statusline") in ops(outcome.report)
    assert outcome.failed
    assert json.loads(lived_in.read(".claude/settings.json"))["statusLine"]["command"] == "mine"


def test_hosts_that_were_named_stay_the_ones(lived_in, acme):
    put(lived_in, acme, ["cursor"])
    assert put(lived_in, acme).hosts == ("cursor",)
    assert put(lived_in, acme, ["codex"]).hosts == ("codex",)
    assert put(lived_in, acme).hosts == ("cursor", "codex")


def test_hosts_that_nobody_named_are_those_that_are_here(lived_in, acme):
    here = put(lived_in, acme).hosts
    assert len(here) > 1 and put(lived_in, acme, ["cursor"]).hosts == ("cursor",)
    assert put(lived_in, acme).hosts == here


def test_somebody_elses_server_under_our_name_is_left_unless_forced(lived_in, acme):
    lived_in.write(".cursor/mcp.json", '{"mcpServers": {"acme-db": {"command": "theirs"}}}')
    before = lived_in.files()[".cursor/mcp.json"]
    assert ("!", "cursor", "server") in ops(put(lived_in, acme, ["cursor"]).report)
    assert lived_in.files()[".cursor/mcp.json"] == before
    assert ("~", "cursor", "server") in ops(put(lived_in, acme, ["cursor"], force=True).report)
    uninstall(machine=lived_in.machine(), root=lived_in.root, connector="acme-db")
    assert lived_in.files()[".cursor/mcp.json"] == before


def test_a_file_that_does_not_parse_is_left_and_the_others_are_done(lived_in, acme):
    lived_in.write(".cursor/mcp.json", '{"mcpServers": {')
    outcome = put(lived_in, acme, ["cursor", "codex"])
    refused = next(change for change in outcome.report.changes if change.op == "!")
    assert (refused.host, refused.surface, "line 1" in refused.note) == ("cursor", "server", True)
    assert "By hand" in refused.remedy
    assert ("+", "codex", "server") in ops(outcome.report)
    assert lived_in.read(".cursor/mcp.json") == '{"mcpServers": {'


def test_our_home_holds_what_hosts_will_run(lived_in, acme):
    put(lived_in, acme)
    folder = paths.declaration_folder(lived_in.root, "acme-db")
    assert sorted(os.listdir(folder)) == ["__pycache__", "connector.py"]
    manifest = json.loads(Path(paths.manifest(lived_in.root, "acme-db")).read_text())
    assert manifest["shares_hooks"] == ["claude-code", "cursor", "copilot-cli"]
    assert os.access(Path(paths.connector_python(lived_in.root, "acme-db")).read_text().strip(), os.X_OK)
    launcher = paths.launcher_path(str(lived_in.folder))
    assert os.access(launcher, os.X_OK)


def test_no_versioned_or_temporary_path_stands_in_a_hosts_file(lived_in, acme):
    put(lived_in, acme)
    for name in lived_in.files():
        text = lived_in.read(name)
        assert "/versions/" not in text and "site-packages" not in text and ".venv" not in text


def test_trust_is_given_to_exactly_the_hooks_that_stand_there_and_goes_with_them(lived_in, acme):
    files = lived_in.files()
    put(lived_in, acme, ["codex"], options=Options(trust=True))
    config = lived_in.read(".codex/config.toml")
    assert config.count("trusted_hash") == 2
    assert f"{lived_in.folder}/.codex/hooks.json:pre_tool_use:0:0" in config
    again = put(lived_in, acme, ["codex"])
    assert (again.report.files, lived_in.read(".codex/config.toml")) == ((), config)
    uninstall(machine=lived_in.machine(), root=lived_in.root, connector="acme-db")
    assert lived_in.files() == files


def test_trust_for_a_projects_hooks_stands_in_the_persons_own_file_and_goes_with_them(lived_in, acme):
    files = lived_in.files()
    put(lived_in, acme, ["codex"], scope="project", options=Options(trust=True))
    config = lived_in.read(".codex/config.toml")
    assert "trust_level" in config and f"{lived_in.project}/.codex/hooks.json:pre_tool_use:0:0" in config
    uninstall(machine=lived_in.machine(project=True), root=lived_in.root, connector="acme-db")
    assert lived_in.files() == files


def test_two_connectors_share_files_and_leave_one_after_the_other(lived_in, acme):
    files = lived_in.files()
    put(lived_in, acme)
    put(lived_in, from_command("everything", ["npx", "-y", "everything"], hosts=hosts()))
    uninstall(machine=lived_in.machine(), root=lived_in.root, connector="acme-db")
    assert "everything" in lived_in.read(".claude.json") and "acme" not in lived_in.read(".claude.json")
    uninstall(machine=lived_in.machine(), root=lived_in.root, connector="everything")
    assert lived_in.files() == files


def test_a_package_is_copied_whole_without_what_is_no_code(lived_in, tmp_path):
    for name, text in {
        "acme/__init__.py": "",
        "acme/decl.py": "from agent_connector import Connector\nfrom .data import ID\n"
        "connector = Connector(id='acme')\nconnector.memory(ID)\n",
        "acme/data/__init__.py": "ID = 'text'",
        "acme/.venv/lib/x.py": "",
        "acme/__pycache__/x.pyc": "",
    }.items():
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    put(lived_in, load(str(tmp_path / "src/acme/decl.py"), hosts=hosts()), ["codex"])
    folder = paths.declaration_folder(lived_in.root, "acme")
    copied = {
        os.path.relpath(os.path.join(p, f), folder) for p, _, fs in os.walk(folder) for f in fs if f.endswith(".py")
    }
    assert copied == {"acme/__init__.py", "acme/decl.py", "acme/data/__init__.py"}


def test_the_project_of_an_install(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert project_folder(None, "user") is None
    assert project_folder(None, "project") == os.path.realpath(tmp_path)
    with pytest.raises(DeployError, match="no such project folder"):
        project_folder(str(tmp_path / "nope"), "project")
