"""The proxy changes no byte, ends as its server ends, and hands a copy to whoever measures."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.telemetry.proxy import (
    ECHO,
    HELLO,
    LIMIT,
    LIST,
    PACKAGE,
    Proxied,
    call,
    command,
    eventually,
    proxied,
    read_rows,
    script,
)

from agent_connector.runtime import pump, serve
from agent_connector.telemetry import switch

CAT = ["/bin/cat"]


@pytest.fixture(scope="module")
def cat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    with proxied(tmp_path_factory.mktemp("cat"), CAT) as made:
        yield made


@settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(min_size=1, max_size=3000), min_size=1, max_size=8))
def test_any_bytes_pass_unchanged_both_ways(cat: Proxied, chunks: list[bytes]) -> None:
    for chunk in chunks:
        cat.write(chunk)
    assert cat.read(sum(map(len, chunks))) == b"".join(chunks)


def test_megabytes_without_a_line_end_pass_unchanged(cat: Proxied) -> None:
    import threading

    data = bytes(range(9)) * 700_000
    writer = threading.Thread(target=cat.write, args=(data,))
    writer.start()
    assert cat.read(len(data)) == data
    writer.join()


def test_what_the_server_gets_is_what_the_host_sent(tmp_path: Path) -> None:
    code = "import sys, hashlib; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())"
    data = os.urandom(3_000_000)
    with proxied(tmp_path, script(code)) as made:
        made.write(data)
        assert made.end()[1].decode().strip() == hashlib.sha256(data).hexdigest()


def test_a_host_may_speak_through_sockets(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    environment = {**os.environ, "HOME": str(tmp_path), "AGENT_CONNECTOR_DATA_DIR": str(tmp_path / "data")}
    argv = command(CAT)
    with subprocess.Popen(argv, stdin=theirs, stdout=theirs, env=environment, cwd=tmp_path) as process:
        theirs.close()
        ours.sendall(b"hello\n")
        assert ours.recv(100) == b"hello\n"
        ours.shutdown(socket.SHUT_WR)
        assert ours.recv(100) == b""
        assert process.wait(LIMIT) == 0
    ours.close()


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_the_servers_exit_code_is_ours(tmp_path: Path, code: int) -> None:
    with proxied(tmp_path, ["/bin/sh", "-c", f"exit {code}"]) as made:
        assert made.end()[0] == code


@pytest.mark.parametrize(
    ("name", "code"), [("TERM", -15), ("KILL", -9), ("INT", -2), ("HUP", -1), ("SEGV", 139), ("ABRT", 134)]
)
def test_death_by_a_signal_is_told_as_such(tmp_path: Path, name: str, code: int) -> None:
    with proxied(tmp_path, ["/bin/sh", "-c", f"kill -{name} $$"]) as made:
        assert made.end()[0] == code


TELL = """
import os, signal, sys, time
def tell(number, frame):  # may come while "ready" is printed, and a second print inside of one is an error
    os.write(1, signal.Signals(number).name.encode() + b"\\n")
    if number == signal.SIGTERM:
        sys.exit(4)
for name in sys.argv[1:] or ("SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT"):
    signal.signal(getattr(signal, name), tell)
print("ready", flush=True)
while True:
    time.sleep(1)
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT"])
def test_signals_go_on_to_the_server(tmp_path: Path, name: str) -> None:
    with proxied(tmp_path, [sys.executable, "-c", TELL]) as made:
        assert made.line() == b"ready\n"
        made.process.send_signal(getattr(signal, name))
        assert made.line() == name.encode() + b"\n"
        made.process.terminate()
        assert made.line() == b"SIGTERM\n"
        assert made.process.wait(LIMIT) == 4


