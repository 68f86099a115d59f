"""Ask a server for its tools, to write a script for it: four lines of JSON-RPC, no client library."""

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Mapping
from typing import IO

from agent_connector.connector.interpolation import resolve
from agent_connector.connector.model import Server
from agent_connector.drive import process
from agent_connector.rehearse.model.shape import Object, obj, objects

LIMIT = 30.0  # seconds
_HELLO: Object = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "agent-connector-rehearsal", "version": "1"},
}


def tools(server: Server | None, variables: Mapping[str, str], seconds: float = LIMIT) -> tuple[Object, ...]:
    """The tools of a server that is a program; none when it has none, does not answer or is no program."""
    if server is None or server.transport != "stdio":
        return ()
    environment = {**variables, **{name: resolve(text, variables) for name, text in server.env.items()}}
    command = [resolve(word, variables) for word in (server.command, *server.args)]
    try:
        child = subprocess.Popen(
            command,
            cwd=server.cwd or os.getcwd(),
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return ()
    try:
        return _listed(child, time.monotonic() + seconds)
    finally:
        process.end(child)


def _listed(child: "subprocess.Popen[bytes]", deadline: float) -> tuple[Object, ...]:
    assert child.stdin and child.stdout  # noqa: S101 - both are pipes by construction
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(child.stdout, lines), daemon=True).start()
    try:
        with child.stdin as pipe:
            _send(pipe, {"id": 1, "method": "initialize", "params": _HELLO})
            if not _answer(lines, 1, deadline):
                return ()
            _send(pipe, {"method": "notifications/initialized"})
            _send(pipe, {"id": 2, "method": "tools/list", "params": {}})
            return tuple(objects(obj(_answer(lines, 2, deadline).get("result")).get("tools")))
    except OSError:
        return ()


def _read(pipe: IO[bytes], lines: "queue.Queue[bytes]") -> None:
    with pipe:
        for line in pipe:
            lines.put(line)
    lines.put(b"")


def _send(pipe: IO[bytes], message: Object) -> None:
    pipe.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    pipe.flush()


def _answer(lines: "queue.Queue[bytes]", number: int, deadline: float) -> Object:
    """The answer with this id, {} when none comes in time."""
    while (left := deadline - time.monotonic()) > 0:
        try:
            line = lines.get(timeout=left)
        except queue.Empty:
            break
        if not line:
            break
        try:
            message = obj(json.loads(line))
        except ValueError:
            continue
        if message.get("id") == number and "method" not in message:
            return message
    return {}
