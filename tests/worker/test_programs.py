"""What must be readable for a program to start: proven by starting copies of programs where nothing else is."""

import os
import sys
from pathlib import Path

import pytest

from agent_connector.worker.programs import readable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are links and scripts on POSIX only")


def script(path: Path, line: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{line}\n")
    path.chmod(0o755)
    return path


def test_a_package_of_npm_is_found_through_its_links(tmp_path: Path) -> None:
    node = script(tmp_path / "node" / "bin" / "node", "\x7fELF")
    module = script(
        tmp_path / "gemini" / "node_modules" / "@google" / "cli" / "gemini.js", "#!/usr/bin/env -S node --x"
    )
    shim = module.parents[2] / ".bin" / "gemini"
    shim.parent.mkdir()
    shim.symlink_to("../@google/cli/gemini.js")
    program = tmp_path / "bin" / "gemini"
    program.parent.mkdir()
    program.symlink_to("../gemini/node_modules/.bin/gemini")
    assert set(readable(str(program), str(node.parent))) == {
        str(tmp_path / "bin"),
        str(tmp_path / "gemini"),
        str(node.parent),
    }


def test_a_python_environment_is_readable_with_what_it_is_made_of() -> None:
    found = readable(os.path.join(os.path.dirname(sys.executable), "pytest"), "")
    assert os.path.dirname(os.path.dirname(sys.executable)) in found
    base = os.path.realpath(sys.executable)
    assert any(base.startswith(folder + os.sep) for folder in found)


def test_a_single_binary_needs_its_folder_alone(tmp_path: Path) -> None:
    program = script(tmp_path / "bin" / "claude", "\x7fELF")
    assert readable(str(program), "") == (str(program.parent),)


@pytest.mark.parametrize("line", ["#!/bin/sh", "#!/usr/bin/env sh", "#! /bin/sh -e"])
def test_a_wrapper_of_the_shell_needs_nothing_of_the_system(line: str, tmp_path: Path) -> None:
    """/bin is /usr/bin on most systems, beside /lib with a Python in it: no prefix of anything."""
    program = script(tmp_path / "bin" / "claude", line)
    assert readable(str(program), "/usr/bin:/bin") == (str(program.parent),)


def test_a_program_behind_a_link_is_seen_by_both_its_names(tmp_path: Path) -> None:
    program = script(tmp_path / "data" / "tool" / "claude", "\x7fELF")
    (tmp_path / "opt").symlink_to("data")
    assert set(readable(str(tmp_path / "opt" / "tool" / "claude"), "")) == {
        str(program.parent),
        str(tmp_path / "opt" / "tool"),
    }


def test_an_environment_behind_a_link_is_whole_by_both_its_names(tmp_path: Path) -> None:
    script(tmp_path / "data" / "env" / "bin" / "tool", "\x7fELF")
    (tmp_path / "data" / "env" / "pyvenv.cfg").touch()
    (tmp_path / "opt").symlink_to("data")
    found = readable(str(tmp_path / "opt" / "env" / "bin" / "tool"), "")
    assert set(found) == {str(tmp_path / "data" / "env"), str(tmp_path / "opt" / "env")}


def test_the_root_is_never_readable_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "isdir", lambda path: True)
    for program in ("/claude", "/bin/claude", "/node_modules/.bin/claude", "/node_modules/claude.js"):
        assert os.sep not in readable(program, ""), program
    assert readable("/claude", "") == ("/claude",)
    assert readable("/node_modules/claude.js", "") == ("/node_modules",)