def test_a_signal_that_the_host_ignores_stays_ignored(tmp_path: Path) -> None:
    quiet = ["/bin/sh", "-c", 'trap "" HUP; exec "$0" "$@"', *command(["/bin/cat"])]
    environment = {**os.environ, "HOME": str(tmp_path), "AGENT_CONNECTOR_DATA_DIR": str(tmp_path / "data")}
    with subprocess.Popen(quiet, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"up\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"up\n"
        assert not mask(process.pid, "SigBlk") >> signal.SIGHUP - 1 & 1
        assert mask(process.pid, "SigBlk") >> signal.SIGTERM - 1 & 1
        assert mask(process.pid, "SigIgn") >> signal.SIGHUP - 1 & 1
        process.communicate(timeout=LIMIT)


def mask(pid: int, name: str) -> int:
    """The set of signals that a pump's thread ignores or blocks; blocked are those that the main thread waits for."""
    thread = next(one for one in Path(f"/proc/{pid}/task").iterdir() if one.name != str(pid))
    for _ in range(6000):
        text = (thread / "status").read_text()
        words = dict(line.split(maxsplit=1) for line in text.splitlines() if line.startswith("Sig") and " " not in line)
        if not int(words["SigBlk:"], 16) >> signal.SIGRTMAX - 1 & 1:  # the C library blocks all of them while it forks
            return int(words[name + ":"], 16)
        time.sleep(0.01)
    raise AssertionError(f"a thread of {pid} blocks every signal")


@pytest.mark.parametrize("most", [1, 7, 4096])
def test_a_sink_that_takes_little_at_a_time_gets_everything(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    source, given_in = os.pipe()
    taken: list[bytes] = []
    os.write(given_in, b"0123456789" * 50)
    os.close(given_in)
    monkeypatch.setattr(pump.os, "write", lambda sink, data: taken.append(bytes(data[:most])) or len(taken[-1]))
    shown: list[bytes] = []
    way = pump.Way(source, -1)
    assert way.run(shown.append) == "source"
    monkeypatch.undo()
    os.close(source)
    assert b"".join(taken) == b"".join(shown) == b"0123456789" * 50
    assert way.moved == 500


def test_a_server_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("text")
    for server, code, word in ((["no-such-program-here"], 127, b"No such file"), ([str(plain)], 126, b"denied")):
        with proxied(tmp_path, server) as made:
            found, out, errors = made.end()
        assert (found, out) == (code, b"")
        assert word in errors
        assert errors.count(b"\n") == 1


def test_a_script_without_a_first_line_is_run_as_shells_run_it(tmp_path: Path) -> None:
    plain = tmp_path / "server"
    plain.write_text('echo "$1"')
    plain.chmod(0o755)
    with proxied(tmp_path, [str(plain), "hello"]) as made:
        assert made.end()[:2] == (0, b"hello\n")


def manifest(home: Path, **fields: Any) -> None:
    folder = home / "data" / "connectors" / "acme-db"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "connector.json").write_text(json.dumps(fields, indent=2))


def test_references_left_over_are_filled_in_by_the_proxy(tmp_path: Path) -> None:
    env = {
        "DSN": "${env:DSN}",
        "URL": "http://${env:HOST_NAME}:${env:PORT:-5432}/x",
        "GONE": "${env:NEVER_SET}",
        "OWN": "plain",
    }
    manifest(tmp_path, server={"transport": "stdio", "env": env})
    code = "import os, sys; print([os.environ.get(n) for n in ('DSN', 'URL', 'GONE', 'OWN', 'RAW')], sys.argv[1:])"
    server = [
        *script(code),
        "--dsn=${env:DSN}",
        "${env:NEVER_SET:-a}${env:OTHER:-}",
        "$HOME ${x} ${env:",
        "${env:HOST_NAME}!",
    ]
    with proxied(tmp_path, server, DSN="sesame", HOST_NAME="db", RAW="${env:HOST_NAME}") as made:
        _, out, errors = made.end()
    assert out.decode().strip() == str(["sesame", "http://db:5432/x", "", "plain", "db"]) + " " + str(
        ["--dsn=sesame", "a", "$HOME ${x} ${env:", "db!"]
    )
    assert errors == b"agent-connector: not set, taken as empty: NEVER_SET\n"


def test_the_hosts_own_value_stands_before_the_manifests(tmp_path: Path) -> None:
    manifest(tmp_path, server={"env": {"MODE": "declared", "OWN": "${env:OWN}"}})
    with proxied(tmp_path, ["/bin/sh", "-c", 'echo "$MODE $OWN"'], MODE="as the host says", OWN="mine") as made:
        assert made.end()[1] == b"as the host says mine\n"


def test_the_program_is_looked_for_on_the_servers_own_path(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "acme-server").write_text("#!/bin/sh\necho found\n")
    (inner / "acme-server").chmod(0o755)
    manifest(tmp_path, server={"env": {"PATH": f"{inner}:${{env:OLD}}"}})
    with proxied(tmp_path, ["acme-server"], PATH=f"{inner}:{os.environ['PATH']}") as made:
        assert made.end()[:2] == (0, b"found\n")


def test_the_manifests_folder_is_the_servers(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    manifest(tmp_path, server={"cwd": "${env:BASE}/inner"})
    with proxied(tmp_path, ["/bin/pwd"], BASE=str(tmp_path)) as made:
        assert made.end()[1].decode().strip() == str((tmp_path / "inner").resolve())


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"server": 7}', '{"server": {"env": 3}, "telemetry": []}', "\ufeff{}"]
)
def test_a_broken_manifest_does_not_keep_the_server_from_being_served(tmp_path: Path, text: str) -> None:
    manifest(tmp_path)
    (tmp_path / "data" / "connectors" / "acme-db" / "connector.json").write_text(text)
    with proxied(tmp_path, CAT) as made:
        made.write(b"x\n")
        assert made.end()[:2] == (0, b"x\n")


