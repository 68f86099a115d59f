"""Memory in a project's AGENTS.md, which Claude Code's CLAUDE.md imports by one line."""

import pytest

from agent_connector.connector.load import Loaded, thaw
from agent_connector.deploy.health import check
from agent_connector.deploy.install import install
from agent_connector.deploy.record import load as record_of
from agent_connector.deploy.uninstall import uninstall
from agent_connector.documents import markdown
from agent_connector.errors import ConnectorError
from agent_connector.hosts import query


def loaded(id: str = "acme", mode: str | None = "agents-import", text: str = "Use acme.") -> Loaded:
    memory = {"text": text} | ({"mode": mode} if mode else {})
    source = {"kind": "toml", "path": "", "module": "", "attribute": "connector", "requires": [], "import_seconds": 0}
    return thaw(
        {"source": source, "defaults": {}, "texts": {}, "declaration": {"id": id, "memory": [memory]}},
        hosts=query.nameable(),
    )


@pytest.fixture
def put(home):
    def install_it(connector, *hosts, scope="project"):
        machine = home.machine(project=scope == "project")
        return install(connector, machine=machine, root=home.root, hosts=hosts or ("claude-code",), scope=scope)

    return install_it


@pytest.fixture
def take(home):
    return lambda id="acme": uninstall(machine=home.machine(project=True), root=home.root, connector=id)


def blocks(home, name):
    return [(block.name, block.text) for block in markdown.blocks(home.read(f"project/{name}"))]


IMPORT = ("agent-connector/agents-import", "@AGENTS.md")


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"AGENTS.md": "# Ours\r\n"},
        {"CLAUDE.md": "# Mine"},
        {"CLAUDE.md": "```\n@AGENTS.md\n```\n", "AGENTS.md": ""},
    ],
    ids=["none", "agents", "claude", "both"],
)
def test_one_block_and_one_line_which_go_again(home, put, take, files):
    for name, text in files.items():
        home.write(f"project/{name}", text)
    before = home.files()
    assert not put(loaded()).failed
    assert blocks(home, "AGENTS.md") == [("acme/memory", "Use acme.")]
    assert blocks(home, "CLAUDE.md") == [IMPORT]
    findings, _ = check(record_of(home.root, "acme"), home.machine(project=True), home.root)
    assert {finding.word for finding in findings} == {"ok"}
    assert put(loaded()).report.files == ()
    assert not take().failed
    assert home.files() == before


def test_hosts_that_read_agents_md_share_the_block(home, put, take):
    put(loaded(), "claude-code", "codex")
    assert blocks(home, "AGENTS.md") == [("acme/memory", "Use acme.")]
    machine = home.machine(project=True)
    uninstall(machine=machine, root=home.root, connector="acme", hosts=["claude-code"])
    assert not (home.project / "CLAUDE.md").exists()
    assert blocks(home, "AGENTS.md") == [("acme/memory", "Use acme.")]
    take()
    assert not (home.project / "AGENTS.md").exists()


def test_connectors_share_the_line_until_the_last_goes(home, put, take):
    put(loaded("one"))
    put(loaded("two"))
    assert blocks(home, "CLAUDE.md") == [IMPORT]
    take("one")
    assert blocks(home, "CLAUDE.md") == [IMPORT]
    take("two")
    assert not (home.project / "CLAUDE.md").exists()


def test_a_line_that_the_person_wrote_is_enough(home, put, take):
    mine = home.write("project/CLAUDE.md", "# Mine\n\n@AGENTS.md\n")
    assert not put(loaded()).failed
    assert mine.read_text() == "# Mine\n\n@AGENTS.md\n"
    take()
    assert mine.read_text() == "# Mine\n\n@AGENTS.md\n"


def test_a_nested_claude_md_imports_from_its_folder(home, put):
    home.write("project/.claude/CLAUDE.md", "")
    put(loaded())
    assert blocks(home, ".claude/CLAUDE.md") == [(IMPORT[0], "@../AGENTS.md")]
    assert not (home.project / "CLAUDE.md").exists()


def test_a_link_to_agents_md_imports_nothing(home, put):
    home.write("project/AGENTS.md", "")
    (home.project / "CLAUDE.md").symlink_to("AGENTS.md")
    put(loaded())
    assert blocks(home, "CLAUDE.md") == [("acme/memory", "Use acme.")]


def test_another_mode_moves_the_block(home, put):
    home.write("project/CLAUDE.md", "# Mine\n")
    put(loaded())
    put(loaded(mode=None))
    assert blocks(home, "CLAUDE.md") == [("acme/memory", "Use acme.")]
    assert not (home.project / "AGENTS.md").exists()


def test_a_person_s_own_file_is_as_ever(home, put):
    put(loaded(), scope="user")
    assert [block.name for block in markdown.blocks(home.read(".claude/CLAUDE.md"))] == ["acme/memory"]


def test_without_our_records_a_scan_finds_the_block_and_all_gone_the_line(home, put):
    put(loaded())
    (home.folder / ".agent-connector" / "ledger.json").unlink()
    uninstall(machine=home.machine(project=True), root=home.root, scan=True)
    assert not (home.folder / "project" / "AGENTS.md").read_text()
    assert not (home.folder / "project" / "CLAUDE.md").read_text()


def test_an_unknown_mode_is_a_broken_rule():
    with pytest.raises(ConnectorError) as broken:
        loaded(mode="import")
    assert "memory[0].mode" in str(broken.value) and "agents-import" in str(broken.value)
