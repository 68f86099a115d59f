"""A PostgreSQL of the bench's own, with the settings that it ships with: what is committed is on the disk."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).parent.parent))
from tools import services

USER = "postgres"  # PostgreSQL refuses to run as root


@contextlib.contextmanager
def server() -> Iterator[Callable[[str], str] | None]:
    """Gives a function that makes an empty database and says its address; None where PostgreSQL is not installed."""
    programs = services.postgresql()
    if programs is None:
        yield None
        return
    folder = tempfile.mkdtemp(prefix="ac-bench-pg-")
    prefix = list[str]()
    if os.getuid() == 0:
        os.chown(folder, pwd.getpwnam(USER).pw_uid, -1)
        prefix = ["runuser", "-u", USER, "--"]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])

    def run(program: str, *arguments: str) -> None:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [*prefix, os.path.join(programs, program), *arguments]
        subprocess.run(command, cwd=folder, timeout=120, check=True, **quiet)  # pyright: ignore[reportArgumentType]

    data, address = os.path.join(folder, "data"), f"postgresql://{USER}@127.0.0.1:{port}"
    run("initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
    run("pg_ctl", "-D", data, "-l", os.path.join(folder, "log"), "-w", "-o", options, "start")

    def fresh(name: str) -> str:
        with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")  # type: ignore[arg-type]
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        return f"{address}/{name}"

    try:
        yield fresh
    finally:
        run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)
