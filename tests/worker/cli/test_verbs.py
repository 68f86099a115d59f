"""setup, spike, status, stop, resume and service, as a person and as a program use them."""

import importlib.util
import io
import json
import os
import plistlib
import subprocess
import sys
import time
from collections.abc import Callable
from configparser import RawConfigParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from filelock import FileLock
from tests.worker.cli.conftest import Live, Terminal

from agent_connector.worker import config, credentials, service
from agent_connector.worker.budget import day_of
from agent_connector.worker.credentials import Credentials
from agent_connector.worker.state import Run as Begun
from agent_connector.worker.state import State, Waiting

Run = Callable[..., tuple[int, str, str]]
OWN = ".agent-connector/worker"


@pytest.fixture
def ready(home: Path, live: Live, run: Run) -> Path:
    """A home in which everything is set up."""
    assert run("setup", str(home / "work"))[0] == 0
    credentials.save(str(home / OWN / "credentials"), Credentials(live.url, live.key()))
    return home / OWN


def test_setup_writes_an_explained_configuration_for_a_folder_that_it_makes(home: Path, run: Run):
    code, out, err = run("setup", "work: #1 é", "--adapter", "openai", "--board", "m: 1")
    assert (code, err) == (0, ""), out
    path = home / OWN / "connector.yml"
    made = config.load(str(path), {}, str(home))
    assert (made.sandbox_dir, made.adapter, made.board) == (str(home / "work: #1 é"), "codex", "m: 1")
    assert "# how often the board is asked" in path.read_text() and "worker run" in out
    before = path.read_bytes()
    code, out, _ = run("setup", "--json")  # it is there: checked, and left as it is
    assert (code, json.loads(out)["sandboxDir"], path.read_bytes()) == (0, made.sandbox_dir, before)
    for words, named in (
        (("other",), "not for ~/other"),
        (("--adapter", "claude-code"), "adapter: codex, not claude-code"),
        (("--board", "m"), "board m: 1, not of m"),
    ):
        code, out, err = run("setup", *words)
        assert (code, out, path.read_bytes()) == (1, "", before) and named in err and "left as it is" in err
    assert (
        run("setup", "work: #1 é", "--adapter", "openai", "--board", "m: 1")[0] == 0 and not (home / "other").exists()
    )
    path.write_text("sandboxDir: 1\n")
    assert run("init")[0] == 1 and path.read_text() == "sandboxDir: 1\n"


@pytest.mark.parametrize("folder", [".", "~", ".agent-connector/worker/x", "link"])
def test_setup_refuses_a_folder_with_keys_and_leaves_nothing(home: Path, run: Run, folder: str):
    (home / "link").symlink_to(home)
    code, _, err = run("setup", folder)
    assert code == 1 and "where keys are kept" in err
    assert sorted(os.listdir(home)) == ["link"]


def test_setup_asks_until_the_answer_will_do(home: Path, terminal: Callable[..., Terminal]):
    screen = terminal("setup")
    screen.answer("Folder that agents work in", str(home))
    screen.answer("Folder that agents work in", "")
    code, rest = screen.end()
    assert code == 0 and "~/agent-work" in rest and (home / "agent-work").is_dir()


