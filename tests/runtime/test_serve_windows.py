"""The Windows twin: its pumps, clock and tap run here as they would there; what only Windows has is tested as rules."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.telemetry.proxy import ECHO, LIMIT, PACKAGE, call, read_rows, script

from agent_connector.runtime import pump_windows

RUN = f"""
import sys, json; sys.path.insert(0, {str(PACKAGE.parent)!r})
import os
from agent_connector.runtime import pump_windows
os._exit(pump_windows.run(json.loads(sys.argv[1]), os.environ, json.loads(sys.argv[2]), float(sys.argv[3])) & 255)
"""


def twin(
    home: Path, server: list[str], measuring: list[str] | None = None, grace: float = 60
) -> "subprocess.Popen[bytes]":
    argv = [sys.executable, "-c", RUN, json.dumps(server), json.dumps(measuring), str(grace)]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=home)


def test_bytes_and_the_exit_code_pass_unchanged(tmp_path: Path) -> None:
    data = os.urandom(2_000_000)
    code = "import sys, os\nd = sys.stdin.buffer.read()\nsys.stdout.buffer.write(d)\nsys.stdout.flush()\nos._exit(5)"
    with twin(tmp_path, script(code)) as process:
        out, _ = process.communicate(data, timeout=LIMIT)
        assert (process.returncode, out) == (5, data)


def test_what_goes_by_is_measured(tmp_path: Path) -> None:
    data = tmp_path / "data"
    measuring = [sys.executable, "-I", str(PACKAGE / "telemetry" / "measure.py"), f"root={data}", "connector=acme-db"]
    with twin(tmp_path, script(ECHO), measuring) as process:
        process.communicate(json.dumps(call(1, "hello world")).encode() + b"\n", timeout=LIMIT)
    from tests.telemetry.proxy import eventually

    assert eventually(lambda: read_rows(data))
    assert [(row["tool"], row["out"]) for row in read_rows(data)] == [("echo", 2)]


def test_a_measuring_process_that_cannot_start_is_no_error(tmp_path: Path) -> None:
    with twin(tmp_path, ["/bin/cat"], ["/nowhere/python"]) as process:
        assert process.communicate(b"x", timeout=LIMIT)[0] == b"x"


def test_a_server_that_stays_after_the_end_of_stdin_is_ended(tmp_path: Path) -> None:
    with twin(tmp_path, ["/bin/sleep", "600"], grace=0.2) as process:
        process.communicate(b"", timeout=LIMIT)
        assert process.returncode != 0


def test_the_clock_starts_anew_while_answers_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(pump_windows.time, "monotonic", lambda: now[0])
    moved = [7]
    clock = pump_windows.Clock(10, lambda: moved[0])
    assert not clock.over()
    clock.start()
    now[0] += 11
    moved[0] += 1
    assert not clock.over()
    now[0] += 9
    assert not clock.over()
    now[0] += 2
    assert clock.over()


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("plain", '"plain"'),
        ("two words", '"two words"'),
        ('say "hi"', '"say ""hi"""'),
        ("%PATH%", '"%%cd:~,%PATH%%cd:~,%"'),
        ("a&b|c>d^e", '"a&b|c>d^e"'),
        ("C:\\dir\\", '"C:\\dir\\\\"'),
        ("line\r\nend", '"line end"'),
        ("", '""'),
    ],
)
def test_arguments_of_batch_files_stay_arguments(word: str, line: str) -> None:
    assert pump_windows.quoted(word) == line


def test_batch_files_go_through_the_interpreter_and_programs_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    places = {"npx": "C:\\node\\npx.CMD", "python": "C:\\py\\python.exe"}
    monkeypatch.setattr(shutil, "which", lambda name, path=None: places.get(name))
    environment = {"PATH": "C:\\node", "COMSPEC": "C:\\Windows\\cmd.exe"}
    assert pump_windows.batch(["python", "-m", "x"], environment) == ["C:\\py\\python.exe", "-m", "x"]
    assert pump_windows.batch(["gone"], environment) == ["gone"]
    assert pump_windows.batch(["npx", "-y", "a b"], environment) == (
        'C:\\Windows\\cmd.exe /e:ON /v:OFF /d /c ""C:\\node\\npx.CMD" "-y" "a b""'
    )


class Basic(ctypes.Structure):
    _fields_ = [
        ("times", ctypes.c_int64 * 2),
        ("flags", ctypes.c_uint32),
        ("sizes", ctypes.c_size_t * 2),
        ("count", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("classes", ctypes.c_uint32 * 2),
    ]


class Extended(ctypes.Structure):
    _fields_ = [("basic", Basic), ("io", ctypes.c_uint64 * 6), ("memory", ctypes.c_size_t * 4)]


def test_the_jobs_limits_lie_where_windows_reads_them() -> None:
    data = pump_windows.limit_bytes(8)
    assert len(data) == ctypes.sizeof(Extended) == 144
    read = Extended.from_buffer_copy(data)
    assert read.basic.flags == pump_windows.KILL_ON_CLOSE | pump_windows.BREAKAWAY_OK
    assert not any(read.memory)
    assert len(pump_windows.limit_bytes(4)) == 112


def test_exit_codes_of_crashed_programs_fit_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Crashed:
        stdin = stdout = None
        returncode = 0xC0000005

    def popen(*given: Any, **more: Any) -> Any:
        source, sink = os.pipe()
        Crashed.stdin, Crashed.stdout = os.fdopen(os.dup(sink), "wb"), os.fdopen(source, "rb")  # type: ignore[assignment]
        os.close(sink)
        return Crashed

    Crashed.wait = staticmethod(lambda timeout: 0xC0000005)  # type: ignore[attr-defined]
    monkeypatch.setattr(pump_windows.subprocess, "Popen", popen)
    monkeypatch.setattr(pump_windows, "start_new_thread", lambda *given: None)
    monkeypatch.setattr(pump_windows, "finish", lambda *given: None)
    assert pump_windows.run(["x"], {}, None, 1) == 0xC0000005 - (1 << 32)
    Crashed.stdin.close()  # type: ignore[union-attr]
    Crashed.stdout.close()  # type: ignore[union-attr]
