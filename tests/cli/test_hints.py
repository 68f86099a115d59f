"""What was typed wrong is answered with what was meant."""

from pathlib import Path

import pytest

from agent_connector.cli.main import main
from agent_connector.errors import HomeError
from agent_connector.home.faults import explained

SERVER = 'from fastmcp import FastMCP\nmcp = FastMCP("notes")\n'
DECLARED = 'from agent_connector import Connector, stdio\nconnector = Connector(id="acme", server=stdio("acme-mcp"))\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("AGENT_CONNECTOR_DATA_DIR", raising=False)
    (tmp_path / "home" / ".codex").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("uninstall acme", "Did you mean --connector acme?"),
        ("doctor acme", "Did you mean --connector acme?"),
        ("install npx -y @acme/mcp@1.2 --port 3", "--name mcp -- npx -y @acme/mcp@1.2 ..."),
        ("install -t codex npx -y acme-mcp", "--name acme-mcp -- npx -y acme-mcp"),
        ("install npx acme-mcp", "--name acme-mcp -- npx acme-mcp"),
        ("install acme-mcp", "--name acme-mcp -- acme-mcp"),
        ("install https://acme.example/mcp", "--name NAME --url ADDRESS"),
    ],
)
def test_the_right_words_are_named(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "install npx -y acme-mcp --token s3cr3t",
        "install npx acme-mcp s3cr3t",
        "install https://u:s3cr3t@acme.example/mcp?key=s3cr3t",
    ],
)
def test_no_secret_of_a_command_or_an_address_is_said_again(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert "s3cr3t" not in capsys.readouterr().err


@pytest.mark.parametrize("line", ["install --nope", "install server.py --nope", "install . --nope", "detect --nope"])
def test_an_option_that_is_only_wrong_is_no_command(
    line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "server.py").write_text(SERVER)
    assert main(line.split()) == 2
    assert "No such option" in (said := capsys.readouterr().err) and "stands behind" not in said


@pytest.mark.parametrize("word", [".", "connector.py", "../here"])
def test_a_folder_or_a_declaration_may_stand_alone(word: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "connector.py").write_text(DECLARED)
    assert main(["install", word, "-t", "codex"]) == 0
    assert "acme-mcp" in Path("../home/.codex/config.toml").read_text() or "acme" in capsys.readouterr().out
    assert main(["explain", "acme"]) == 2
    assert "acme is a connector that is installed: say --connector acme" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["install", "explain", "rehearse"])
def test_a_server_without_a_declaration_is_named(verb: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "notes.py").write_text(SERVER)
    assert main([verb]) == 1
    said = capsys.readouterr().err
    assert "there is a server" in said and "agent-connector install notes.py" in said and "init" in said


def test_who_may_not_read_is_not_told_to_write() -> None:
    refused = PermissionError(13, "Permission denied")
    for doing, meant in (("read", "right to read"), ("written", "write access")):
        error = explained(refused, "/x/connector.py", doing)
        assert isinstance(error, HomeError) and meant in error.remedy
