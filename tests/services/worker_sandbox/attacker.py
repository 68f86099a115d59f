"""What a hostile agent tries from inside a run. Prints one JSON object: what came of each attempt.

`done` or the error. Standard library only: it runs inside, with whatever Python is there. World: JSON in the first argument.
"""

import ctypes
import json
import os
import platform
import socket
import subprocess
import sys
import time
import urllib.request

WORLD = {}
SECONDS = 20  # nothing here takes long, but on a busy machine
libc = ctypes.CDLL(None, use_errno=True)
IO_URING_SETUP = 425
ADD_KEY, KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(platform.machine(), (248, 250))
SESSION, SEARCH = -3, 10


def read(path):
    with open(path, "rb") as file:
        file.read(10)


def write(path, mode="r+b"):
    with open(path, mode) as file:
        file.write(b"x")


def linked(make):
    """Through a link of our own in the workspace."""
    path = os.path.join(WORLD["workspace"], f"link-{make.__name__}")
    make(WORLD["secret"], path)
    read(path)


def tcp(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(SECONDS)
        one.connect(address)


def udp(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.connect(address)
        for _ in range(2):  # the first is told of nobody only after it was sent
            one.send(b"x")
            time.sleep(0.05)


def fast_open():
    """The handshake starts with the first byte, without a call of `connect`."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
        one.sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", WORLD["tcp"]))


def unix(path, kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_UNIX, kind) as one:
        one.settimeout(SECONDS)
        one.connect(path)
        one.send(b"x")


def unix_link():
    path = os.path.join(WORLD["workspace"], "link.sock")
    os.symlink(WORLD["unix"], path)
    unix(path)


def unix_pair():
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        one.sendto(b"x", WORLD["unix_datagram"])


def call(name, *arguments):
    ctypes.set_errno(0)
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def ptrace():
    call("ptrace", 16, WORLD["worker"], None, None)  # PTRACE_ATTACH
    os.waitpid(WORLD["worker"], 0x40000000)
    call("ptrace", 17, WORLD["worker"], None, None)


def worker(name):
    return f"/proc/{WORLD['worker']}/{name}"


ATTEMPTS = {
    "read the worker's key": lambda: read(WORLD["secret"]),
    "list the folder of keys": lambda: os.listdir(os.path.dirname(WORLD["secret"])),
    "list the person's home": lambda: os.listdir(WORLD["person"]),
    "read another run": lambda: read(WORLD["other_run"]),
    "read through a symbolic link": lambda: linked(os.symlink),
    "read through a hard link": lambda: linked(os.link),
    "write a file outside": lambda: write(WORLD["outside"]),
    "empty a file outside": lambda: os.truncate(WORLD["outside"], 0),
    "make a file outside": lambda: write(WORLD["outside"] + ".new", "wb"),
    "remove a file outside": lambda: os.unlink(WORLD["removable"]),
    "move a file out of the workspace": lambda: os.rename(WORLD["movable"], WORLD["outside"] + ".moved"),
    "write what may only be read": lambda: write(WORLD["readable"]),
    "write to the system": lambda: write("/usr/agent-connector-test", "wb"),
    "the worker's environment": lambda: read(worker("environ")),
    "the worker's memory": lambda: open(worker("mem"), "rb").close(),
    "the key through the worker's root": lambda: read(worker("root") + WORLD["secret"]),
    "the key through the worker's folder": lambda: read(
        worker("cwd/") + os.path.relpath(WORLD["secret"], WORLD["cwd"])
    ),
    "the worker's open files": lambda: os.readlink(worker("fd/1")),
    "ptrace the worker": ptrace,
    "signal the worker": lambda: os.kill(WORLD["worker"], 0),
    "a host of the network by its address": lambda: tcp(socket.AF_INET, (WORLD["address"], WORLD["tcp"])),
    "a service of this machine": lambda: tcp(socket.AF_INET, ("127.0.0.1", WORLD["tcp"])),
    "the proxy's port on another address": lambda: tcp(socket.AF_INET, ("127.0.0.2", WORLD["everywhere"])),
    "a service by IPv6": lambda: tcp(socket.AF_INET6, ("::1", WORLD["tcp6"])),
    "a connection without connect": fast_open,
    "a datagram": lambda: udp(socket.AF_INET, ("127.0.0.1", WORLD["udp"])),
    "a datagram by IPv6": lambda: udp(socket.AF_INET6, ("::1", WORLD["udp6"])),
    "a unix socket of the machine": lambda: unix(WORLD["unix"]),
    "a unix socket by a relative path": lambda: unix(os.path.relpath(WORLD["unix"])),
    "a unix socket through a link": unix_link,
    "a unix datagram": lambda: unix(WORLD["unix_datagram"], socket.SOCK_DGRAM),
    "a unix datagram from a pair": unix_pair,
    "an abstract unix socket": lambda: unix("\0" + WORLD["abstract"]),
}
# These fail for everybody but root even without a sandbox.
OF_ROOT = {
    "read the shadow passwords": lambda: read("/etc/shadow"),
    "mount a file system": lambda: call("mount", b"none", WORLD["workspace"].encode(), b"tmpfs", 0, None),
    "a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close(),
    "packets of the wire": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close(),
}
# Of the kernel's. A ring is harmless where the network is another one.
OF_KERNEL = {
    "a key of the worker's keyring": lambda: call(
        "syscall", KEYCTL, SEARCH, SESSION, b"user", WORLD["key"].encode(), 0
    ),
    "a ring for system calls": lambda: call("syscall", IO_URING_SETUP, 1, (ctypes.c_char * 120)()),
}


def reach(address):
    """The proxy, as a host's HTTP client would."""
    with urllib.request.urlopen(address, timeout=SECONDS) as answer:  # noqa: S310 - our own proxy
        assert answer.read() == b"hello"


WORKS = {
    "write in the workspace": lambda: write(os.path.join(WORLD["workspace"], "made"), "wb"),
    "write in the home": lambda: write(os.path.join(os.environ["HOME"], "made"), "wb"),
    "read what is readable": lambda: read(WORLD["readable"]),
    "start a program": lambda: subprocess.run(["true"], check=True),
    "the proxy": lambda: reach(f"http://127.0.0.1:{WORLD['proxy']}/"),
    "a unix socket that is shown": lambda: unix(WORLD["shown_socket"]),
    "a unix socket of one's own": lambda: own_socket(),
}


def own_socket():
    path = os.path.join(WORLD["workspace"], "own.sock")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        unix(path)


def outcome(attempt):
    try:
        attempt()
    except OSError as error:
        return f"{type(error).__name__}: {error}"
    return "done"


def status(name):
    with open("/proc/self/status") as file:
        return next(line.split()[1] for line in file if line.startswith(name + ":"))


if __name__ == "__main__":
    WORLD.update(json.loads(sys.argv[1]))
    tables = {"attempts": ATTEMPTS, "of_root": OF_ROOT, "of_kernel": OF_KERNEL, "works": WORKS}
    found = {table: {name: outcome(one) for name, one in entries.items()} for table, entries in tables.items()}
    found["environment"] = dict(os.environ)
    found["capabilities"] = status("CapEff") + status("CapPrm")
    found["no_new_privileges"] = status("NoNewPrivs")
    print(json.dumps(found))
