"""Stand before an MCP server and write down every message, changing none: `witness.py LOG -- command args`.

Run as a script with the standard library alone, since it is started by the host under rehearsal. LOG gets one JSON
line for each message ({"t": seconds, "by": pid, "to": "server" or "host", "text": ...}); the first of a process tells
that the server started, the last how it ended and what it said last on its standard error.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import IO

_SECRET = re.compile(r"(?i)key|token|secret|passw|credential")  # in the name of a variable
_LONGEST = 300  # characters of a last line


def main(arguments: list[str]) -> int:
    """Start the server, pass both directions on, end with its exit code."""
    log, command = open(arguments[0], "a", encoding="utf-8"), arguments[2:]  # noqa: SIM115 - open until the process ends
    lock = threading.Lock()

    def note(**what: object) -> None:
        with lock:
            log.write(json.dumps({"t": time.time(), "by": os.getpid(), **what}) + "\n")
            log.flush()

    try:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        note(failed=str(error))
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127
    note(started=server.pid)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: server.send_signal(number))
    assert server.stdin and server.stdout and server.stderr  # noqa: S101 - all are pipes by construction
    said: list[str] = []
    pumps = (
        threading.Thread(target=pump, args=(sys.stdin.buffer, server.stdin, "server", note), daemon=True),
        threading.Thread(target=pump, args=(server.stdout, sys.stdout.buffer, "host", note), daemon=True),
        threading.Thread(target=listen, args=(server.stderr, said), daemon=True),
    )
    for thread in pumps:
        thread.start()
    code = server.wait()
    pumps[1].join(5)
    pumps[2].join(1)  # a grandchild may hold it open
    note(ended=code, said=masked(said[-1]) if said else "")
    return code if code >= 0 else 128 - code


def pump(source: IO[bytes], target: IO[bytes], to: str, note: Callable[..., None]) -> None:
    """Lines from `source` to `target`; the end of one is the end of the other."""
    try:
        for line in source:
            note(to=to, text=line.decode("utf-8", "replace").rstrip("\r\n"))  # first: an answer may be very quick
            target.write(line)
            target.flush()
    except (OSError, ValueError):
        pass
    if to == "server":
        target.close()


def listen(source: IO[bytes], said: list[str]) -> None:
    """Pass standard error on, and keep its last line."""
    for line in source:
        sys.stderr.buffer.write(line)
        sys.stderr.buffer.flush()
        if text := line.decode("utf-8", "replace").strip():
            said[:] = [text]


def masked(line: str) -> str:
    """`line` without the values of variables that hold secrets."""
    for name, value in os.environ.items():
        if _SECRET.search(name) and len(value) > 3:
            line = line.replace(value, "***")
    return line[:_LONGEST]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
