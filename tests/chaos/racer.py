"""Programs that write one settings file at the same time; test_race.py starts several of them at once.

python racer.py installer <file> <root> <connector> <rounds>
python racer.py renaming|in-place <file> <rounds>           a host that keeps its settings in memory
"""

import json
import os
import sys
import time

from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Change
from agent_connector.deploy.undo import undo
from agent_connector.hosts.nodes import Item, Key

LAUNCHER = "/home/ada/.agent-connector/bin/agent-connector"


def changes(file, connector):
    marks = (".agent-connector/bin/agent-connector", f"--connector {connector}")
    server = {"command": LAUNCHER, "args": ["serve", "--connector", connector]}
    hook = {"command": f"{LAUNCHER} hook codex Stop --connector {connector}"}
    nodes = [
        Key(file, "json", ("mcpServers", connector), server),
        Item(file, "json", ("hooks", "Stop"), hook, marks),
    ]
    return [Change("+", "codex", "server", "user", file, node, (connector, "codex")) for node in nodes]


def install(file, root, connector):
    return apply(changes(file, connector), root=root)


def meddler(file, root, connector, rounds):
    """Install and remove, over and over, whether that succeeds or not."""
    for _ in range(int(rounds)):
        install(file, root, connector)
        undo(root, connector=connector)


def installer(file, root, connector, rounds):
    """The same; at the end it is installed."""
    meddler(file, root, connector, rounds)
    report = install(file, root, connector)
    if report.failed:
        raise SystemExit(str(report.changes))


def renaming(file, rounds):
    """A host that writes beside its file and renames."""
    for text in host_writes(file, rounds):
        with open(f"{file}.host", "w") as stream:
            stream.write(text)
        os.replace(f"{file}.host", file)


def in_place(file, rounds):
    """A host that empties its file and writes into it."""
    for text in host_writes(file, rounds):
        with open(file, "w") as stream:
            stream.write(text)


def host_writes(file, rounds):
    """What a host writes, again and again; each time it looks that its last words are still there."""
    for number in range(int(rounds)):
        yield json.dumps({"theirs": number, "padding": "x" * 5000}, indent=2)
        time.sleep(0.002)
        until = time.monotonic() + 10  # an exchange that goes back takes an instant
        while theirs(file) != number:
            if time.monotonic() > until:
                raise SystemExit(f"write {number} is lost: {theirs(file)}")


def theirs(file):
    try:
        with open(file) as stream:
            return json.load(stream)["theirs"]
    except (OSError, ValueError, KeyError):
        return None


if __name__ == "__main__":
    {"installer": installer, "meddler": meddler, "renaming": renaming, "in-place": in_place}[sys.argv[1]](*sys.argv[2:])