@pytest.mark.parametrize(
    "words",
    [[], ["--connector"], ["--connector", "x"], ["--", "cat"], ["--connector", "x", "--"], ["--connector", "x", "--what", "y", "--", "cat"],
     ["--connector", "x", "--url", "http://x", "--", "cat"], ["cat"]],
)  # fmt: skip
def test_wrong_usage_is_told(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert serve.main(words) == 2
    assert "usage: agent-connector serve" in capfd.readouterr().err


def test_the_command_line_of_a_host_file() -> None:
    parsed = serve.parse(["--connector=a", "--host", "codex", "--", "npx", "-y", "--", "--connector", "b"])
    assert parsed
    assert (parsed.connector, parsed.host, parsed.command) == ("a", "codex", ["npx", "-y", "--", "--connector", "b"])


def session(made: Proxied) -> list[dict[str, Any]]:
    """A session in which everything is used; returns its rows."""
    for message in (HELLO, LIST, call(1, "hello world"), call(2, "it's 12345 ünïcode 日本語 😀\n\t", 40)):
        made.call(message)
    made.call({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "fail", "arguments": {"a": None}}})
    assert made.end()[0] == 0
    return made.rows()


def test_tokens_are_those_that_tiktoken_counts_in_the_recorded_messages(tmp_path: Path) -> None:
    from agent_connector.telemetry import tokenizer

    encode = tokenizer.load().encode
    assert encode
    with proxied(tmp_path, script(ECHO)) as made:
        rows = session(made)
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    text = "it's 12345 ünïcode 日本語 😀\n\t"
    calls = {row["tool"]: [] for row in rows if row["scope"] == "call"}
    for row in rows:
        if row["scope"] == "call":
            calls[row["tool"]].append((row["in"], row["out"], row["error"], row["source"]))
    assert calls == {
        "echo": [
            (len(encode(json.dumps({"text": given, "times": times}, **compact))), len(encode(given * times)), 0, "tokenizer-exact")
            for given, times in (("hello world", 1), (text, 40))
        ],
        "fail": [(len(encode('{"a":null}')), len(encode("it failed")), 1, "tokenizer-exact")],
    }  # fmt: skip
    definitions = {row["tool"]: row["out"] for row in rows if row["scope"] == "tool_defs"}
    assert definitions == {
        "(instructions)": len(encode("Ask before you write.")),
        "echo": len(encode('{"name":"echo","description":"Say it back","inputSchema":{"type":"object"}}')),
        "fail": len(encode('{"name":"fail","inputSchema":{"type":"object"}}')),
    }


