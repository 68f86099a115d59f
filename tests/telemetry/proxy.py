"""A server behind the real proxy, as a host would start it; and small servers that behave in certain ways."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import agent_connector

PACKAGE = Path(agent_connector.__file__).parent
PYTHON = [sys.executable, "-I", "-S"]
LIMIT = 60.0


def command(server: Sequence[str], *options: str) -> list[str]:
    """The command line that stands in a host's file."""
    entry = str(PACKAGE / "runtime" / "entry.py")
    return [*PYTHON, entry, "serve", "--connector", "acme-db", *options, "--", *server]


def script(code: str) -> list[str]:
    """A server written in Python."""
    return [*PYTHON, "-c", code]


class Proxied:
    """A running proxy, with the pipes of its host's end."""

    def __init__(self, home: Path, server: Sequence[str], *options: str, **variables: str) -> None:
        self.home = home
        environment = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_CONNECTOR")}
        environment |= {"HOME": str(home), "AGENT_CONNECTOR_DATA_DIR": str(home / "data"), **variables}
        self.process = subprocess.Popen(
            command(server, *options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=home,
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.stdin.fileno(), data) :]

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, or what comes before the end."""
        parts: list[bytes] = []
        while size > 0 and (part := os.read(self.stdout.fileno(), min(size, 1 << 20))):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def line(self) -> bytes:
        parts: list[bytes] = []
        while part := os.read(self.stdout.fileno(), 1 << 20):
            parts.append(part)
            if part.endswith(b"\n"):
                break
        return b"".join(parts)

    def call(self, message: Mapping[str, Any]) -> Any:
        """Send a request and take the next line."""
        self.write(json.dumps(message).encode() + b"\n")
        return json.loads(self.line())

    def end(self) -> tuple[int, bytes, bytes]:
        """Close stdin and take the rest: (exit code, stdout, stderr)."""
        rest, errors = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, rest, errors

    def children(self) -> list[int]:
        return children(self.process.pid)

    def measurer(self) -> int:
        """The process id of the measuring process."""
        return next(pid for pid in self.children() if "measure.py" in words(pid))

    def rows(self) -> list[dict[str, Any]]:
        """The rows, once everything is counted."""
        from agent_connector.telemetry import live

        assert live.settle(str(self.home / "data"), LIMIT)
        return read_rows(self.home / "data")


@contextlib.contextmanager
def proxied(home: Path, server: Sequence[str], *options: str, **variables: str) -> Iterator[Proxied]:
    """A proxy that is gone afterwards, whatever happened."""
    made = Proxied(home, server, *options, **variables)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
        for stream in (made.process.stdin, made.process.stdout, made.process.stderr):
            if stream:
                stream.close()
        made.process.wait(LIMIT)


def read_rows(root: Path) -> list[dict[str, Any]]:
    """All rows below a data root, in the order of their lines."""
    files = sorted((root / "telemetry" / "segments").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def alive(pid: int) -> bool:
    from agent_connector.telemetry import live

    return live.alive(str(pid))


def eventually(what: Callable[[], object]) -> bool:
    """Wait until `what()` is true; False after a long time."""
    end = time.monotonic() + LIMIT
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


ECHO = """
import sys, json
for line in sys.stdin:
    m = json.loads(line)
    for one in m if isinstance(m, list) else [m]:
        if 'id' not in one or 'method' not in one:
            continue
        p = one.get('params') or {}
        result = {
            'initialize': {'protocolVersion': '2025-06-18', 'capabilities': {}, 'serverInfo': {'name': 's', 'version': '1'},
                           'instructions': 'Ask before you write.'},
            'tools/list': {'tools': [{'name': 'echo', 'description': 'Say it back', 'inputSchema': {'type': 'object'}},
                                     {'name': 'fail', 'inputSchema': {'type': 'object'}}]},
        }.get(one['method'])
        if result is None and p.get('name') == 'fail':
            sys.stdout.write(json.dumps({'jsonrpc': '2.0', 'id': one['id'], 'error': {'code': -1, 'message': 'it failed'}}) + chr(10))
            continue
        if result is None:
            a = p.get('arguments') or {}
            result = {'content': [{'type': 'text', 'text': a.get('text', '') * a.get('times', 1)}]}
        sys.stdout.write(json.dumps({'jsonrpc': '2.0', 'id': one['id'], 'result': result}) + chr(10))
    sys.stdout.flush()
"""


def call(number: int, text: str, times: int = 1) -> dict[str, Any]:
    """A request to the tool of `ECHO`."""
    params = {"name": "echo", "arguments": {"text": text, "times": times}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"clientInfo": {"name": "codex-mcp-client"}}}
LIST = {"jsonrpc": "2.0", "id": "list", "method": "tools/list"}
