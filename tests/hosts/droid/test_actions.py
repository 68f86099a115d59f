"""Droid's actions: a script that Droid lists and runs, on either system."""

import os
import subprocess
from pathlib import Path

from agent_connector.connector.model import Action, Handler
from agent_connector.hosts.droid import actions
from agent_connector.runtime.launchers.command import plain

SYNC = Action("sync", "Sync\nthe schema", None, None, None, None, Handler(0, "sync", False, 1))
MARKS = ("x", "--connector acme-db", " sync ")


def test_the_script_runs_the_launcher_with_what_the_person_added(tmp_path: Path) -> None:
    launcher = tmp_path / "a home's" / "says"
    launcher.parent.mkdir()
    launcher.write_text('#!/bin/sh\nfor word; do echo "<$word>"; done\nexit 3\n')
    launcher.chmod(0o755)
    words = ["action", "droid", "sync", "--connector", "acme-db"]
    [script] = actions.wire(SYNC, str(tmp_path), plain(str(launcher), words, "linux"), MARKS)
    assert (Path(script.file).name, script.executable) == ("acme-db-sync", True)
    assert script.text.splitlines()[1] == "# Sync the schema"  # what Droid shows in its list
    Path(script.file).write_text(script.text)
    # As Droid does it: the words of the first line, the file, and the person's own words.
    line = [*script.text.splitlines()[0].removeprefix("#!").split(), script.file, "two words", "--now"]
    ran = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False, env=dict(os.environ))
    assert ran.stdout.split("\n")[:-1] == [f"<{word}>" for word in [*words, "two words", "--now"]]
    assert ran.returncode == 3


def test_on_windows_it_is_a_script_of_powershell() -> None:
    command = plain(r"C:\Users\a $b\bin\agent-connector.exe", ["action", "droid"], "win32")
    [script] = actions.wire(SYNC, r"C:\Users\a $b\.factory\commands", command, MARKS)
    assert script.file == r"C:\Users\a $b\.factory\commands\acme-db-sync.ps1"
    shebang, _, call, code = script.text.splitlines()
    assert shebang.split()[0] == "#!powershell" and shebang.endswith(" -File")
    assert call == r'& "C:\Users\a `$b\bin\agent-connector.exe" action droid @args'
    assert code == "exit $LASTEXITCODE"
