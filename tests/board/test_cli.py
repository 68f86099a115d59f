"""The verbs of `board`, as a person and a script use them."""

import io
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.board.process import Process

from agent_connector.board import migrate
from agent_connector.cli import board_parts
from agent_connector.cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("AGENT_CONNECTOR_DATA_DIR", str(tmp_path / "home"))
    monkeypatch.delenv(board_parts.VARIABLE, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*words: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(["board", *words])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def read(run: Run, *words: str, stdin: str = "") -> Any:
    code, out, err = run(*words, "--json", stdin=stdin)
    assert code == 0, out + err
    return json.loads(out)


def test_people_and_keys(run: Run, tmp_path: Path):
    added = read(run, "user", "add", "Ada@example.com", "--owner", "--password-stdin", stdin="a long password\n")
    assert added == {"email": "ada@example.com", "owner": True}
    key = read(run, "key", "new", "ada@example.com", "--name", "shed")["key"]
    assert [user["keys"] for user in read(run, "user", "list")] == [1]
    listed = read(run, "key", "list")
    assert [(one["prefix"], one["name"]) for one in listed] == [(key.split("_")[1], "shed")]
    assert key not in json.dumps(listed)
    assert run("key", "revoke", key.split("_")[1])[0] == 0
    assert read(run, "key", "list")[0]["revokedAt"]
    assert run("key", "revoke", "nothing1")[0] == 1
    assert run("user", "password", "ada@example.com", "--password-stdin", stdin="short")[0] == 1
    code, _, err = run("user", "remove", "ada@example.com")
    assert code == 1
    assert "only owner" in err
    database = tmp_path / "home" / "board" / "board.db"
    if os.name == "posix":  # elsewhere the folder's list of rights says it
        assert stat.S_IMODE(os.stat(database).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(database.parent).st_mode) == 0o700


def test_no_password_without_a_terminal_is_wrong_usage(run: Run):
    code, _, err = run("user", "add", "ada@example.com")
    assert code == 2
    assert "--password-stdin" in err


def test_tasks_roles_and_bundles(run: Run, tmp_path: Path):
    task = read(run, "task", "add", "Mend the gate", "-d", "-", "--role", "mender", stdin="The hinge")
    assert (task["description"], task["role"], task["statusBy"]) == ("The hinge", "mender", "owner@localhost")
    assert read(run, "task", "move", task["id"], "done", "--by", "eve@example.com")["statusBy"] == "eve@example.com"
    read(run, "task", "comment", task["id"], "Well done")
    shown = read(run, "task", "show", task["id"])
    assert [comment["body"] for comment in shown["task"]["comments"]] == ["Well done"]
    assert "Well done" in run("task", "show", task["id"])[1]
    assert read(run, "task", "list", "--status", "todo") == []
    assert [one["id"] for one in read(run, "task", "list", "--status", "todo", "--status", "done")] == [task["id"]]
    words = tmp_path / "bundle" / "words.md"
    words.parent.mkdir()
    words.write_text("Be kind")
    role = read(run, "role", "set", "mender", "--model", "a", "--fallback", "b", "--instructions", str(words))
    assert (role["fallbackModels"], role["instructions"], role["version"]) == (["b"], "Be kind", 1)
    assert run("role", "retire", "mender")[0] == 0
    assert read(run, "role", "list") == []
    pushed = read(run, "bundle", "push", str(words.parent))
    assert pushed["files"] == ["words.md"]
    assert [one["version"] for one in read(run, "bundle", "list")] == [1]


def test_what_goes_wrong_is_said_with_its_exit_code(run: Run, tmp_path: Path):
    assert run("task", "show", "nothing")[0] == 1
    assert run("task", "list", "--db", "mysql://localhost/x")[0] == 2
    assert run("task", "list", "--db", "sqlite://")[0] == 2
    (tmp_path / "folder").mkdir()
    code, out, _ = run("task", "list", "--db", f"sqlite:///{tmp_path}/folder", "--json")
    assert code == 1
    assert json.loads(out)["error"]["what"]
    code, _, err = run("serve", "--host", "0.0.0.0")
    assert code == 2
    assert "--allow-host" in err


def test_a_missing_extra_is_named_with_its_command(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(board_parts, "NEEDS", ("sqlalchemy", "a_package_that_is_missing"))
    code, _, err = run("task", "list")
    assert code == 1
    assert "a_package_that_is_missing" in err
    assert "pip install '.[board]'" in err


def test_migrate_says_what_it_did(run: Run):
    newest = migrate.versions()[-1]
    assert read(run, "migrate") == {"before": None, "after": newest}
    assert read(run, "migrate") == {"before": newest, "after": newest}


def test_the_first_start_gives_a_link_and_the_next_does_not(tmp_path: Path):
    variables = {"AGENT_CONNECTOR_DATA_DIR": str(tmp_path)}
    db = f"sqlite:///{tmp_path}/board.db"
    board = Process(db, variables=variables)
    try:
        assert httpx2.get(f"{board.url}/healthz").json() == {"ok": True}
        token = board.facts["setup"].partition("token=")[2]
        given = {"token": token, "email": "ada@example.com", "password": "a long password"}
        assert httpx2.post(f"{board.url}/api/setup", json=given).status_code == 201
    finally:
        board.kill()
    board = Process(db, variables=variables)
    try:
        assert board.facts["setup"] is None
        given = {"email": "ada@example.com", "password": "a long password"}
        assert httpx2.post(f"{board.url}/api/login", json=given).status_code == 200
    finally:
        board.kill()


def test_a_database_that_cannot_be_used_says_why_itself(run: Run, tmp_path: Path):
    (tmp_path / "text").write_text("no database\n" * 100)
    nowhere = "postgresql://ada:a-secret-word@127.0.0.1:1/board"
    for url, why in (
        (f"sqlite:///{tmp_path}/text", "not a database"),
        (f"sqlite:///{tmp_path}/none/board.db", "unable to open"),
        (nowhere, "refused"),
    ):
        for verb in ("migrate", "serve"):
            code, out, err = run(verb, "--db", url)
            assert code == 1 and why in err, (url, err)
            assert "a fault of agent-connector" not in err and "a-secret-word" not in out + err
