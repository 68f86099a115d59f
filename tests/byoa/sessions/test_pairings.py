"""`byoa connect`, `disconnect` and `status` outside of a session: what is said, what is kept, what is refused."""

import json
from pathlib import Path

import pytest

from agent_connector.byoa.driver import http, loop
from agent_connector.cli.main import main
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

ORIGIN = "https://notes.example"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(loop, "TICK", 0.02)
    return tmp_path


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> LivePort:
    found = LivePort(ScriptedApp(ORIGIN, mcp=ScriptedMcp({"search": lambda arguments: "found"})))
    monkeypatch.setattr(http, "HttpxPort", lambda: found)
    return found


@pytest.fixture
def run(home: Path, port: LivePort, capsys: pytest.CaptureFixture[str]):
    def call(*words: str) -> tuple[int, str, str]:
        code = main(["byoa", *words])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def credential(home: Path, host: str = "gemini-cli") -> Path:
    return home / ".byoa" / "credentials" / host / "https_notes.example.json"


def test_connect_shows_origin_link_and_code_and_keeps_a_private_file(run, home: Path) -> None:
    code, out, _ = run("connect", "notes.example", "--host", "gemini-cli")
    assert code == 0
    for shown in (
        f"Pair with {ORIGIN}",
        f"open  {ORIGIN}/pair?code=",
        "code  ",
        f"paired with Notes ({ORIGIN}) as Ada",
    ):
        assert shown in out
    file = credential(home)
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700


def test_a_program_gets_one_document_and_a_person_sees_the_code(run) -> None:
    code, out, err = run("connect", "notes.example", "--host", "gemini-cli", "--json")
    told = json.loads(out)
    assert code == 0 and told["ok"] and told["said"][-1] == f"paired with Notes ({ORIGIN}) as Ada"
    assert "code  " in err


def test_a_refusal_is_an_error(run, port: LivePort) -> None:
    port.approves = False
    port.app.approve = port.app.deny
    port.approves = True
    code, _, err = run("connect", "notes.example", "--host", "gemini-cli")
    assert code == 1 and f"pairing with {ORIGIN} was refused on the page" in err
    code, _, err = run("connect", "not an address", "--host", "gemini-cli")
    assert code == 1 and "not an address" in err


def test_status_says_what_each_host_has(run, home: Path) -> None:
    code, out, _ = run("status")
    assert code == 0 and out.startswith("no app is paired: agent-connector byoa connect ADDRESS --host ID\n")
    assert "`byoa run` takes turns of apps in claude-code, codex, copilot-cli, gemini-cli" in out
    run("connect", "notes.example", "--host", "gemini-cli")
    run("connect", "notes.example", "--host", "droid")
    code, out, _ = run("status")
    assert code == 0
    assert f"Notes ({ORIGIN}) as Ada; sees folder_name, git_remote" in out
    assert "droid: no app turn starts in `byoa run`" in out and "gemini-cli: no app turn" not in out
    code, out, _ = run("status", "--host", "gemini-cli", "--json")
    (host,) = json.loads(out)["hosts"]
    assert [(app["id"], app["origin"]) for app in host["apps"]] == [("notes", ORIGIN)]
    assert "token" not in out and json.loads(credential(home).read_text())["token"] not in out


def test_status_names_files_that_are_refused(run, home: Path) -> None:
    run("connect", "notes.example", "--host", "gemini-cli")
    credential(home).chmod(0o644)
    policy = home / ".byoa" / "policy.json"
    policy.write_text('{"share": {"*": ["path"]}}')
    policy.chmod(0o666)
    code, out, _ = run("status")
    assert code == 1
    assert "credentials/gemini-cli/https_notes.example.json: others may read or write it" in out
    assert "policy.json: others may write it; nothing is shared" in out


def test_disconnect_revokes_and_removes(run, home: Path, port: LivePort) -> None:
    run("connect", "notes.example", "--host", "gemini-cli")
    code, out, _ = run("disconnect", "notes")  # the only host that has any
    assert (code, out) == (0, f"disconnected from Notes ({ORIGIN})\n")
    assert not port.app.tokens and not credential(home).exists()
    code, _, err = run("disconnect", "notes", "--host", "gemini-cli")
    assert code == 1 and "no such app is paired" in err


def test_a_host_has_to_be_named_where_several_are_meant(run) -> None:
    for host in ("gemini-cli", "codex"):
        run("connect", "notes.example", "--host", host)
    code, _, err = run("disconnect", "notes")
    assert code == 2 and "codex, gemini-cli" in err
    code, _, err = run("connect", "notes.example", "--host", "gemini")
    assert code == 2 and "Did you mean gemini-cli?" in err


def test_nothing_registers(run, port: LivePort) -> None:
    run("connect", "notes.example", "--host", "gemini-cli")
    assert not port.app.sessions
    assert not any(request.url.endswith("/register") for request in port.app.requests)
