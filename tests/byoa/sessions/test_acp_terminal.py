"""`byoa run` as a program in a terminal: a person types, is asked, interrupts and leaves."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals there")
AGENT = Path(__file__).with_name("scripted_agent.py")
WITHIN = 100.0


RUN = [sys.executable, "-m", "agent_connector.cli.main", "byoa", "run", "--host"]


def environment(home: Path) -> dict[str, str]:
    """A home in which the scripted agent is Gemini's program."""
    programs = home / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "gemini").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{AGENT}" "$@"\n', "utf-8")
    (programs / "gemini").chmod(0o700)
    return {**os.environ, "HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.defpath}"}


class Session:
    """The program behind a pseudo terminal."""

    def __init__(self, home: Path) -> None:
        self.side, other = os.openpty()
        ends = {"stdin": other, "stdout": other, "stderr": other}
        self.process = subprocess.Popen(
            [*RUN, "gemini-cli"], cwd=home, env=environment(home), start_new_session=True, **ends
        )
        os.close(other)
        self.drawn = ""

    def type(self, line: str) -> None:
        os.write(self.side, f"{line}\n".encode())

    def interrupt(self) -> None:
        os.kill(self.process.pid, signal.SIGINT)

    def shows(self, text: str) -> None:
        """Wait until `text` is drawn after what was waited for before."""
        assert self.shows_or_ends(text), f"{text!r} is not in {self.drawn!r}"

    def shows_or_ends(self, text: str) -> bool:
        """Which of the two it does."""
        until = time.monotonic() + WITHIN
        while text not in self.drawn:
            assert time.monotonic() < until, f"{text!r} is not in {self.drawn!r}"
            if select.select([self.side], [], [], 0.1)[0]:
                try:
                    self.drawn += os.read(self.side, 1 << 16).decode("utf-8", "replace")
                except OSError:
                    self.process.wait()
                    break
        there = text in self.drawn
        self.drawn = self.drawn.partition(text)[2]
        return there

    def leave(self) -> None:
        """Interrupt it twice; a busy machine may take so long that the second one counts as a first one."""
        again = "Ctrl-C again leaves"
        self.interrupt()
        self.shows(again)
        self.interrupt()
        while self.shows_or_ends(again):
            self.interrupt()

    def close(self) -> int:
        code = self.process.wait(WITHIN)
        os.close(self.side)
        return code


def test_a_person_types_is_asked_and_leaves(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.shows("- Gemini CLI 7.1 is ready")
    session.shows("\r\n> ")
    session.type("hello there")
    session.shows("heard: hello there")
    session.type("please ask")
    session.shows("1  Allow")
    session.type("2")
    session.shows("answer no")
    session.type("/byoa status")
    session.shows("- no app is paired")
    session.type("take long")
    session.shows("working")
    session.interrupt()
    session.shows(" stopped")
    time.sleep(2.1)  # an interrupt that comes soon after another one leaves
    session.leave()
    assert session.close() == 0


def test_the_end_of_the_input_leaves(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.shows("is ready")
    session.type("take long")
    session.shows("working")
    os.write(session.side, b"\x04")
    assert session.close() == 0


def piped(home: Path, host: str, typed: str, *options: str) -> tuple[int, str]:
    """The exit code, and all that was said."""
    done = subprocess.run(
        [*RUN, host, *options],
        cwd=home,
        env=environment(home),
        input=typed.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=WITHIN,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def test_lines_of_a_pipe_are_worked_off(tmp_path: Path) -> None:
    code, told = piped(tmp_path, "gemini-cli", "first\nplease ask\n")
    assert code == 0, told
    assert "heard: first" in told and "answer no" in told


def test_no_app_is_paired_with_a_session_that_it_could_not_join(tmp_path: Path) -> None:
    code, told = piped(tmp_path, "gemini-cli", "", "--app", "notes.example")
    assert code == 2 and "byoa connect notes.example --host gemini-cli" in told
    assert not (tmp_path / ".byoa").exists()


@pytest.mark.parametrize(
    ("host", "remedy"),
    [
        ("codex", "npm install -g @zed-industries/codex-acp"),
        ("claude-desktop", "These do: "),
        ("gemini", "Did you mean gemini-cli?"),
    ],
)
def test_a_host_that_cannot_be_opened_says_what_to_do(tmp_path: Path, host: str, remedy: str) -> None:
    code, told = piped(tmp_path, host, "")
    assert code in (1, 2) and remedy in " ".join(told.split())
