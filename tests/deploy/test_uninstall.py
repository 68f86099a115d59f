"""Taking a connector out: partly, without our records, and with our own home."""

import os

import pytest

from agent_connector.connector.load import from_command
from agent_connector.deploy import record
from agent_connector.deploy.install import install
from agent_connector.deploy.uninstall import uninstall
from agent_connector.errors import DeployError, HostError
from agent_connector.home import paths
from agent_connector.hosts.query import hosts


def put(home, loaded, targets=None, *, scope="user", **more):
    machine = home.machine(project=scope == "project")
    return install(loaded, machine=machine, root=home.root, hosts=targets, scope=scope, **more)


def take(home, connector=None, *, project=False, **more):
    return uninstall(machine=home.machine(project=project), root=home.root, connector=connector, **more)


def test_one_host_leaves_and_the_others_stay(lived_in, acme):
    before = lived_in.files()
    put(lived_in, acme)
    removal = take(lived_in, "acme-db", hosts=["codex"])
    assert removal.gone == ()
    assert lived_in.read(".codex/config.toml").find("acme-db") == -1
    assert "acme-db" in lived_in.read(".cursor/mcp.json")
    assert "codex" not in record.load(lived_in.root, "acme-db").hosts
    assert (lived_in.folder / ".agents/skills/acme-schema/SKILL.md").exists()  # Cursor reads the same file
    take(lived_in, "acme-db")
    assert lived_in.files() == before


def test_one_scope_leaves_and_the_other_stays(lived_in, acme):
    put(lived_in, acme, ["codex"])
    user = lived_in.files()
    put(lived_in, acme, ["codex"], scope="project")
    take(lived_in, "acme-db", project=True, scope="project")
    assert lived_in.files() == user
    assert [i.scope for i in record.load(lived_in.root, "acme-db").installs] == ["user"]


def test_memory_goes_first(lived_in, acme):
    put(lived_in, acme, ["codex"])
    changes = take(lived_in, "acme-db").report.changes
    assert changes[0].surface == "memory"


def test_a_dry_run_takes_nothing_out(lived_in, acme):
    put(lived_in, acme)
    before = lived_in.files()
    dry = take(lived_in, "acme-db", dry=True)
    assert {change.op for change in dry.report.changes} <= {"-", "="}
    assert (lived_in.files(), dry.dry) == (before, True)
    assert record.load(lived_in.root, "acme-db") is not None


def test_what_a_person_changed_is_left_with_the_edit_to_make(lived_in, acme):
    put(lived_in, acme, ["cursor"])
    text = lived_in.read(".cursor/mcp.json").replace("python3", "python3.13")
    lived_in.write(".cursor/mcp.json", text)
    removal = take(lived_in, "acme-db", purge=True)
    left = [change for change in removal.report.changes if change.op == "!"]
    assert [(change.surface, "By hand" in change.remedy) for change in left] == [("server", True)]
    assert (removal.failed, removal.purged) == (True, False)
    assert lived_in.read(".cursor/mcp.json") == text


def test_without_our_records_entries_are_found_by_their_marks(lived_in, acme):
    put(lived_in, acme)
    for file in (paths.ledger(lived_in.root), paths.install_record(lived_in.root, "acme-db")):
        os.unlink(file)
    with pytest.raises(DeployError, match="--scan"):
        take(lived_in, "acme-db")
    removal = take(lived_in, scan=True)
    assert removal.connectors == ("acme-db",)
    for name in lived_in.files():
        text = lived_in.read(name)
        if not name.endswith((".md", ".toml", "openai.yaml")) or "agent-connector:" in text or "config.toml" in name:
            assert "acme-db" not in text, name
    assert lived_in.read(".claude.json").count("other") == 2


@pytest.mark.parametrize("recorded", [True, False])
def test_what_several_hosts_read_in_one_file_is_found_once(lived_in, acme, recorded):
    put(lived_in, acme, ["codex", "cursor", "opencode"], scope="project")
    if not recorded:
        os.unlink(paths.ledger(lived_in.root))
    removal = take(lived_in, project=True, scan=True, dry=True)
    assert [c.op for c in removal.report.changes if c.file.endswith("AGENTS.md")] == ["="] * 2 * recorded + ["-"]
    assert not [c for c in removal.report.changes if "gone" in c.note]


def test_a_scan_for_one_host_leaves_what_is_recorded_for_another(lived_in, acme):
    put(lived_in, acme, ["codex"], scope="project")
    removal = take(lived_in, project=True, scan=True, hosts=["cursor"], dry=True)
    (memory,) = [c for c in removal.report.changes if c.surface == "memory"]
    assert (memory.op, memory.note) == ("=", "kept for acme-db in codex")


def test_what_is_not_installed_is_said_with_what_is(lived_in, acme):
    with pytest.raises(DeployError) as caught:
        take(lived_in, "nope")
    assert "No connector is installed" in caught.value.remedy
    put(lived_in, acme, ["codex"])
    with pytest.raises(DeployError) as caught:
        take(lived_in, "nope")
    assert "Installed: acme-db." in caught.value.remedy
    with pytest.raises(HostError):
        take(lived_in, "acme-db", hosts=["vim"])


def test_purge_removes_our_home_with_the_last_connector(lived_in, acme):
    put(lived_in, acme, ["codex"])
    put(lived_in, from_command("other", ["x"], hosts=hosts()), ["codex"])
    assert not take(lived_in, "acme-db", purge=True).purged
    assert os.path.isdir(lived_in.root)
    assert take(lived_in, purge=True).purged
    assert not os.path.exists(lived_in.root)


def test_purge_leaves_what_is_not_ours_in_a_data_root_that_a_person_chose(home, acme, tmp_path):
    root = tmp_path / "data"
    root.mkdir()
    (root / "theirs.txt").write_text("keep")
    install(acme, machine=home.machine(), root=str(root), hosts=["codex"])
    assert uninstall(machine=home.machine(), root=str(root), purge=True).purged
    assert os.listdir(root) == ["theirs.txt"]
    assert not os.path.exists(paths.bin_folder(str(home.folder)))
