"""Servers that misbehave: the host sees what it would have seen without us, and no process stays behind."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.telemetry.proxy import (
    ECHO,
    HELLO,
    LIMIT,
    Proxied,
    alive,
    call,
    children,
    command,
    eventually,
    proxied,
    script,
)

pytestmark = pytest.mark.chaos

BIG = 50_000_000
STUBBORN = """
import os, signal, sys, time
for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"):
    signal.signal(getattr(signal, name), signal.SIG_IGN)
print(os.getpid(), flush=True)
while True:
    time.sleep(0.2)
"""


def stubborn(home: Path, **variables: str):  # type: ignore[no-untyped-def]
    """A server that ignores everything that can be ignored, also the end of its stdin."""
    return proxied(home, [sys.executable, "-c", STUBBORN], **variables)


def test_a_server_that_dies_at_once(tmp_path: Path) -> None:
    with proxied(tmp_path, script("import os; os.write(1, b'half a mess'); os._exit(3)")) as made:
        assert made.read(1 << 20) == b"half a mess"
        assert made.end()[::2][0] == 3
        assert not made.rows()


def test_calls_that_a_dead_server_left_open_failed(tmp_path: Path) -> None:
    with proxied(tmp_path, script("import sys; sys.stdin.readline(); raise SystemExit(9)")) as made:
        made.write(json.dumps(call(1, "x")).encode() + b"\n")
        assert made.end()[0] == 9
        (row,) = made.rows()
    assert (row["tool"], row["error"], row["out"]) == ("echo", 1, 0)


def test_a_flood_on_stderr_reaches_the_host_and_disturbs_nothing(tmp_path: Path) -> None:
    code = "import os, sys\nfor n in range(400): os.write(2, b'e' * 50_000)\nos.write(1, sys.stdin.buffer.readline())"
    with proxied(tmp_path, script(code)) as made:
        assert made.process.stderr
        sizes: list[int] = []
        reader = threading.Thread(target=lambda: sizes.append(len(made.process.stderr.read())))  # type: ignore[union-attr]
        reader.start()
        made.write(b"hello\n")
        assert made.line() == b"hello\n"
        made.stdin.close()
        assert made.process.wait(LIMIT) == 0
        reader.join(LIMIT)
    assert sizes == [400 * 50_000]


GIANT = f"""
import os, sys, json
for line in sys.stdin:
    m = json.loads(line)
    if m.get('params', {{}}).get('name') == 'giant':
        head = b'{{"result":{{"content":[{{"type":"text","text":"'
        tail = b'"}}]}},"jsonrpc":"2.0","id":%d}}\\n' % m['id']
        data = head + b'word ' * {BIG // 5} + tail
    else:
        data = json.dumps({{'jsonrpc': '2.0', 'id': m['id'], 'result': {{'content': []}}}}).encode() + b'\\n'
    while data:
        data = data[os.write(1, data):]
"""


def resident(pid: int) -> int:
    """Peak resident megabytes of a process."""
    text = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM")) // 1024


def test_fifty_megabytes_in_one_line_pass_in_bounded_memory(tmp_path: Path) -> None:
    giant = {"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "giant", "arguments": {}}}
    head, tail = b'{"result":{"content":[{"type":"text","text":"', b'"}]},"jsonrpc":"2.0","id":8}\n'
    whole = head + b"word " * (BIG // 5) + tail
    with proxied(tmp_path, script(GIANT)) as made:
        made.call(HELLO)
        made.call(call(1, "so that the tokenizer is loaded"))
        assert eventually(lambda: list(tmp_path.glob("data/telemetry/segments/*")))
        measurer = made.measurer()
        for _ in range(3):
            made.write(json.dumps(giant).encode() + b"\n")
            assert hashlib.sha256(made.line()).digest() == hashlib.sha256(whole).digest()
        made.call(call(9, "after it"))
        assert eventually(lambda: len(list(open_rows(tmp_path))) >= 5)
        memory = resident(made.process.pid), resident(measurer)
        made.end()
        rows = made.rows()
    assert memory[0] < 32, memory
    assert memory[1] < 160, memory
    giants = [row for row in rows if row["tool"] == "giant"]
    assert [row["source"] for row in giants] == ["heuristic"] * 3
    assert all(BIG / 6 < row["out"] < BIG / 3 for row in giants)
    assert [row["source"] for row in rows if row["tool"] == "echo"] == ["tokenizer-exact"] * 2


def open_rows(home: Path) -> list[bytes]:
    return [line for path in home.glob("data/telemetry/segments/*") for line in path.read_bytes().splitlines()]


def test_letters_split_between_writes_are_whole(tmp_path: Path) -> None:
    code = (
        "import sys, os, time\nsys.stdin.readline()\n"
        'data = \'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"日本語 ünï 😀"}]}}\\n\'.encode()\n'
        "for n in range(len(data)): os.write(1, data[n:n+1])"
    )
    with proxied(tmp_path, script(code)) as made:
        made.write(json.dumps(HELLO | {"id": 0}).encode() + b"\n")
        made.write(json.dumps(call(1, "x")).encode() + b"\n")
        _, out, _ = made.end()
        (row,) = made.rows()
    assert json.loads(out)["result"]["content"][0]["text"] == "日本語 ünï 😀"
    from agent_connector.telemetry import tokenizer

    assert (row["out"], row["source"]) == (tokenizer.load().text("日本語 ünï 😀", "gpt").tokens, "tokenizer-exact")


def test_a_server_that_closes_stdin_first(tmp_path: Path) -> None:
    code = (
        "import os, signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])\nos.close(0)\n"
        "os.write(1, b'closed\\n')\nsignal.sigwait([signal.SIGUSR1])\nos.write(1, b'bye\\n')\nos._exit(5)"
    )
    with proxied(tmp_path, [sys.executable, "-c", code]) as made:
        assert made.line() == b"closed\n"
        os.set_blocking(made.stdin.fileno(), False)
        assert eventually(lambda: broken(made))
        assert made.process.poll() is None
        made.process.send_signal(signal.SIGUSR1)
        assert made.read(100) == b"bye\n"
        assert made.process.wait(LIMIT) == 5


def broken(made: Proxied) -> bool:
    """True when the proxy has closed its stdin for good."""
    try:
        os.write(made.stdin.fileno(), b"x" * 4096)
    except BlockingIOError:
        return False
    except BrokenPipeError:
        return True
    return False


def test_a_server_that_closes_stdout_and_works_on(tmp_path: Path) -> None:
    code = "import os, sys\nos.write(1, b'last\\n')\nos.close(1)\nsys.stdin.read()\nos._exit(6)"
    with proxied(tmp_path, script(code)) as made:
        assert made.read(100) == b"last\n"
        assert made.end()[0] == 6


def test_a_host_that_stops_reading_is_told_to_the_server(tmp_path: Path) -> None:
    code = "import os\ntry:\n    while True: os.write(1, b'x' * 4096)\nexcept BrokenPipeError:\n    os._exit(7)"
    with proxied(tmp_path, script(code)) as made:
        made.read(10_000)
        made.stdout.close()
        assert made.process.wait(LIMIT) == 7


def test_a_host_that_reads_slowly_holds_the_server_back(tmp_path: Path) -> None:
    code = "import os\nfor n in range(2000): os.write(1, b'x' * 10_000)\nos.write(2, b'done')"
    with proxied(tmp_path, script(code)) as made:
        made.read(1000)
        assert resident(made.process.pid) < 32
        assert made.process.poll() is None
        assert len(made.read(30_000_000)) == 2000 * 10_000 - 1000
        assert made.end()[::2] == (0, b"done")


def test_a_host_that_never_reads_can_still_end_us(tmp_path: Path) -> None:
    code = "import os\nos.set_blocking(1, False)\ntry:\n    while True: os.write(1, b'x' * 4096)\nexcept BlockingIOError:\n    os._exit(0)"
    with proxied(tmp_path, script(code)) as made:
        assert eventually(lambda: len(made.children()) <= 3)
        made.process.terminate()
        assert made.process.wait(LIMIT) in (0, -signal.SIGTERM)


def test_signals_in_quick_succession_all_arrive(tmp_path: Path) -> None:
    code = (
        "import signal, sys, os\n"
        "known = {signal.SIGUSR1, signal.SIGTERM}\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, known)\n"
        "os.write(1, b'r')\n"
        "while signal.sigwait(known) == signal.SIGUSR1: os.write(1, b'1')\n"
        "os._exit(4)"
    )
    with proxied(tmp_path, [sys.executable, "-c", code]) as made:
        assert made.read(1) == b"r"
        for _ in range(300):
            made.process.send_signal(signal.SIGUSR1)
            assert made.read(1) == b"1"
        made.process.send_signal(signal.SIGUSR1)
        made.process.terminate()
        assert made.process.wait(LIMIT) == 4


def test_a_server_that_ignores_term_is_killed(tmp_path: Path) -> None:
    with stubborn(tmp_path, AGENT_CONNECTOR_SERVE_GRACE="0.2") as made:
        pid = int(made.line())
        made.process.terminate()
        assert made.process.wait(LIMIT) == -signal.SIGKILL
        assert not alive(pid)


def test_a_server_that_stays_after_the_end_of_its_stdin_is_ended(tmp_path: Path) -> None:
    with stubborn(tmp_path, AGENT_CONNECTOR_SERVE_GRACE="0.2") as made:
        pid = int(made.line())
        made.stdin.close()
        assert made.process.wait(LIMIT) == -signal.SIGKILL
        assert not alive(pid)


def test_a_server_that_still_answers_after_the_end_of_stdin_may_finish(tmp_path: Path) -> None:
    code = "import sys, time\nsys.stdin.read()\nfor n in range(10): print(n, flush=True); time.sleep(0.5)"
    with proxied(tmp_path, script(code), AGENT_CONNECTOR_SERVE_GRACE="4") as made:  # less than it takes
        code_, out, _ = made.end()
    assert (code_, out.split()) == (0, [b"%d" % n for n in range(10)])


@pytest.mark.parametrize("whole_group", [False, True])
def test_when_the_proxy_is_killed_a_stubborn_server_is_killed_too(tmp_path: Path, whole_group: bool) -> None:
    with stubborn(tmp_path, AGENT_CONNECTOR_SERVE_GRACE="0.2") as made:
        pid = int(made.line())
        family = [made.process.pid, *children(made.process.pid)]
        if whole_group:
            os.killpg(made.process.pid, signal.SIGKILL)
        else:
            made.process.kill()
        made.process.wait(LIMIT)
        assert eventually(lambda: not any(map(alive, [pid, *family])))


def test_when_the_host_dies_everything_ends(tmp_path: Path) -> None:
    argv = command([sys.executable, "-c", STUBBORN])
    host = f"import subprocess, os\np = subprocess.Popen({argv!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\nprint(p.pid, int(p.stdout.readline()), flush=True)\nos.kill(os.getpid(), 9)"  # fmt: skip
    environment = {**os.environ, "HOME": str(tmp_path), "AGENT_CONNECTOR_DATA_DIR": str(tmp_path / "data"), "AGENT_CONNECTOR_SERVE_GRACE": "0.2"}  # fmt: skip
    argv = [sys.executable, "-c", host]
    out = subprocess.run(argv, env=environment, stdout=subprocess.PIPE, timeout=LIMIT, check=False).stdout
    assert eventually(lambda: not any(alive(int(pid)) for pid in out.split()))


def test_what_a_server_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys\n"
        f"p = subprocess.Popen([sys.executable, '-c', {STUBBORN!r}], stdout=subprocess.PIPE)\n"
        "os.write(1, p.stdout.readline())\nos._exit(0)"
    )
    with proxied(tmp_path, [sys.executable, "-c", code], AGENT_CONNECTOR_SERVE_GRACE="0.2") as made:
        pid = int(made.line())
        assert made.process.wait(LIMIT) == 0
        assert eventually(lambda: not alive(pid))


def test_a_daemon_that_keeps_the_pipe_open_does_not_keep_us(tmp_path: Path) -> None:
    code = (
        "import os, time\nif os.fork() == 0:\n"
        "    os.setsid(); os.write(1, b'%d\\n' % os.getpid()); time.sleep(600); os._exit(0)\ntime.sleep(0.5); os._exit(2)"
    )
    with proxied(tmp_path, script(code)) as made:
        daemon = int(made.line())
        assert made.process.wait(LIMIT) == 2
        assert alive(daemon)
        os.kill(daemon, signal.SIGKILL)


def test_a_measuring_process_that_is_killed_changes_no_byte(tmp_path: Path) -> None:
    with proxied(tmp_path, script(ECHO)) as made:
        made.call(call(1, "x"))
        measurer = made.measurer()
        os.kill(measurer, signal.SIGKILL)
        assert eventually(lambda: not alive(measurer))
        for number in range(2, 200):
            assert made.call(call(number, "y", number))["result"]["content"][0]["text"] == "y" * number
        assert made.end()[0] == 0


def test_a_measuring_process_that_hangs_holds_nothing_up(tmp_path: Path) -> None:
    with proxied(tmp_path, ["/bin/cat"]) as made:
        made.write(b"x\n")
        made.line()
        measurer = made.measurer()
        os.kill(measurer, signal.SIGSTOP)
        data = (b"a" * 99_999 + b"\n") * 600
        writer = threading.Thread(target=made.write, args=(data,))
        writer.start()
        assert made.read(len(data)) == data
        writer.join()
        assert resident(made.process.pid) < 32
        assert made.end()[0] == 0
        os.kill(measurer, signal.SIGCONT)
        assert eventually(lambda: not alive(measurer))


def test_nothing_is_left_after_an_ordinary_session(tmp_path: Path) -> None:
    with proxied(tmp_path, script(ECHO)) as made:
        made.call(call(1, "x"))
        family = [made.process.pid, *made.children()]
        assert len(family) >= 4
        assert made.end()[0] == 0
        made.rows()
        assert eventually(lambda: not any(map(alive, family)))
        assert not list(tmp_path.glob("data/telemetry/live/*"))


def test_a_full_disk_stops_the_counting_only(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "telemetry").write_text("in the way")
    with proxied(tmp_path, script(ECHO)) as made:
        for number in range(50):
            assert "result" in made.call(call(number, "x"))
        assert made.end()[0] == 0


def start(home: Path) -> Proxied:
    return Proxied(home, script(ECHO))


def test_many_proxies_at_once_write_one_book(tmp_path: Path) -> None:
    several = [start(tmp_path) for _ in range(4)]
    for number in range(20):
        for made in several:
            made.call(call(number, "x"))
    assert [made.end()[0] for made in several] == [0] * 4
    assert len(several[0].rows()) == 80
