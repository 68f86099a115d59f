"""A process that claims every task it can: `python claimer.py URL NAME`, on a line of stdin. Prints the ids it got."""

import sys

from agent_connector.board import leases, tasks
from agent_connector.board.store import open_store

store = open_store(sys.argv[1])
found, _ = store.read(tasks.page, limit=200)
print("ready", flush=True)
sys.stdin.readline()
for task in found if sys.argv[2] == "one" else found[::-1]:
    if store.write(leases.claim, task.id, connector=sys.argv[2], instance="i", seconds=600).claimed:
        print(task.id, flush=True)
store.close()
