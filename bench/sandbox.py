"""What a sandbox and the way out of it cost, each against doing without, within one run: `python -m bench.sandbox [--quick]`.

Start: from the start of a command to the end of all of it, in each kind that works here, against the command alone and
against a Python that does nothing. Proxy: the first byte and the throughput of an answer through the worker's proxy, as a
client of a run has them, against the same server asked directly.
"""

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from agent_connector.worker.egress.proxy import Egress
from agent_connector.worker.sandbox import bubblewrap, choose, launch, system
from agent_connector.worker.sandbox.policy import Policy

COMMAND = ["/bin/true"]
CHUNK, CHUNKS = 65_536, 400
FIRST, THROUGH, START = 20.0, 0.10, 12.0  # promised: at most, at least, at most


def start_cost(rounds: int, folder: Path) -> bool:
    """Milliseconds, and ratios to the start of a bare Python."""
    for name in ("workspace", "home"):
        (folder / name).mkdir()
    policy = Policy(str(folder / "workspace"), str(folder / "home"))
    environment = {"PATH": os.environ["PATH"], "HOME": policy.home}
    ways: dict[str, Callable[[], object]] = {
        "a bare Python": lambda: subprocess.run(
            [system.python(), "-I", "-S", "-c", "pass"], env=environment, check=True
        ),
        "the command alone": lambda: subprocess.run(COMMAND, env=environment, check=True),
        "bwrap, as short as can be": lambda: subprocess.run(
            ["bwrap", "--unshare-all", "--ro-bind", "/", "/", *COMMAND], env=environment, check=True
        ),
        "supervised, no sandbox": lambda: started(
            launch.begin(choose.kind("none").wrap(COMMAND, policy, environment), "/")
        ),
    }
    for name, probe in choose.probes().items():
        if probe.ok and name != "none":
            start = launch.starter(choose.kind(name), policy)
            ways[name] = lambda start=start: started(start(COMMAND, policy.workspace, environment))
    if shutil.which(bubblewrap.PROGRAM) is None:
        del ways["bwrap, as short as can be"]
    times: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, way in ways.items():
            begun = time.perf_counter()
            way()
            times[name] += [time.perf_counter() - begun] if number else []
    print("a start and an end, against a bare Python's")
    ratios = {
        name: statistics.median(a / b for a, b in zip(times[name], times["a bare Python"], strict=True))
        for name in times
    }
    for name, ratio in ratios.items():
        print(f"    {name:<28}{ratio:>7.2f}  {statistics.median(times[name]) * 1000:>7.1f} ms")
    return all(ratio <= START for ratio in ratios.values())


def started(process: "subprocess.Popen[bytes]") -> None:
    process.communicate(timeout=60)
    if process.returncode:
        raise RuntimeError(f"it ended with {process.returncode}")


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A server that costs nothing: the answer's size stands in the path."""
    while head := await head_of(reader):
        chunks = int(head.split(b" ", 2)[1].rpartition(b"/")[2])
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(chunks):
            writer.write(b"%x\r\n" % CHUNK + bytes(CHUNK) + b"\r\n")
            await writer.drain()
        writer.write(b"5\r\nfirst\r\n0\r\n\r\n")
        await writer.drain()


async def head_of(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""


def server() -> int:
    """In a process of its own, as the real one is."""
    code = f"import asyncio, sys; sys.path.insert(0, {os.getcwd()!r}); from bench.sandbox import serve; asyncio.run(serve())"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout
    SERVERS.append(process)
    return int(process.stdout.readline())


SERVERS: "list[subprocess.Popen[bytes]]" = []


async def serve() -> None:
    one = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(one.sockets[0].getsockname()[1], flush=True)
    await one.serve_forever()


class Client:
    """One kept connection; blocking, so that its own cost is small."""

    def __init__(self, port: int, token: str) -> None:
        import socket

        self.token = token
        self.socket = socket.create_connection(("127.0.0.1", port))

    def get(self, chunks: int) -> tuple[float, float]:
        """Seconds to the first byte, and to the last."""
        begun = time.perf_counter()
        self.socket.sendall(f"GET /{chunks} HTTP/1.1\r\nHost: x\r\nX-Api-Key: {self.token}\r\n\r\n".encode())
        data = self.socket.recv(1 << 20)
        first = time.perf_counter() - begun
        while not data.endswith(b"0\r\n\r\n"):
            data = data[-8:] + self.socket.recv(1 << 20)
        return first, time.perf_counter() - begun


def proxy_cost(rounds: int) -> bool:
    port = server()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def opened() -> tuple[Egress, int, str]:
        egress = await Egress().__aenter__()
        door = await egress.open("bench", network="model", on_line=print, loopback=True)
        egress.add("bench", f"http://127.0.0.1:{port}", "key", "x-api-key")
        return egress, door.port, door.token

    egress, inner, token = asyncio.run_coroutine_threadsafe(opened(), loop).result(30)
    clients = {"direct": Client(port, "x"), "through the proxy": Client(inner, token)}
    firsts: dict[str, list[float]] = {name: [] for name in clients}
    lasts: dict[str, list[float]] = {name: [] for name in clients}
    for number in range(rounds * 20 + 5):
        for name, client in clients.items():
            firsts[name] += [client.get(0)[0]] if number > 4 else [client.get(0)[0]][:0]
    for _ in range(rounds):
        for name, client in clients.items():
            lasts[name].append(client.get(CHUNKS)[1])
    asyncio.run_coroutine_threadsafe(egress.__aexit__(None, None, None), loop).result(30)
    loop.call_soon_threadsafe(loop.stop)
    first = statistics.median(a / b for a, b in zip(firsts["through the proxy"], firsts["direct"], strict=True))
    through = statistics.median(b / a for a, b in zip(lasts["through the proxy"], lasts["direct"], strict=True))
    rate = CHUNK * CHUNKS / statistics.median(lasts["through the proxy"]) / 1e6
    added = (statistics.median(firsts["through the proxy"]) - statistics.median(firsts["direct"])) * 1000
    print("the way out, against the same server asked directly")
    print(f"    first byte                  {first:>7.2f}  + {added:.2f} ms")
    print(f"    throughput                  {through:>7.2f}  {rate:.0f} MB/s")
    return first <= FIRST and through >= THROUGH


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    rounds = 5 if options.parse_args().quick else 25
    print("sandbox: a run's start, and its way to the model")
    folder = Path(tempfile.mkdtemp(prefix="agent-connector-bench-"))
    try:
        kept = [start_cost(rounds, folder), proxy_cost(rounds)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        for process in SERVERS:
            process.kill()
            process.communicate()
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
