"""A notes app that your own agent can join: `python examples/notes/app.py`.

It listens on this machine only. To put it behind a proxy that speaks TLS, say where people reach it: --origin.
"""

import argparse
import asyncio
import logging
import os
import socket
import sys

import platformdirs
import uvicorn
from notes_app import NAMES, create

PORT = 4100
LOCAL = "127.0.0.1"


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}; 0 takes one that is free")
    parser.add_argument("--data", default=platformdirs.user_data_dir("notes-example"), help="folder of the databases")
    parser.add_argument("--origin", help="where people reach it, when a proxy stands before it: https://notes.example")
    parser.add_argument("--new-passwords", action="store_true", help="make new passwords, and print them")
    return parser.parse_args()


def main() -> None:
    asked = options()
    os.makedirs(asked.data, mode=0o700, exist_ok=True)
    try:
        door = socket.create_server((LOCAL, asked.port))
    except OSError as problem:
        sys.exit(f"cannot listen on port {asked.port}: {problem.strerror}; take another with --port")
    origin = asked.origin or f"http://{LOCAL}:{door.getsockname()[1]}"
    app, passwords = create(asked.data, origin, new_passwords=asked.new_passwords)
    say(f"notes are at  {origin}")
    for name in NAMES:
        say(f"sign in as    {name:6}{passwords.get(name, '(the password was printed before; --new-passwords)')}")
    say(f"pair with     agent-connector byoa run --host gemini-cli --app {origin}")
    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    logging.getLogger("uvicorn.error").addFilter(is_news)
    uvicorn.Server(config).run(sockets=[door])


def is_news(record: logging.LogRecord) -> bool:
    """Polls and streams are held open: that they are cut off at the end is as it should be."""
    cut_off = record.exc_info is not None and record.exc_info[0] is asyncio.CancelledError
    return not cut_off and "timeout graceful shutdown exceeded" not in str(record.msg)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
