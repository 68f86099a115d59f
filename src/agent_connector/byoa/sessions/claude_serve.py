"""The pairer's process: what Claude Code starts beside each session, and ends by closing its input."""

import asyncio
import os
import signal
import sys

from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.driver.http import HttpxPort
from agent_connector.byoa.sessions import pairings
from agent_connector.byoa.sessions.claude_pair import HOST, ClaudePair
from agent_connector.byoa.sessions.claude_tools import StandardInput, StandardOutput
from agent_connector.home import paths
from agent_connector.runtime import byoa_door


def main() -> int:
    return asyncio.run(serve())


async def serve() -> int:
    home = os.path.expanduser("~")
    folder = byoa_door.folder(paths.data_root(os.environ, home), HOST)
    http = HttpxPort()
    pair = ClaudePair(os.environ, folder, RealFiles(pairings.root(home)), http)
    try:
        reader = StandardInput()
        if sys.platform != "win32":
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, reader.end)
        await pair.run(reader, StandardOutput())
    finally:
        await http.close()
    return 0
