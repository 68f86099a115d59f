"""Stand before an MCP server and write down every message, changing none: `witness.py LOG -- command args`.

Run as a script with the standard library alone, since it is started by the host under rehearsal. LOG gets one JSON
line for each message ({"t": seconds, "by": pid, "to": "server" or "host", "text": ...}); the first of a process tells
that the server started.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import IO


def main(arguments: list[str]) -> int:
    """Start the server, pass both directions on, end with its exit code."""
    log, command = open(arguments[0], "a", encoding="utf-8"), arguments[2:]  # noqa: SIM115 - open until the process ends
    lock = threading.Lock()

    def note(**what: object) -> None:
        with lock:
            log.write(json.dumps({"t": time.time(), "by": os.getpid(), **what}) + "\n")
            log.flush()

    try:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        note(failed=str(error))
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127
    note(started=server.pid)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: server.send_signal(number))
    assert server.stdin and server.stdout  # noqa: S101 - both are pipes by construction
    pumps = (
        threading.Thread(target=pump, args=(sys.stdin.buffer, server.stdin, "server", note), daemon=True),
        threading.Thread(target=pump, args=(server.stdout, sys.stdout.buffer, "host", note), daemon=True),
    )
    for thread in pumps:
        thread.start()
    code = server.wait()
    pumps[1].join(5)
    note(ended=code)
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
