"""A worker that starts one run and waits to be killed: python ward.py KIND FOLDER -- COMMAND ..."""

import sys
import time

from agent_connector.worker.sandbox import choose, launch
from agent_connector.worker.sandbox.policy import Policy

kind, folder = sys.argv[1:3]
policy = Policy(f"{folder}/workspace", f"{folder}/home")
environment = {"PATH": "/usr/bin:/bin", "HOME": policy.home}
process = launch.starter(choose.kind(kind), policy)(sys.argv[4:], policy.workspace, environment)
assert process.stdout
print(process.pid, process.stdout.readline().decode().strip(), flush=True)
time.sleep(1000)
