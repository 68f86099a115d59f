"""The program of a server as a host finds it: a name that only our own environment knows is written out in full.

A package's command in a virtual environment that is on nobody's PATH is there for its person, not for a host.
"""

import os
import shutil
import sys

from agent_connector.connector.load import Loaded, started_by
from agent_connector.deploy.launcher import fallback_path
from agent_connector.hosts.machine import Machine


def lasting(loaded: Loaded, machine: Machine) -> Loaded:
    """The connector, its server's program with the folder where no PATH of a host's would lead to it."""
    server = loaded.model.server
    if server is None or server.transport != "stdio" or any(mark in server.command for mark in "/\\$"):
        return loaded
    if shutil.which(server.command, path=fallback_path(machine.variables.get("PATH", ""))):
        return loaded
    beside = shutil.which(server.command, path=os.path.dirname(os.path.abspath(sys.executable)))
    return started_by(loaded, server, beside) if beside else loaded
