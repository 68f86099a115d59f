"""Getting a key: minted, pasted or piped; tried before it is kept; no secret shown anywhere."""

import io
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.worker.cli.conftest import EMAIL, PASSWORD, Live, Terminal

from agent_connector.board import keys

Run = Callable[..., tuple[int, str, str]]
KEPT = ".agent-connector/worker/credentials"


def everything(home: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in home.rglob("*") if path.is_file())


def test_a_person_gets_a_key_for_their_password_which_is_kept_nowhere(
    home: Path, live: Live, terminal: Callable[..., Terminal]
):
    screen = terminal("login")
    screen.answer("Address of the board", live.url + "/mcp")
    screen.answer("Your e-mail there", EMAIL)
    shown = screen.seen
    screen.answer("Password", PASSWORD)
    code, rest = screen.end()
    assert code == 0, rest
    held = json.loads((home / KEPT).read_text())
    assert held["baseUrl"] == live.url and live.store.read(keys.of_user)[0].prefix in held["mcpKey"]
    assert stat.S_IMODE((home / KEPT).stat().st_mode) == 0o600
    assert PASSWORD not in shown + rest + everything(home)
    assert held["mcpKey"] not in rest and "worker setup" in rest


def test_a_key_that_is_pasted_is_not_shown(home: Path, live: Live, terminal: Callable[..., Terminal]):
    key = live.key()
    screen = terminal("login", live.url)
    screen.answer("Your e-mail there", "")
    screen.answer("Key (it is not shown)", f"  {key} ")
    code, rest = screen.end()
    assert (code, json.loads((home / KEPT).read_text())["mcpKey"]) == (0, key)
    assert key not in rest


def test_a_script_gives_the_key_on_stdin(home: Path, live: Live, run: Run, monkeypatch: pytest.MonkeyPatch):
    key = live.key()
    monkeypatch.setattr("sys.stdin", io.StringIO(key + "\nrest"))
    code, out, err = run("login", live.url, "--key-stdin", "--json")
    assert (code, err, json.loads(out)["baseUrl"]) == (0, "", live.url)
    assert key not in out and json.loads((home / KEPT).read_text())["mcpKey"] == key


def test_a_key_that_opens_nothing_is_not_kept(home: Path, live: Live, run: Run, monkeypatch: pytest.MonkeyPatch):
    wrong = "mcp_abcdefgh_" + "A" * 32
    monkeypatch.setattr("sys.stdin", io.StringIO(wrong))
    code, out, err = run("login", live.url, "--key-stdin")
    assert code == 1 and wrong not in out + err and not (home / KEPT).exists()
    assert "agent-connector: " in err


def test_a_wrong_password_is_said_and_never_repeated(home: Path, live: Live, terminal: Callable[..., Terminal]):
    screen = terminal("login", live.url, "--email", EMAIL)
    screen.answer("Password", "not my password")
    code, rest = screen.end()
    assert code == 1 and "are not taken" in rest and "not my password" not in rest and not (home / KEPT).exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("login",), 2, "--key-stdin"),
        (("login", "--key-stdin"), 2, "goes with an address"),
        (("login", "http://board.example", "--key-stdin"), 1, "plain http"),
        (("login", "http://127.0.0.1:9", "--key-stdin"), 1, "127.0.0.1:9"),
        (("login", "ftp://x", "--key-stdin"), 1, "not usable"),
    ],
)
def test_what_cannot_be_done_says_what_can(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, words, code, said):
    monkeypatch.setattr("sys.stdin", io.StringIO("mcp_abcdefgh_" + "A" * 32))
    found, out, err = run(*words)
    assert found == code and said in out + err and not (home / KEPT).exists()


@pytest.mark.parametrize("verb", ["spike", "run"])
def test_where_nothing_is_set_up_a_script_hears_the_command(run: Run, verb: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    code, _, err = run(verb)
    assert code == 1 and ("agent-connector worker login" in err or "agent-connector worker setup" in err)


def test_where_nothing_is_set_up_a_person_is_asked(home: Path, live: Live, terminal: Callable[..., Terminal]):
    screen = terminal("spike")
    screen.answer("Address of the board", live.url)
    screen.answer("Your e-mail there", "")
    screen.answer("Key", live.key())
    code, rest = screen.end()
    assert code == 0 and "answers in" in rest and os.path.exists(home / KEPT)
