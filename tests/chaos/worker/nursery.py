"""A process that has imported everything and forks actors on demand, so that hundreds of starts cost little.

A line of JSON on stdin starts an actor: ["board", ...] or ["worker", ...]; its pid is the answer. An actor is a real process:
it is killed like any other, and shares nothing with the next one but files.
"""

import json
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable

import mcp.client.client
import mcp.client.streamable_http  # noqa: F401 - late imports of the client, paid once
import uvicorn  # noqa: F401
from tests.chaos.worker import actors

import agent_connector.redaction.redactor

ACTORS: dict[str, Callable[..., None]] = {"board": actors.board, "worker": actors.worker}


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are gone at once
    agent_connector.redaction.redactor.scanner()
    actors.warm()
    print("ready", flush=True)
    me = os.getpid()
    for line in sys.stdin:
        name, *given = json.loads(line)
        pid = os.fork()
        if pid == 0:
            threading.Thread(target=orphaned, args=(me,), daemon=True).start()
            born(ACTORS[name], given)
        print(pid, flush=True)


def orphaned(parent: int) -> None:
    """Whatever ends the nursery ends its actors."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def born(actor: Callable[..., None], given: list[object]) -> None:
    """The life of an actor; nothing of the nursery goes on in it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    code = 1
    try:
        actor(*given)
        code = 0
    except BaseException:  # noqa: BLE001 - this is its top level
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
