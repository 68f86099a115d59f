"""What the app's side of the pair costs: 2,000 held polls in one process, messages per second, latency, memory.

The floor is a bare Starlette long-poll that keeps nothing and checks nothing, in the same run, in turns: each message is
one request that sends it, the answer of a held poll, the next poll, and one batch of events that is answered.
`python -m bench.byoa_app [--quick]`.
"""

import argparse
import asyncio
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

POLLS = 2000
AT_ONCE = 32  # messages on their way
KINDS = {"bare": "", "memory": ":memory:", "file": "byoa.db"}
# About half of what is seen.
LEAST = {"memory": 0.25, "file": 0.12}


# The servers.


def bare() -> Any:
    """A long-poll and nothing else."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    waiting: dict[str, asyncio.Queue[str]] = defaultdict(asyncio.Queue)

    async def register(request: Request) -> Response:
        session = (await request.json())["session"]
        return JSONResponse({"session_id": session["key"], "cursor": "0"})

    async def poll(request: Request) -> Response:
        asked = await request.json()
        try:
            text = await asyncio.wait_for(waiting[asked["session_id"]].get(), 25)
        except TimeoutError:
            return Response(status_code=204)
        message = {"id": "m", "type": "chat", "text": text, "from": {"name": "Ada"}}
        return JSONResponse({"cursor": "0", "messages": [message]})

    async def send(request: Request) -> Response:
        waiting[(await request.json())["to"]].put_nowait("hello")
        return JSONResponse({})

    async def events(request: Request) -> Response:
        return JSONResponse({"next": (await request.json())["seq"] + 1})

    doors = {"/byoa/sessions": register, "/byoa/sessions/poll": poll, "/byoa/sessions/events": events, "/send": send}
    return Starlette(routes=[Route(path, door, methods=["POST"]) for path, door in doors.items()])


def ours(path: str, origin: str) -> Any:
    """The real thing, and a door to send with."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    from agent_connector.byoa.app import Account, Byoa, SqliteStore
    from agent_connector.byoa.app.codes import hashed

    ada = Account("1", "Ada")
    store = SqliteStore(path)
    byoa = Byoa(store, lambda request: ada, id="bench", name="Bench", origin=origin)
    sessions: dict[str, Any] = {}

    async def token(request: Request) -> Response:
        row = ("c", "1", "Ada", "bench", "1", "bench", "bench", "127.0.0.1", time.time(), hashed("t" * 43), 1, 1)
        marks = ", ".join("?" for _ in row)
        names = "id, account, account_name, host, host_version, connector, machine, address, created, token, used, seen"
        await store.run(lambda tx: tx.count(f"INSERT INTO byoa_connections ({names}) VALUES ({marks})", *row))  # noqa: S608
        return JSONResponse({})

    async def send(request: Request) -> Response:
        id = (await request.json())["to"]
        if id not in sessions:
            sessions.update({session.id: session for session in await byoa.sessions_of(ada)})
        await sessions[id].chat("hello")
        return JSONResponse({})

    return byoa.wrap(
        Starlette(routes=[Route("/token", token, methods=["POST"]), Route("/send", send, methods=["POST"])])
    )


def serve(kind: str, port: int) -> None:
    """One server process."""
    import uvicorn

    from agent_connector.byoa.app import sessions

    sessions.NEW_A_DAY = POLLS + 1
    app = bare() if kind == "bare" else ours(KINDS[kind], f"http://127.0.0.1:{port}")
    uvicorn.run(
        app, host="127.0.0.1", port=port, log_level="error", access_log=False, backlog=4096, timeout_keep_alive=600
    )


# The pairers.


