"""`agent-connector rehearse`, with the little host as the program that it finds."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent_connector.cli.main import main

HERE = Path(__file__).resolve().parent
CONNECTOR = str(HERE.parent / "real" / "connector.py")
SCRIPT = """
prompt: Try it.
steps:
  - call: {tool: probe, arguments: {case: deny}}
  - {say: Over.}
  - {say: Really over.}
"""


@pytest.fixture
def claude(tmp_path, monkeypatch) -> Path:
    """`claude` on the PATH is the little host, and no other host is there."""
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / "little_host.py"} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(tmp_path))
    return program


def test_a_rehearsal_in_plain_lines(claude, tmp_path, capsys) -> None:
    (tmp_path / "s.yml").write_text(SCRIPT)
    assert main(["rehearse", "-c", CONNECTOR, "--script", str(tmp_path / "s.yml")]) == 0
    printed = capsys.readouterr().out
    assert "PreToolUse deny on probe  the call did not reach the server, the model read the reason" in printed
    assert "0 failed" in printed
    assert not (tmp_path / ".agent-connector").exists()


def test_the_same_for_programs_and_the_exit_code_of_a_failure(claude, tmp_path, capsys) -> None:
    script = {"steps": [{"call": {"tool": "missing"}}, {"say": "Over."}, {"say": "Really over."}]}
    (tmp_path / "s.yml").write_text(json.dumps(script))
    words = ["rehearse", "-c", CONNECTOR, "--host", "claude-code", "--script", str(tmp_path / "s.yml"), "--json"]
    assert main(words) == 1
    (told,) = json.loads(capsys.readouterr().out)["rehearsals"]
    assert (told["host"], told["connector"], told["ok"]) == ("claude-code", "acme-db", False)
    assert {"check": "call missing", "state": "failed", "detail": "the host did not offer this tool"} in told[
        "findings"
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--host", "claudecode"], 2, "Did you mean claude-code?"),
        (["--host", "codex"], 1, "no program 'codex'"),
        (["--script", "/no/such/script.yml"], 1, "cannot be read"),
        (["--give", "NOT_SET_ANYWHERE"], 2, "write NOT_SET_ANYWHERE=VALUE"),
        (["--approve", "everything"], 2, "everything"),
    ],
)
def test_what_cannot_be_done_is_said(claude, capsys, words: list[str], code: int, said: str) -> None:
    assert main(["rehearse", "-c", CONNECTOR, *words]) == code
    assert said in capsys.readouterr().err


def test_no_host_at_all_is_nothing_that_could_be_driven(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["rehearse", "-c", CONNECTOR]) == 1
    assert "no host that runs without a person is on this machine" in capsys.readouterr().err


def test_a_script_beside_the_declaration_is_taken(claude, tmp_path, capsys) -> None:
    folder = tmp_path / "acme"
    folder.mkdir()
    for name in ("connector.py", "server.py"):
        (folder / name).write_bytes((HERE.parent / "real" / name).read_bytes())
    (folder / "rehearsal.yml").write_text(SCRIPT)
    assert main(["rehearse", "-c", str(folder / "connector.py")]) == 0
    assert "PreToolUse deny on probe" in capsys.readouterr().out


def test_asked_to_end_it_takes_everything_with_it(claude, tmp_path) -> None:
    program = claude
    program.write_text(program.read_text().replace('"$@"', '--hang "$@"'))
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    child = subprocess.Popen(
        [sys.executable, "-m", "agent_connector", "rehearse", "-c", CONNECTOR],
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not hanging(scratch):
        assert child.poll() is None, child.communicate()
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=60)
    assert child.returncode == 128 + signal.SIGTERM
    assert list(scratch.iterdir()) == []
    assert hanging(scratch) == []


def hanging(scratch: Path) -> list[str]:
    """The processes that wait in a home below `scratch`."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (
                b"--hang" in (process / "cmdline").read_bytes()
                and str(scratch).encode() in (process / "environ").read_bytes()
            ):
                found.append(process.name)
        except OSError:
            continue
    return found
