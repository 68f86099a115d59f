"""A whole rehearsal, of a little host that does it right and of the same host doing one thing wrong."""

import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.real.runs import PROMPT, call

from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.drive import process
from agent_connector.errors import RehearseError
from agent_connector.rehearse.findings import Rehearsal
from agent_connector.rehearse.run import Request, rehearse
from agent_connector.rehearse.scratch import PREFIX
from agent_connector.rehearse.script import Script, parse

HERE = Path(__file__).resolve().parent
CONNECTOR = HERE.parent / "real" / "connector.py"
SCRIPT = parse(
    {
        "prompt": "Walk through the cases.",
        "steps": [
            *(call("probe", kind) for kind in ("nothing", "deny", "modify", "context")),
            call("probe", "PostToolUse replace_output"),
            {"say": "Over."},
            {"say": "Really over."},
        ],
    }
)


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Rehearse the little host with some flags, in scratch homes that lie apart from all others."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / "little_host.py"} "$@"\n')
    program.chmod(0o755)

    def run(*flags: str, script: Script | None = SCRIPT, **options) -> Rehearsal:
        variables = {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "ACME_TOKEN": "secret"}
        loaded = obtain(Wanted(str(CONNECTOR)), root="", dry=True)
        return rehearse(Request(loaded, "claude-code", script, variables, extra=flags, **options))

    return run


def states(rehearsal: Rehearsal) -> dict[str, str]:
    return {finding.check: finding.state for finding in rehearsal.findings}


def details(rehearsal: Rehearsal) -> dict[str, str]:
    return {finding.check: finding.detail for finding in rehearsal.findings}


def test_a_host_that_honours_everything_is_seen_to(play) -> None:
    rehearsal = play()
    assert rehearsal.ok, report(rehearsal)
    wanted = (
        "install",
        "run",
        "server started",
        "tools listed",
        "call probe",
        "hook PreToolUse",
        "SessionStart context",
        "UserPromptSubmit context",
        "PreToolUse deny on probe",
        "PreToolUse modify on probe",
        "PreToolUse context on probe",
        "PostToolUse replace_output on probe",
        "Stop deny",
        "memory memory",
        "tokens",
        "keys",
    )
    assert {check: states(rehearsal).get(check) for check in wanted} == dict.fromkeys(wanted, "ok")
    assert details(rehearsal)["server started"] == "by little-host"
    assert states(rehearsal)["skill acme-schema"] == "unseen"
    assert states(rehearsal)["hook PermissionRequest"] == "unseen"


def test_a_host_that_ignores_what_hooks_say_fails_where_it_does(play) -> None:
    rehearsal = play("--deaf")
    assert not rehearsal.ok
    failed = {finding.check: finding.detail for finding in rehearsal.findings if finding.state == "failed"}
    assert failed["PreToolUse deny on probe"] == "the call reached the server all the same"
    assert failed["PreToolUse modify on probe"] == "the server saw the input as the model wrote it"
    assert failed["PostToolUse replace_output on probe"] == "the model did not read the new text"
    assert failed["Stop deny"] == "the turn ended"
    assert states(rehearsal)["PreToolUse context on probe"] == "ok"


def test_a_host_that_sends_another_key_and_reads_no_memory_fails(play) -> None:
    rehearsal = play("--real-key", "--no-memory")
    assert (states(rehearsal)["keys"], states(rehearsal)["memory memory"]) == ("failed", "failed")


def test_a_refused_prompt_is_no_failure(play) -> None:
    rehearsal = play(script=PROMPT.script)
    assert rehearsal.ok, report(rehearsal)
    assert rehearsal.requests == 0
    assert states(rehearsal)["UserPromptSubmit deny"] == "ok"


def test_without_a_script_a_tool_that_only_reads_is_called(play) -> None:
    rehearsal = play(script=None)
    assert rehearsal.ok, report(rehearsal)
    assert details(rehearsal)["call probe"] == "the server saw {}"


def test_a_tool_that_is_not_offered_is_named(play) -> None:
    rehearsal = play(script=parse({"steps": [call("missing", "x"), {"say": "Over."}, {"say": "Really."}]}))
    assert details(rehearsal)["call missing"] == "the host did not offer this tool"


def test_a_host_that_hangs_is_ended_in_time(play) -> None:
    rehearsal = play("--hang", seconds=2)
    assert states(rehearsal)["run"] == "failed"
    assert "ended" in details(rehearsal)["run"]
    assert not leftovers()


def test_nothing_is_left_behind(play) -> None:
    play("--leave-child", linger=0.5)
    assert not leftovers()


def test_the_scratch_home_is_kept_where_that_is_asked_for(play) -> None:
    rehearsal = play(script=PROMPT.script, keep=True)
    assert rehearsal.kept
    assert os.path.isfile(os.path.join(rehearsal.kept, "home", ".claude", "settings.json"))
    assert leftovers() == [rehearsal.kept]
    shutil.rmtree(rehearsal.kept)


def test_a_host_that_is_not_installed_is_an_error_with_a_remedy(play) -> None:
    loaded = obtain(Wanted(str(CONNECTOR)), root="", dry=True)
    with pytest.raises(RehearseError, match="no program 'claude'") as caught:
        rehearse(Request(loaded, "claude-code", SCRIPT, {"PATH": "/nowhere"}))
    assert "Install Claude Code" in caught.value.remedy


def report(rehearsal: Rehearsal) -> str:
    return "\n" + "\n".join(f"{finding.state:7} {finding.check}: {finding.detail}" for finding in rehearsal.findings)


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Scratch homes lie where no other process makes any."""
    tmp_path_factory.getbasetemp()  # pytest's own stay where they are
    folder = tempfile.mkdtemp(prefix="ac-")
    monkeypatch.setattr(tempfile, "tempdir", folder)
    yield
    shutil.rmtree(folder, ignore_errors=True)


def leftovers() -> list[str]:
    folders = glob.glob(os.path.join(tempfile.gettempdir(), PREFIX + "*"))
    return folders + [str(pid) for folder in folders for pid in process.marked([f"HOME={folder}/home"])]