class Line:
    """A kept connection, one request at a time."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> "Line":
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def post(self, path: str, value: object) -> Any:
        body = json.dumps(value).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {'t' * 43}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        if answer.startswith(b"HTTP/1.1 204"):
            return None
        assert answer.startswith(b"HTTP/1.1 200"), answer
        size = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return json.loads(await self.reader.readexactly(size))


class Machine:
    """2,000 pairers at one server."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-m", "bench.byoa_app", "serve", kind, str(self.port)]
        variables = {**os.environ, "PYTHONPATH": os.getcwd()}
        self.process = subprocess.Popen(command, cwd=self.folder.name, env=variables)
        self.got: dict[str, asyncio.Future[None]] = {}
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        await self._reachable()
        self.before = resident(self.process.pid)
        if self.kind != "bare":
            await (await Line(self.port).open()).post("/token", {})
        lines = [await Line(self.port).open() for _ in range(POLLS)]
        self.senders = [await Line(self.port).open() for _ in range(AT_ONCE)]
        self.ids: list[str] = []
        for number, line in enumerate(lines):
            session = {"key": f"{number:043d}", "host": "bench", "workspace": {}, "settings": [], "can": []}
            answer = await line.post("/byoa/sessions", {"session": session, "holding": []})
            self.ids.append(answer["session_id"])
            self.tasks.append(asyncio.create_task(self._pairer(line, answer["session_id"])))
        await asyncio.sleep(1)
        self.after = resident(self.process.pid)

    async def _reachable(self) -> None:
        for _ in range(300):
            try:
                await Line(self.port).open()
                return
            except OSError:
                await asyncio.sleep(0.1)
        raise RuntimeError(f"{self.kind} does not come up")

    async def _pairer(self, line: Line, session: str) -> None:
        telling = await Line(self.port).open()
        cursor = "0"
        while True:
            answer = await line.post("/byoa/sessions/poll", {"session_id": session, "cursor": cursor, "state": "idle"})
            if answer is None:
                continue
            cursor = answer["cursor"]
            self.got.pop(session).set_result(None)
            events = [{"type": "started"}, {"type": "delta", "text": "hello"}, {"type": "ended", "outcome": "done"}]
            turn = answer["messages"][0]["id"]
            batch = {"session_id": session, "turn": turn, "seq": 0, "events": events}
            await telling.post("/byoa/sessions/events", batch)

    async def round(self, count: int, first: int) -> tuple[float, list[float]]:
        """Messages per second, and how long each took to arrive."""
        numbers = iter(range(first, first + count))
        times: list[float] = []

        async def sender(line: Line) -> None:
            for number in numbers:
                session = self.ids[number * 7 % POLLS]
                came = self.got[session] = asyncio.get_running_loop().create_future()
                start = time.perf_counter()
                await line.post("/send", {"to": session})
                await came
                times.append(time.perf_counter() - start)

        start = time.perf_counter()
        await asyncio.gather(*(sender(line) for line in self.senders))
        return count / (time.perf_counter() - start), times

    def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def resident(pid: int) -> int:
    """Resident kilobytes of a process now."""
    text = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS"))


async def run(quick: bool) -> int:
    count, rounds = (500, 4) if quick else (1000, 12)
    machines = [Machine(kind) for kind in KINDS]
    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    try:
        for machine in machines:
            await machine.start()
        for number in range(rounds):
            for machine in machines[number % 3 :] + machines[: number % 3]:
                rate, taken = await machine.round(count, number * count)
                rates[machine.kind].append(rate)
                times[machine.kind] += taken
        return show(machines, rates, times)
    finally:
        for machine in machines:
            machine.stop()


def show(machines: list[Machine], rates: dict[str, list[float]], times: dict[str, list[float]]) -> int:
    """Print a table; 1 when a promise is missed."""
    print(f"byoa_app: {POLLS} held polls in one process, {AT_ONCE} messages at once, against a bare long-poll")
    print(f"{'':10}{'ratio':>7}  {'promised':>8}  {'messages/s':>10}  {'p50 ms':>7}  {'p99 ms':>7}  {'kB a poll':>9}")
    kept = True
    for machine in machines:
        kind = machine.kind
        ratio = statistics.median(a / b for a, b in zip(rates[kind], rates["bare"], strict=True))
        ordered = sorted(times[kind])
        p50, p99 = ordered[len(ordered) // 2] * 1000, ordered[int(len(ordered) * 0.99)] * 1000
        size = (machine.after - machine.before) / POLLS
        good = kind not in LEAST or ratio >= LEAST[kind]
        kept = kept and good
        promised = f">= {LEAST[kind]}" if kind in LEAST else ""
        rate = statistics.median(rates[kind])
        print(
            f"  {kind:<8}{ratio:>7.2f}  {promised:>8}  {rate:>10.0f}  {p50:>7.1f}  {p99:>7.1f}  {size:>9.1f}"
            f"{'' if good else '  MISSED'}"
        )
    return 0 if kept else 1


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return asyncio.run(run(options.parse_args().quick))


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        serve(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(main())
