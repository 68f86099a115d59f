"""A worker with keys, services and files around it, and one hostile run in a sandbox. Prints what came of the run.

python worker.py KIND   The package is on PYTHONPATH; standard library otherwise, so that any user's Python can run it.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading

import attacker

from agent_connector.worker.sandbox import choose, landlock, launch, system
from agent_connector.worker.sandbox.policy import Policy

ATTACKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attacker.py")
HELLO = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello"
SECONDS = 120
MARK = b"a mark"  # of the worker's own, which says that all who came before were noted


def put(*parts):
    path = os.path.join(*parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write("as it was")
    return path


def serve(hits, name, family, kind, address, answer=b""):
    """A service whose every visitor is noted; its socket."""
    server = socket.socket(family, kind)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    server.bind(address)
    if kind == socket.SOCK_STREAM:
        server.listen()

    def heard():
        if kind == socket.SOCK_DGRAM:
            return server.recv(10)
        one, _ = server.accept()
        with one, contextlib.suppress(OSError):  # who came has been here, however it goes on
            one.settimeout(SECONDS)
            said = one.recv(10_000)
            if answer and said != MARK:
                one.sendall(answer)
            return said
        return b""

    def visits():
        while True:
            if heard() == MARK:
                marked.set()
            else:
                hits.append(name)

    marked = threading.Event()
    MARKED[name] = marked, family, kind, server.getsockname()
    threading.Thread(target=visits, daemon=True).start()
    return server.getsockname()


MARKED = {}


def all_noted():
    """Wait until every service has noted whoever came: they come one after the other, and we are the last."""
    for marked, family, kind, address in MARKED.values():
        with socket.socket(family, kind) as one:
            one.connect(address)
            one.send(MARK)
        if not marked.wait(SECONDS):
            sys.exit(f"the service at {address} hears nobody")


def own_address():
    """The machine's address in its network; loopback where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return one.getsockname()[0]


def services(hits, folder):
    stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
    place = {"address": own_address(), "abstract": f"agent-connector-{os.getpid()}"}
    place["tcp"] = serve(hits, "tcp", socket.AF_INET, stream, ("0.0.0.0", 0))[1]
    place["tcp6"] = serve(hits, "tcp6", socket.AF_INET6, stream, ("::1", 0))[1]
    place["udp"] = serve(hits, "udp", socket.AF_INET, datagram, ("127.0.0.1", 0))[1]
    place["udp6"] = serve(hits, "udp6", socket.AF_INET6, datagram, ("::1", 0))[1]
    place["unix"] = serve(hits, "unix", socket.AF_UNIX, stream, os.path.join(folder, "u"))
    place["unix_datagram"] = serve(hits, "unix datagram", socket.AF_UNIX, datagram, os.path.join(folder, "d"))
    serve(hits, "abstract", socket.AF_UNIX, stream, "\0" + place["abstract"])
    return place


def main(kind, network):
    if kind == "landlock without descriptors":  # as in a container that forbids to take them
        kind, rules = "landlock", landlock.rules
        landlock.rules = lambda policy: {**rules(policy), "takes": False}
    folder = tempfile.mkdtemp(prefix="acs-")
    own = {name: os.path.join(folder, name) for name in ("workspace", "home", "readable", "outer", "person")}
    for path in own.values():
        os.mkdir(path)
    hits = []
    proxied = []
    key = f"agent-connector-{os.getpid()}"
    assert attacker.libc.syscall(attacker.ADD_KEY, b"user", key.encode(), b"secret", 6, attacker.SESSION) > 0
    world = {
        "key": key,
        **services(hits, own["outer"]),
        "workspace": own["workspace"],
        "person": own["person"],
        "secret": put(own["person"], ".agent-connector", "worker", "credentials"),
        "other_run": put(folder, "other", "workspace", "file"),
        "outside": put(own["outer"], "file"),
        "removable": put(own["outer"], "removable"),
        "movable": put(own["workspace"], "movable"),
        "readable": put(own["readable"], "file"),
        "worker": os.getpid(),
        "cwd": os.getcwd(),
    }
    egress = serve(proxied, "proxy", socket.AF_UNIX, socket.SOCK_STREAM, os.path.join(own["outer"], "e"), HELLO)
    port = serve(proxied, "proxy", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0), HELLO)[1]
    serve(hits, "the proxy's port elsewhere", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.2", port))
    shown = serve(proxied, "shown", socket.AF_UNIX, socket.SOCK_STREAM, os.path.join(own["readable"], "s"))
    world |= {"proxy": port, "everywhere": port, "shown_socket": shown}
    policy = Policy(
        own["workspace"], own["home"], readable=(own["readable"], ATTACKER), network=network, socket=egress, port=port
    )
    environment = {"PATH": "/usr/bin:/bin", "HOME": own["home"], "ANTHROPIC_API_KEY": "token"}
    os.environ["BOARD_KEY"] = "mcp_secret"
    start = launch.starter(choose.kind(kind), policy)
    process = start([system.python(), "-I", "-S", ATTACKER, json.dumps(world)], own["workspace"], environment)
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        launch.stop(process, 1, policy)
        out, err = process.communicate()
    left = launch.alive(policy)
    try:
        found = json.loads(out)
    except ValueError:
        sys.exit(f"the run said {out!r} and {err.decode()}, and ended with {process.returncode}")
    with open(world["outside"]) as file:
        found["untouched"] = file.read() == "as it was" and sorted(os.listdir(own["outer"])) == [
            "d",
            "e",
            "file",
            "removable",
            "u",
        ]
    all_noted()
    print(json.dumps({**found, "hits": hits, "left": left}))


if __name__ == "__main__":
    main(*sys.argv[1:])
