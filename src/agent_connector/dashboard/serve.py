"""Run the page on loopback, and read the hosts' logs beside it while it is looked at."""

import asyncio
import secrets
import socket
import threading
from collections.abc import Callable

import uvicorn

from agent_connector.dashboard import access, app
from agent_connector.deploy.detect import this_machine
from agent_connector.errors import AgentConnectorError
from agent_connector.telemetry import append
from agent_connector.usage import place, scan

ADDRESS = "127.0.0.1"
EVERY = 60.0  # seconds between two readings of the logs


class Reader:
    """Reads the logs in a thread: at once, and every so often."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.reading = False
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self.ended.is_set():
            self.reading = True
            try:
                scan.scan(self.root, this_machine(), identify=append.project, sums=False)
            except AgentConnectorError:
                pass  # `usage scan` says it; the page shows what is known
            finally:
                self.reading = False
            self.ended.wait(EVERY)


def run(root: str, port: int = 0, ready: Callable[[str], object] = print, read: bool = True) -> None:
    """Serve until interrupted. `ready` gets the first address, with the token in it; port 0 takes a free one."""
    with bind(port) as listener, place.ready(root, place.claim) as usage_root:
        taken = listener.getsockname()[1]
        token = secrets.token_urlsafe(32)
        reader = Reader(usage_root)
        guarded = app.make(root, token, taken, lambda: reader.reading, usage_root)
        config = uvicorn.Config(guarded, log_level="warning", access_log=False, lifespan="off", server_header=False)
        server = uvicorn.Server(config)
        if read:
            reader.thread.start()
        ready(f"http://{ADDRESS}:{taken}/?{access.TOKEN}={token}")
        try:
            asyncio.run(server.serve([listener]))
        except KeyboardInterrupt:
            return
        finally:
            reader.ended.set()


def bind(port: int) -> socket.socket:
    """A socket on loopback; AgentConnectorError when the port is taken."""
    listener = socket.socket(proto=socket.IPPROTO_TCP)  # else each answer waits 40 ms in the kernel
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((ADDRESS, port))
        listener.listen()  # who opens the address before the server is up waits, and is not refused
    except OSError as error:
        listener.close()
        raise AgentConnectorError(
            f"port {port} cannot be used: {error.strerror or error}", remedy="Name another with --port, or none."
        ) from None
    return listener
