"""Runs one step of an install in forked children, each killed at its n-th call to the system, for every n.

    python stepper.py <scratch folder> <scenario>

For each n the folder `<scratch>/<n>` is made as the scenario begins, and a child does the step in it and dies at its
n-th call (a write is cut in half). The last one lives. One JSON line per n says which call it was.
"""

import json
import os
import signal
import sys

from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Change
from agent_connector.deploy.undo import undo
from agent_connector.home import swap
from agent_connector.hosts.nodes import Block, Item, Key, Whole

LAUNCHER = "/home/ada/.agent-connector/bin/agent-connector"
CALLS = "open write fsync close replace rename link unlink mkdir rmdir chmod chown utime"  # all that change anything
SETTINGS = b'{\r\n\t"mine": [1, 2],\r\n\t"mcpServers": {}\r\n}\r\n'
GUIDE = b"# Mine\n"


def changes(folder, connector="acme", version=1):
    """A server, a hook, a skill in folders that are not there yet, and memory."""
    host = os.path.join(folder, "host")
    settings, guide = os.path.join(host, "settings.json"), os.path.join(host, "AGENTS.md")
    skill = os.path.join(host, "skills", connector, "SKILL.md")
    marks = (".agent-connector/bin/agent-connector", f"--connector {connector}")
    server = {"command": LAUNCHER, "args": ["serve", "--connector", connector], "version": version}
    hook = {"command": f"{LAUNCHER} hook codex Stop --connector {connector}", "version": version}
    nodes = [
        ("server", Key(settings, "json", ("mcpServers", connector), server)),
        ("hooks", Item(settings, "json", ("hooks", "Stop"), hook, marks)),
        ("skills", Whole(skill, f"version {version}")),
        ("memory", Block(guide, f"{connector}/guide", f"version {version}")),
    ]
    return [Change("+", "codex", surface, "user", node.file, node, (connector, "codex")) for surface, node in nodes]


def begin(folder):
    """A host with two files of the person's."""
    os.makedirs(os.path.join(folder, "host"))
    for name, data in (("settings.json", SETTINGS), ("AGENTS.md", GUIDE)):
        with open(os.path.join(folder, "host", name), "wb") as stream:
            stream.write(data)


def install(folder, **options):
    return apply(changes(folder, **options), root=os.path.join(folder, "root"))


def remove(folder, connector="acme"):
    return undo(os.path.join(folder, "root"), connector=connector)


def touched(folder):
    """A host that has written since: our nodes must be cut."""
    with open(os.path.join(folder, "host", "settings.json"), "ab") as stream:
        stream.write(b"\n")


def without_exchange():
    swap._rename = lambda: None


SCENARIOS = {  # name: (what was done before, the step)
    "install": ((), install),
    "install without an exchange": ((without_exchange,), install),
    "upgrade": ((install,), lambda folder: install(folder, version=2)),
    "second connector": ((install,), lambda folder: install(folder, connector="zeta")),
    "remove": ((install,), remove),
    "remove after a host's write": ((install, touched), remove),
    "remove without an exchange": ((without_exchange, install), remove),
}


def prepare(folder, scenario):
    begin(folder)
    for act in SCENARIOS[scenario][0]:
        act() if act is without_exchange else act(folder)


def die_at(number, report):
    """From now on the process kills itself at its `number`-th call."""
    left = [number]

    def counted(name, call):
        def wrapper(*arguments, **options):
            left[0] -= 1
            if left[0] == 0:
                os_write(report, name.encode())
                if name == "write" and len(arguments[1]) > 1:
                    call(arguments[0], arguments[1][: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)

        return wrapper

    os_write = os.write
    for name in CALLS.split():
        setattr(os, name, counted(name, getattr(os, name)))
    rename = swap._rename()
    if rename is not None:
        swap._rename = lambda: counted("exchange", rename)


def run(folder, scenario, number):
    """The name of the call at which the child died; empty when it lived."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        step = SCENARIOS[scenario][1]
        die_at(number, writing)
        sys.exit(3 if step(folder).failed else 0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        name = stream.read().decode()
    _, status = os.waitpid(child, 0)
    if not name and status != 0:
        raise SystemExit(f"the step failed at {number}: {status}")
    return name


def main(scratch, scenario):
    os.fsync = lambda descriptor: None  # a kill is no power cut: what was written is there
    for number in range(1, 100_000):
        folder = os.path.join(scratch, str(number))
        prepare(folder, scenario)
        name = run(folder, scenario, number)
        print(json.dumps({"number": number, "call": name}), flush=True)
        if not name:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