def test_setup_without_an_answer_or_with_a_wrong_one(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run("setup")[0] == 2
    code, _, err = run("setup", "w", "--adapter", "clippy")
    assert code == 2 and "claude-code" in err
    code, _, err = run("setup", "w", "--adapter", "acp:clippy")
    assert code == 2 and "acp:claude-code" in err and " claude-code" not in err


def test_spike_reads_the_board_and_says_what_is_weaker(
    ready: Path, live: Live, run: Run, monkeypatch: pytest.MonkeyPatch
):
    from agent_connector.board import tasks

    live.store.write(tasks.add, title="Mend the gate", by="ada@example.com")
    code, out, _ = run("spike", "--json")
    found = json.loads(out)
    assert (code, found["works"], found["waiting"], found["missing"], found["weaker"]) == (0, True, {"todo": 1}, [], [])
    monkeypatch.setenv("APPSUITE_BOARD_ID", "elsewhere")
    assert "on the board elsewhere: none" in run("spike")[1]
    assert "on the board here: none" in run("spike", "--board", "here")[1]


def test_a_board_that_is_away_is_named_by_its_address(home: Path, run: Run):
    board = "http://127.0.0.1:1"
    credentials.save(str(home / OWN / "credentials"), Credentials(board, "mcp_k3y_0123456789"))
    code, _, err = run("spike")
    assert code == 1 and board in err and "the board up" in err


def test_status_says_how_things_stand(ready: Path, run: Run):
    with State(str(ready / "worker-state.db")) as state:
        state.wait_for_person("t7", Waiting("guard", "a push", "2026", "2026", None))
        state.post("r", "t7", "comment", {})
        state.begin(Begun("r2", "t8", None, True, "i", 1, "todo"))
        state.reserve("r2", "", day_of(time.time()), "i", 2.0)
    code, out, _ = run("status", "--json")
    found = json.loads(out)
    assert code == 0 and found["waiting"] == [{"task": "t7", "kind": "guard", "reason": "a push"}]
    assert (found["outbox"], found["running"], found["problems"], found["killSwitch"]) == (1, False, [], None)
    assert (found["inWork"], found["spentTodayUsd"]) == (["t8"], 2.0)
    with FileLock(ready / "worker-state.db.lock"):
        assert json.loads(run("status", "--json")[1])["running"] is True
        assert "runs" in run("status")[1]
    (ready / "credentials").chmod(0o644)
    code, out, _ = run("status")
    assert code == 1 and "chmod 600" in out and "a push" in out


def test_status_of_nothing_names_both_next_steps(home: Path, run: Run):
    code, out, _ = run("status")
    assert code == 1 and "agent-connector worker login" in out and "agent-connector worker setup" in out


def test_what_both_parts_lack_is_asked_for_at_once(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    find = importlib.util.find_spec
    lost = ("re2", "alembic")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *given: None if name in lost else find(name, *given))
    code, _, err = run("local", str(home / "project"))
    assert code == 1 and "google-re2, alembic" in err and "'.[worker,board]'" in err
    code, _, err = run("run")
    assert code == 1 and "'.[worker]'" in err and "alembic" not in err


def test_stop_and_resume(ready: Path, run: Run):
    switch = ready / "STOP"
    assert run("stop", "--reason", "let me look\u202e")[0] == 0 and switch.exists()
    code, out, _ = run("status", "--json")
    found = json.loads(out)["killSwitch"]
    assert code == 1, "a script that asks whether the worker works is told"
    assert found["reason"].startswith("let me look") and found["since"]
    assert run("stop")[0] == 0 and json.loads(switch.read_text())["reason"]  # the first reason stays
    assert "it goes on" in run("resume")[1].lower() and not switch.exists()
    assert "was not stopped" in run("resume")[1]
    switch.touch()  # by hand
    assert "stopped" in run("status")[1]


def test_stop_uses_the_file_that_the_configuration_names_and_works_with_a_damaged_one(ready: Path, run: Run):
    path = ready / "connector.yml"
    path.write_text(path.read_text().replace("# killSwitchFile: STOP ", "killSwitchFile: ../halt "))
    assert run("stop")[0] == 0 and (ready / "../halt").exists() and not (ready / "STOP").exists()
    path.write_text("sandboxDir: [")
    code, _, err = run("stop")
    assert code == 1 and (ready / "STOP").exists() and "killSwitchFile" in err


@pytest.mark.parametrize("kind", service.KINDS)
def test_a_service_file_survives_every_name(kind: str, tmp_path: Path):
    words = ('/opt/a b/100% "x"/$HOME/agent-connector', "worker", "run", "--config", "/etc/ü & <c>.yml")
    variables = {"PATH": '/bin:/o "p"/%d', "ANTHROPIC_API_KEY": "sk-never", "APPSUITE_CREDENTIALS": "/k"}
    made = service.text(kind, words, variables, keys="/k/environment", logs="/k/log", user="D\\a&b")
    assert "sk-never" not in made
    if kind == "launchd":
        held = plistlib.loads(made.encode())
        assert tuple(held["ProgramArguments"]) == words and held["EnvironmentVariables"]["PATH"] == variables["PATH"]
    elif kind == "windows":
        root = ElementTree.fromstring(made.partition("?>")[2])  # noqa: S314 - we wrote it
        found = {element.tag.rpartition("}")[2]: element.text for element in root.iter()}
        assert found["Command"] == words[0] and found["UserId"] == "D\\a&b"
        assert subprocess.list2cmdline(words[1:]) == found["Arguments"]
    else:
        parser = RawConfigParser(strict=False, delimiters="=", comment_prefixes="#", interpolation=None)
        parser.optionxform = str  # type: ignore[method-assign,assignment]
        parser.read_string(made)
        assert parser["Service"]["ExecStart"].startswith('"/opt/a b/100%% \\"x\\"/$$HOME/agent-connector" "worker"')
        assert parser["Service"]["EnvironmentFile"] == "-/k/environment"
        assert 'Environment="PATH=/bin:/o \\"p\\"/%%d"' in made


def test_service_prints_this_systems_file_and_prefers_the_launcher(home: Path, run: Run):
    (home / ".agent-connector/bin").mkdir(parents=True)
    launcher = home / ".agent-connector/bin/agent-connector"
    launcher.write_text("")
    code, out, _ = run("service", "--kind", "systemd")
    assert code == 0 and f'ExecStart="{launcher}" "worker" "run"\n' in out
    launcher.unlink()
    assert str(home) not in run("service", "--kind", "systemd")[1].partition("ExecStart=")[2].partition("\n")[0]
    assert ("systemd" in run("service")[1]) == sys.platform.startswith("linux")