def test_rows_say_whose_traffic_it_was(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with proxied(tmp_path, script(ECHO), "--host", "opencode") as made:
        rows = session(made)
    assert {(row["connector"], row["host"], row["surface"], row["family"], row["project_name"]) for row in rows} == {
        ("acme-db", "opencode", "server", "gpt", tmp_path.name)
    }
    assert len({row["session"] for row in rows}) == 1
    assert all(row["ms"] >= 0 for row in rows if row["scope"] == "call")


def test_without_the_tokenizer_a_stdlib_process_counts_by_the_heuristic(tmp_path: Path) -> None:
    bare = tmp_path / "versions" / "1" / "agent_connector"
    import shutil

    shutil.copytree(PACKAGE, bare, ignore=shutil.ignore_patterns("__pycache__"))
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    (bare.parent / "tools").write_text("/nowhere/python\n")
    environment = {**os.environ, "HOME": str(tmp_path), "AGENT_CONNECTOR_DATA_DIR": str(tmp_path / "data")}
    argv = [
        str(base),
        "-I",
        "-S",
        str(bare / "runtime" / "entry.py"),
        "serve",
        "--connector",
        "acme-db",
        "--",
        *script(ECHO),
    ]
    data = json.dumps(call(1, "hello world")).encode() + b"\n"
    assert subprocess.run(argv, input=data, env=environment, check=True, stdout=subprocess.PIPE, timeout=LIMIT).stdout
    from agent_connector.telemetry import live

    assert live.settle(str(tmp_path / "data"), LIMIT)
    (row,) = read_rows(tmp_path / "data")
    assert (row["source"], row["out"]) == ("heuristic", 3)


def test_the_tools_interpreter_is_the_one_that_measures(tmp_path: Path) -> None:
    package = tmp_path / "agent_connector"
    package.mkdir()
    assert serve.interpreter(str(package)) == sys.executable
    (tmp_path / "tools").write_text("/bin/cat\n")
    assert serve.interpreter(str(package)) == "/bin/cat"


def test_switched_off_nothing_is_started_and_nothing_written(tmp_path: Path) -> None:
    def rows(**variables: str) -> int:
        with proxied(tmp_path, script(ECHO), **variables) as made:
            made.call(call(1, "x"))
            assert not any("measure" in Path(f"/proc/{pid}/cmdline").read_text() for pid in made.children())
            made.end()
        return len(read_rows(tmp_path / "data"))

    assert rows(AGENT_CONNECTOR_TELEMETRY="0") == 0
    manifest(tmp_path, telemetry={"enabled": False})
    assert rows() == 0
    manifest(tmp_path)
    for kind in ({}, {"connector": "acme-db"}, {"layer": "serve"}):
        switch.turn(str(tmp_path / "data"), False, **kind)
        assert rows() == 0
        switch.turn(str(tmp_path / "data"), True, **kind)


def test_the_switch_works_in_a_running_session(tmp_path: Path) -> None:
    with proxied(tmp_path, script(ECHO)) as made:
        made.call(call(1, "x"))
        assert eventually(lambda: len(read_rows(tmp_path / "data")) == 1)
        switch.turn(str(tmp_path / "data"), False)
        made.call(call(2, "x"))
        made.end()
        assert len(made.rows()) == 1


def test_the_author_decides_over_hint_definitions_and_place(tmp_path: Path) -> None:
    telemetry = {"enabled": True, "model_family": "gemini", "measure_definitions": False, "store": "project"}
    manifest(tmp_path, telemetry=telemetry)
    (tmp_path / ".git").mkdir()
    with proxied(tmp_path, script(ECHO)) as made:
        made.call(LIST)
        made.call(call(1, "x"))
        made.end()
        assert not made.rows()
    (row,) = read_rows(tmp_path / ".agent-connector")
    assert (row["scope"], row["family"], row["source"]) == ("call", "gemini", "tokenizer-approx")


def test_a_server_that_counts_itself_is_told_that_it_is_counted(tmp_path: Path) -> None:
    show = ["/bin/sh", "-c", 'echo "$AGENT_CONNECTOR_SERVED"']
    with proxied(tmp_path, show) as made:
        assert made.end()[1] == b"acme-db\n"
    with proxied(tmp_path, show, AGENT_CONNECTOR_TELEMETRY="0") as made:
        assert made.end()[1] == b"\n"


def test_only_counts_are_kept(tmp_path: Path) -> None:
    secret = "s3same-0pen-xyzzy"
    messages = [
        HELLO,
        call(1, f"my password is {secret}", 3),
        {"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": f"a://{secret}"}},
        {"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": {"name": secret, "arguments": {"x": secret}}},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "fail", "arguments": {"x": secret}}},
        {
            "jsonrpc": "2.0",
            "id": secret,
            "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": secret}},
        },
    ]
    with proxied(tmp_path, script(ECHO), API_KEY=secret) as made:
        for message in messages:
            made.call(message)
        made.end()
        assert len(made.rows()) == 6
    from agent_connector.telemetry import report

    report.make(str(tmp_path / "data"))
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "telemetry.db" for path in kept)
    assert not [path for path in kept if secret.encode() in path.read_bytes()]


def test_the_proxy_loads_next_to_nothing() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
        "from agent_connector.runtime import serve, pump_posix; print(' '.join(sys.modules))"
    )
    loaded = set(subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout.split())  # fmt: skip
    heavy = {
        "json",
        "re",
        "enum",
        "signal",
        "subprocess",
        "threading",
        "typing",
        "dataclasses",
        "pathlib",
        "logging",
        "tiktoken",
    }
    assert not loaded & heavy
    assert not {name for name in loaded if name.startswith("agent_connector.hosts")}
