"""What the pairer costs: 100 apps and 20 sessions on one core, idle and with a message.

The floor holds as many polls with a bare loop over the same HTTP client, in the same run, against the same apps: it
parses nothing, checks nothing and keeps nothing. The apps are another process on the other core.
`python -m bench.byoa [--quick]`.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

APPS, SESSIONS = 100, 20
HOLD = 25
KINDS = ("bare", "pairer")
# About twice what is seen.
MOST = {"idle CPU": 3.0, "memory": 2.0, "p50": 3.0, "p99": 6.0}


# The apps: one process, a port for each, no more than the wire needs.


class Apps:
    def __init__(self) -> None:
        self.held: dict[str, asyncio.Future[bytes]] = {}
        self.count = 0

    async def serve(self, ports: list[int], control: int) -> None:
        for port in ports:
            await asyncio.start_server(
                lambda reader, writer, port=port: self.talk(reader, writer, port), "127.0.0.1", port
            )
        await asyncio.start_server(self.push, "127.0.0.1", control, backlog=10)
        await asyncio.Event().wait()

    async def push(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Each line names a session (`port key`) that gets a message."""
        async for line in reader:
            self.count += 1
            message = {"id": f"m{self.count}", "type": "chat", "text": "hello", "from": {"name": "Ada"}}
            answer = json.dumps({"cursor": str(self.count), "messages": [message]}).encode()
            while (held := self.held.pop(line.decode().strip(), None)) is None or held.done():
                await asyncio.sleep(0.001)
            held.set_result(answer)
        writer.close()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                path = head.split(" ", 2)[1]
                size = int(head.lower().partition("content-length: ")[2].partition("\r\n")[0] or 0)
                body = json.loads(await reader.readexactly(size)) if size else {}
                answer = await self.answer(path, body, port)
                start = (
                    f"HTTP/1.1 200 OK\r\nContent-Length: {len(answer)}\r\n\r\n" if answer else "HTTP/1.1 204 OK\r\n\r\n"
                )
                writer.write(start.encode() + answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def answer(self, path: str, body: Any, port: int) -> bytes:
        if path == "/.well-known/byoa":
            return discovery(port).encode()
        if path == "/register":
            return json.dumps(
                {"session_id": f"{port} {body['session']['title']}".replace(" ", "_"), "cursor": "0"}
            ).encode()
        if path == "/poll":
            held = self.held[body["session_id"]] = asyncio.get_running_loop().create_future()
            try:
                return await asyncio.wait_for(held, HOLD)
            except TimeoutError:
                return b""
        return json.dumps({"next": body.get("seq", 0) + 1}).encode()


def discovery(port: int) -> str:
    endpoints = {name: f"/{name}" for name in ("pair_start", "pair_poll", "revoke", "register", "poll", "events")}
    app = {"id": f"app{port}", "name": f"App {port}"}
    return json.dumps({"byoa": "0.1", "app": app, "endpoints": endpoints, "poll_hold_seconds": HOLD})


# The two sides that are compared, each in a process of its own.

Arrived = Callable[[str], None]


async def bare(ports: list[int], arrived: Arrived) -> Callable[[], int]:
    """As many polls, and nothing else."""
    import httpx2

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
    context = httpx2.create_ssl_context()
    clients = {port: httpx2.AsyncClient(verify=context, timeout=None, limits=limits) for port in ports}
    headers = {"Authorization": f"Bearer {'t' * 43}", "BYOA-Version": "0.1"}
    polls = 0

    async def link(port: int, session: str) -> None:
        nonlocal polls
        client, url, cursor = clients[port], f"http://127.0.0.1:{port}", "0"
        await client.post(f"{url}/register", json={"session": {"title": session}}, headers=headers)
        while True:
            asked = {"session_id": f"{port}_{session}", "cursor": cursor, "state": "idle"}
            polls += 1
            answer = await client.post(f"{url}/poll", json=asked, headers=headers)
            if answer.status_code == 200:
                value = answer.json()
                cursor = value["cursor"]
                arrived(session)
                events = [{"type": "started"}, {"type": "delta", "text": "ok"}, {"type": "ended", "outcome": "done"}]
                batch = {"session_id": asked["session_id"], "turn": "m", "seq": 0, "events": events}
                await client.post(f"{url}/events", json=batch, headers=headers)

    tasks.extend(asyncio.ensure_future(link(port, f"s{number}")) for port in ports for number in range(SESSIONS))
    return lambda: polls


async def pairer(ports: list[int], arrived: Arrived) -> Callable[[], int]:
    """The real thing, with hosts that answer at once."""
    from agent_connector.byoa.core.effects import Outcome, Request
    from agent_connector.byoa.core.pairer import Pairer
    from agent_connector.byoa.driver.http import HttpxPort
    from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
    from agent_connector.byoa.protocol import Credential, credential_path, parse_discovery, parse_origin
    from agent_connector.testing.byoa import FakeHost, FakeSession, MemoryFiles

    polls = 0

    class Counted(HttpxPort):
        async def send(self, request: Request) -> Outcome:
            nonlocal polls
            polls += request.url.endswith("/poll")
            return await super().send(request)

    class Session(FakeSession):
        def submit(self, prompt: str) -> None:
            arrived(str(self.title))
            super().submit(prompt)
            asyncio.get_running_loop().call_soon(self.run)

        def run(self) -> None:
            self.answer("ok")
            driver.wake()

    host, files = FakeHost(), MemoryFiles()
    for port in ports:
        origin = parse_origin(f"http://127.0.0.1:{port}")
        found = parse_discovery(discovery(port).encode(), origin)
        kept = Credential(origin, "t" * 43, "c", "Ada", found.app, found)
        files.put(credential_path(host.id, origin), kept.dump().decode())
    made = Pairer(host, files, SystemClock(), SystemRandom(), version="1.0")
    driver = Driver(made, host, Counted())
    for number in range(SESSIONS):
        session = Session(host_session_id=f"s{number}", title=f"s{number}")
        session.handle = made.attach(session)
    tasks.append(asyncio.ensure_future(driver.run()))
    return lambda: polls


tasks: list[asyncio.Future[None]] = []


async def measure(kind: str, ports: list[int], control: int, messages: int) -> dict[str, Any]:
    came: dict[str, asyncio.Future[None]] = {}

    def arrived(session: str) -> None:
        waiting = came.pop(session, None)
        if waiting is not None:
            waiting.set_result(None)

    before = resident()
    polls = await {"bare": bare, "pairer": pairer}[kind](ports, arrived)
    while polls() < APPS * SESSIONS:
        await asyncio.sleep(0.1)
    await asyncio.sleep(2)
    start, used = time.monotonic(), time.process_time()
    await asyncio.sleep(HOLD)  # every poll ends once and is sent again
    share = (time.process_time() - used) / (time.monotonic() - start)
    size = resident() - before
    _, writer = await asyncio.open_connection("127.0.0.1", control)
    chance = random.Random(1)
    times: list[float] = []
    for _ in range(messages):
        port, session = chance.choice(ports), f"s{chance.randrange(SESSIONS)}"
        came[session] = waiting = asyncio.get_running_loop().create_future()
        begun = time.perf_counter()
        writer.write(f"{port}_{session}\n".encode())
        await waiting
        times.append(time.perf_counter() - begun)
        await asyncio.sleep(0.02)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {"share": share, "kilobytes": size, "times": times}


def resident() -> int:
    text = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS"))


# The run.


def alone(core: int) -> None:
    """One core for this process; as many open files as are allowed."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[core % len(cores)]})
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def free_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [int(one.getsockname()[1]) for one in held]
    for one in held:
        one.close()
    return ports


def run(quick: bool) -> int:
    rounds, messages = (1, 100) if quick else (3, 400)
    *ports, control = free_ports(APPS + 1)
    told = json.dumps({"ports": ports, "control": control, "messages": messages})
    command = [sys.executable, "-m", "bench.byoa"]
    apps = subprocess.Popen([*command, "apps", told])
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    try:
        for port in ports:
            _reach(port)
        for number in range(rounds):
            for kind in KINDS if number % 2 else reversed(KINDS):
                done = subprocess.run([*command, kind, told], stdout=subprocess.PIPE, timeout=300, check=True)
                found[kind].append(json.loads(done.stdout))
    finally:
        apps.kill()
        apps.wait()
    return show(found)


def _reach(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the apps do not come up")


def show(found: dict[str, list[dict[str, Any]]]) -> int:
    """Print a table; 1 when a promise is missed."""
    print(f"byoa: a pairer with {APPS} apps x {SESSIONS} sessions on one core, against a bare loop with as many polls")
    print(f"{'':12}{'ratio':>7}  {'promised':>8}  {'pairer':>10}  {'bare':>10}")
    rows: dict[str, tuple[Callable[[dict[str, Any]], float], str]] = {
        "idle CPU": (lambda one: one["share"] * 100, "%"),
        "memory": (lambda one: one["kilobytes"] / 1024, "MB"),
        "p50": (lambda one: _quantile(one["times"], 0.5) * 1000, "ms"),
        "p99": (lambda one: _quantile(one["times"], 0.99) * 1000, "ms"),
    }
    kept = True
    for name, (value, unit) in rows.items():
        pairs = [(value(one), value(other)) for one, other in zip(found["pairer"], found["bare"], strict=True)]
        ratio = statistics.median(one / other for one, other in pairs)
        one, other = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
        good = ratio <= MOST[name]
        kept = kept and good
        late = "" if good else "  MISSED"
        print(f"  {name:<10}{ratio:>7.2f}  <= {MOST[name]:>5.1f}  {one:>7.2f} {unit:<2}  {other:>7.2f} {unit:<2}{late}")
    return 0 if kept else 1


def _quantile(times: list[float], part: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def main() -> int:
    if len(sys.argv) == 3:
        told = json.loads(sys.argv[2])
        alone(0 if sys.argv[1] == "apps" else 1)
        if sys.argv[1] == "apps":
            asyncio.run(Apps().serve(told["ports"], told["control"]))
        else:
            print(json.dumps(asyncio.run(measure(sys.argv[1], **told))))
        return 0
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    return run(options.parse_args().quick)


if __name__ == "__main__":
    sys.exit(main())
